// SPDX-License-Identifier: Apache-2.0
// The OSDs of a world: their threads, and what they add up to on each host.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "knowledge/world.hpp"

namespace osdtune {
namespace {

/// What the OSDs of one host ask for together; a sum is unknown as soon as one part is.
struct HostSums {
  double osds = 0;
  double flash = 0;
  std::optional<double> memory = 0;
  std::optional<double> threads = 0;
  std::map<std::string, std::int64_t> flash_osds_by_drive;
};

std::optional<std::string> class_of(const OsdFacts& osd) {
  if (osd.device_class) return osd.device_class;
  if (!osd.rotational) return std::nullopt;
  return *osd.rotational ? "hdd" : "ssd";
}

std::optional<double> product(const std::optional<double>& a, const std::optional<double>& b) {
  if (!a || !b) return std::nullopt;
  return *a * *b;
}

std::optional<double> sum(const std::optional<double>& a, const std::optional<double>& b) {
  if (!a || !b) return std::nullopt;
  return *a + *b;
}

std::optional<double> ratio(const std::optional<double>& a, const std::optional<double>& b) {
  if (!a || !b || *b == 0) return std::nullopt;
  return *a / *b;
}

}  // namespace

std::optional<double> World::number(const Subject& subject, const std::string& name) const {
  const auto value = fact(subject, name);
  return value ? as_number(*value) : std::nullopt;
}

std::optional<double> World::number_by_class(const Subject& subject, const std::string& option) const {
  const auto plain = number(subject, "opt." + option);
  if (plain && *plain != 0) return plain;
  const auto flash = fact(subject, "osd.flash");
  if (!flash) return std::nullopt;
  return number(subject, "opt." + option + (*flash == Value(true) ? "_ssd" : "_hdd"));
}

const Subject* World::add_osd(const OsdFacts& osd) {
  Subject& subject = subjects_.emplace_back();
  subject.kind = SubjectKind::kOsd;
  subject.osd = osd.id;
  subject.name = osd.id < 0 ? "every OSD" : fmt::format("osd.{}", osd.id);
  const auto host = osd.host ? hosts_.find(*osd.host) : hosts_.size() == 1 ? hosts_.begin() : hosts_.end();
  subject.parent = host == hosts_.end() ? &subjects_.front() : host->second;
  const auto device_class = class_of(osd);
  subject.group = (osd.host ? "host " + *osd.host : "") + (device_class ? " (" + *device_class + ")" : "");
  subject.facts.put("osd.class", device_class);
  if (device_class) subject.facts.put("osd.flash", std::optional(*device_class != "hdd"));
  subject.facts.put("osd.rotational", osd.rotational);
  subject.facts.put("osd.dedicated_db", osd.dedicated_db);
  subject.facts.put("osd.db_rotational", osd.db_rotational);
  subject.facts.put("osd.objectstore", osd.objectstore);
  subject.facts.put("osd.up", osd.up);
  subject.facts.put("osd.pgs", osd.pgs);
  subject.facts.put("osd.used_ratio", osd.used_ratio);
  subject.facts.put("osd.shards", number_by_class(subject, "osd_op_num_shards"));
  if (fact(subject, "opt.osd_mclock_profile") == Value(std::string("custom")))
    subject.facts.put("osd.mclock_reserved",
                      sum(sum(number(subject, "opt.osd_mclock_scheduler_client_res"),
                              number(subject, "opt.osd_mclock_scheduler_background_recovery_res")),
                          number(subject, "opt.osd_mclock_scheduler_background_best_effort_res")));
  subject.facts.put("osd.threads_per_shard", number_by_class(subject, "osd_op_num_threads_per_shard"));
  subject.facts.put("osd.workers",
                    product(number(subject, "osd.shards"), number(subject, "osd.threads_per_shard")));
  subject.facts.put("osd.threads",
                    sum(number(subject, "osd.workers"), number(subject, "opt.ms_async_op_threads")));
  return &subject;
}

void World::add_osds() {
  std::map<std::string, HostSums> sums;
  for (const int id : osd_ids(facts_)) {
    const auto known = facts_.osds.find(id);
    const OsdFacts osd = known == facts_.osds.end() ? OsdFacts{.id = id} : known->second;
    const Subject* subject = add_osd(osd);
    if (!osd.host) continue;
    HostSums& host = sums[*osd.host];
    const bool flash = fact(*subject, "osd.flash") == Value(true);
    host.osds += 1;
    host.flash += flash ? 1 : 0;
    host.memory = sum(host.memory, number(*subject, "opt.osd_memory_target"));
    host.threads = sum(host.threads, number(*subject, "osd.threads"));
    if (flash && osd.drives && !osd.drives->empty()) ++host.flash_osds_by_drive[*osd.drives];
  }
  for (const auto& [name, host] : sums) {
    Subject* subject = hosts_.at(name);
    const auto cpus = number(*subject, "host.threads");
    subject->facts.put("host.osds", std::optional(host.osds));
    subject->facts.put("host.flash_osds", std::optional(host.flash));
    subject->facts.put("host.memory_target_sum", host.memory);
    subject->facts.put("host.memory_share", ratio(host.memory, number(*subject, "host.memory_bytes")));
    subject->facts.put("host.osd_threads", host.threads);
    subject->facts.put("host.osd_threads_per_cpu", ratio(host.threads, cpus));
    subject->facts.put("host.threads_per_osd", ratio(cpus, host.osds));
    std::int64_t most = 0;
    for (const auto& [drive, count] : host.flash_osds_by_drive) most = std::max(most, count);
    if (most > 0) subject->facts.put("host.osds_per_drive", std::optional(most));
  }
}

}  // namespace osdtune
