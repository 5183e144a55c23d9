// SPDX-License-Identifier: Apache-2.0
// Makes the subjects of a world: cluster, hosts, OSDs, pools, settings and benchmarks, with the facts that
// need more than one of them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "core/error.hpp"
#include "core/units.hpp"
#include "knowledge/option_value.hpp"
#include "knowledge/world.hpp"

namespace osdtune {
namespace {

template <class T>
void put(Subject* subject, const std::string& name, const std::optional<T>& value) {
  if (value) subject->facts.insert_or_assign(name, Value(*value));
}

void put(Subject* subject, const std::string& name, Value value) {
  subject->facts.insert_or_assign(name, std::move(value));
}

bool has_parameter(const HostFacts& host, std::string_view start) {
  return std::any_of(host.kernel_parameters.begin(), host.kernel_parameters.end(),
                     [&](const std::string& each) { return each.starts_with(start); });
}

void put_host_facts(const HostFacts& host, Subject* subject) {
  put(subject, "host.system", host.system);
  put(subject, "host.kernel", host.kernel);
  put(subject, "host.cpu_model", host.cpu_model);
  put(subject, "host.cpu_vendor", host.cpu_vendor);
  put(subject, "host.threads", host.threads);
  put(subject, "host.cores", host.cores);
  put(subject, "host.sockets", host.sockets);
  put(subject, "host.numa_nodes", host.numa_nodes);
  put(subject, "host.smt", host.smt);
  put(subject, "host.turbo", host.turbo);
  put(subject, "host.governor", host.governor);
  put(subject, "host.mhz_max", host.mhz_max);
  put(subject, "host.idle_driver", host.idle_driver);
  put(subject, "host.idle_latency_us", host.idle_latency_us);
  put(subject, "host.virtual_machine", host.virtual_machine);
  put(subject, "host.transparent_huge_pages", host.transparent_huge_pages);
  put(subject, "host.iommu", host.iommu);
  put(subject, "host.memory_bytes", host.memory_bytes);
  put(subject, "host.swap_bytes", host.swap_bytes);
  put(subject, "host.memory_limit_bytes", host.memory_limit_bytes);
  put(subject, "host.cpu_limit", host.cpu_limit);
  put(subject, "host.interrupts_per_s", host.interrupts_per_s);
  if (host.threads && host.interrupts_per_s)
    put(subject, "host.interrupts_per_thread", Value(*host.interrupts_per_s / *host.threads));
  if (!host.kernel_parameters.empty() || host.kernel)
    put(subject, "host.kernel_parameters", Value(fmt::format("{}", fmt::join(host.kernel_parameters, " "))));
  if (!host.mitigations.empty())
    put(subject, "host.mitigations_off", Value(has_parameter(host, "mitigations=off")));
  if (host.kernel) {
    double version = 0;
    int major = 0, minor = 0;
    if (std::sscanf(host.kernel->c_str(), "%d.%d", &major, &minor) == 2) version = major + minor / 100.0;
    if (version > 0) put(subject, "host.kernel_version", Value(version));
  }
}

void put_devices(const HostFacts& host, Subject* subject) {
  std::optional<double> fastest;
  for (const NicFacts& nic : host.nics)
    if (nic.speed_mbit) fastest = std::max(fastest.value_or(0), *nic.speed_mbit);
  put(subject, "host.nic_mbit", fastest);
  std::int64_t flash = 0, nvme = 0;
  for (const DriveFacts& drive : host.drives) {
    if (drive.rotational == false) ++flash;
    if (drive.name.starts_with("nvme")) ++nvme;
  }
  if (host.drives.empty()) return;
  put(subject, "host.flash_drives", Value(flash));
  put(subject, "host.nvme_drives", Value(nvme));
}

bool is_flash(const OsdFacts& osd) {
  if (osd.device_class) return *osd.device_class != "hdd";
  return osd.rotational == false;
}

std::optional<std::string> class_of(const OsdFacts& osd) {
  if (osd.device_class) return osd.device_class;
  if (!osd.rotational) return std::nullopt;
  return *osd.rotational ? "hdd" : "ssd";
}

/// The first release part of a version, for counting how many differ.
std::string short_release(const std::string& text) {
  try {
    return to_text(parse_release(text));
  } catch (const Error&) {
    return text;
  }
}

}  // namespace

void World::add_cluster() {
  Subject& cluster = subjects_.emplace_back();
  cluster.name = "cluster";
  if (release_) put(&cluster, "cluster.release", Value(to_text(*release_)));
  put(&cluster, "cluster.health", facts_.health);
  put(&cluster, "cluster.pgs_not_clean", facts_.misplaced_or_degraded);
  if (facts_.flags) put(&cluster, "cluster.flags", Value(fmt::format("{}", fmt::join(*facts_.flags, ","))));
  if (!facts_.osds.empty())
    put(&cluster, "cluster.osds", Value(static_cast<std::int64_t>(facts_.osds.size())));
  std::set<std::string> releases, hosts;
  for (const auto& [id, osd] : facts_.osds) {
    if (osd.release) releases.insert(short_release(*osd.release));
    if (osd.host) hosts.insert(*osd.host);
  }
  if (!releases.empty()) put(&cluster, "cluster.releases", Value(static_cast<std::int64_t>(releases.size())));
  if (!hosts.empty()) put(&cluster, "cluster.hosts", Value(static_cast<std::int64_t>(hosts.size())));
  std::int64_t refused = 0;
  for (const CephConf& file : facts_.files)
    for (const ConfProblem& problem : file.problems)
      refused += problem.kind == ConfProblemKind::kRefused ? 1 : 0;
  put(&cluster, "cluster.refused_lines", Value(refused));
}

void World::add_hosts() {
  std::set<std::string> names;
  for (const auto& [name, host] : facts_.hosts) names.insert(name);
  for (const auto& [id, osd] : facts_.osds)
    if (osd.host) names.insert(*osd.host);
  if (names.empty()) names.insert("");
  for (const std::string& name : names) {
    Subject& host = subjects_.emplace_back();
    host.kind = SubjectKind::kHost;
    host.name = name.empty() ? "host" : "host " + name;
    host.group = host.name;
    host.parent = &subjects_.front();
    hosts_[name] = &host;
    if (const auto known = facts_.hosts.find(name); known != facts_.hosts.end()) {
      put_host_facts(known->second, &host);
      put_devices(known->second, &host);
    }
  }
}

void World::add_osds() {
  struct Sums {
    double osds = 0, flash = 0, memory = 0, threads = 0;
    bool memory_known = true, threads_known = true;
    std::map<std::string, int> per_drive;
  };
  std::map<std::string, Sums> sums;
  std::set<std::string> classes;
  for (const int id : osd_ids(facts_)) {
    const auto known = facts_.osds.find(id);
    const OsdFacts osd = known == facts_.osds.end() ? OsdFacts{} : known->second;
    const std::string host_name = osd.host && hosts_.contains(*osd.host) ? *osd.host
                                  : hosts_.size() == 1                   ? hosts_.begin()->first
                                                                         : "";
    Subject& subject = subjects_.emplace_back();
    subject.kind = SubjectKind::kOsd;
    subject.osd = id;
    subject.name = id < 0 ? "every OSD" : fmt::format("osd.{}", id);
    const auto host = hosts_.find(host_name);
    subject.parent = host == hosts_.end() ? &subjects_.front() : host->second;
    const auto device_class = class_of(osd);
    subject.group = (osd.host ? "host " + *osd.host : "") + (device_class ? " (" + *device_class + ")" : "");
    put(&subject, "osd.class", device_class);
    put(&subject, "osd.rotational", osd.rotational);
    put(&subject, "osd.dedicated_db", osd.dedicated_db);
    put(&subject, "osd.db_rotational", osd.db_rotational);
    put(&subject, "osd.objectstore", osd.objectstore);
    put(&subject, "osd.up", osd.up);
    put(&subject, "osd.pgs", osd.pgs);
    put(&subject, "osd.used_ratio", osd.used_ratio);
    for (const auto& [name, value] : osd.counters) put(&subject, "perf." + name, Value(value));
    if (device_class) put(&subject, "osd.flash", Value(*device_class != "hdd"));

    const auto number = [&](const std::string& name) -> std::optional<double> {
      const auto value = fact(subject, "opt." + name);
      return value ? as_number(*value) : std::nullopt;
    };
    const auto by_class = [&](const std::string& name) -> std::optional<double> {
      const auto plain = number(name);
      if (plain && *plain != 0) return plain;
      if (!device_class) return std::nullopt;
      return number(name + (*device_class == "hdd" ? "_hdd" : "_ssd"));
    };
    const auto shards = by_class("osd_op_num_shards");
    const auto per_shard = by_class("osd_op_num_threads_per_shard");
    const auto messenger = number("ms_async_op_threads");
    put(&subject, "osd.shards", shards);
    put(&subject, "osd.threads_per_shard", per_shard);
    if (shards && per_shard) put(&subject, "osd.workers", Value(*shards * *per_shard));
    std::optional<double> threads;
    if (shards && per_shard && messenger) threads = *shards * *per_shard + *messenger;
    put(&subject, "osd.threads", threads);

    if (id < 0 || !osd.host) continue;
    Sums& sum = sums[host_name];
    sum.osds += 1;
    sum.flash += is_flash(osd) ? 1 : 0;
    const auto memory = number("osd_memory_target");
    sum.memory += memory.value_or(0);
    sum.memory_known = sum.memory_known && memory.has_value();
    sum.threads += threads.value_or(0);
    sum.threads_known = sum.threads_known && threads.has_value();
    if (osd.drives && !osd.drives->empty() && is_flash(osd)) ++sum.per_drive[*osd.drives];
  }
  for (auto& [name, sum] : sums) {
    Subject* host = hosts_.at(name);
    put(host, "host.osds", Value(sum.osds));
    put(host, "host.flash_osds", Value(sum.flash));
    if (sum.memory_known) put(host, "host.memory_target_sum", Value(sum.memory));
    if (sum.threads_known) put(host, "host.osd_threads", Value(sum.threads));
    int most = 0;
    for (const auto& [drive, count] : sum.per_drive) most = std::max(most, count);
    if (most > 0) put(host, "host.osds_per_drive", Value(static_cast<std::int64_t>(most)));
    const auto memory = fact(*host, "host.memory_bytes");
    if (memory && sum.memory_known) put(host, "host.memory_share", Value(sum.memory / *as_number(*memory)));
    const auto cpus = fact(*host, "host.threads");
    if (cpus) put(host, "host.threads_per_osd", Value(*as_number(*cpus) / sum.osds));
    if (cpus && sum.threads_known)
      put(host, "host.osd_threads_per_cpu", Value(sum.threads / *as_number(*cpus)));
  }
}

void World::add_pools() {
  for (const PoolFacts& pool : facts_.pools) {
    Subject& subject = subjects_.emplace_back();
    subject.kind = SubjectKind::kPool;
    subject.name = "pool " + pool.name;
    subject.parent = &subjects_.front();
    put(&subject, "pool.name", Value(pool.name));
    put(&subject, "pool.size", pool.size);
    put(&subject, "pool.min_size", pool.min_size);
    put(&subject, "pool.pg_num", pool.pg_num);
    put(&subject, "pool.autoscale", pool.autoscale);
    put(&subject, "pool.erasure", pool.erasure);
    if (pool.pg_num && pool.size && !facts_.osds.empty())
      put(&subject, "pool.copies_per_osd",
          Value(*pool.pg_num * *pool.size / static_cast<double>(facts_.osds.size())));
  }
  if (facts_.pools.empty() && overlay_.lower_bound("pool.") != overlay_.end() &&
      overlay_.lower_bound("pool.")->first.starts_with("pool.")) {
    Subject& subject = subjects_.emplace_back();
    subject.kind = SubjectKind::kPool;
    subject.name = "pool example";
    subject.parent = &subjects_.front();
  }
}

void World::add_loads() {
  for (const LoadFacts& load : facts_.loads) {
    Subject& subject = subjects_.emplace_back();
    subject.kind = SubjectKind::kLoad;
    subject.name = "job " + load.name;
    subject.group = load.place.file;
    subject.place = load.place;
    subject.parent = &subjects_.front();
    for (const auto& [name, text] : load.options) put(&subject, "load." + name, Value(text));
    for (const char* name :
         {"iodepth", "numjobs", "direct", "gtod_reduce", "disable_lat", "rwmixread", "ran_s"}) {
      const auto found = load.options.find(name);
      if (found == load.options.end()) continue;
      char* end = nullptr;
      const double number = std::strtod(found->second.c_str(), &end);
      if (*end == '\0' && end != found->second.c_str())
        put(&subject, std::string("load.") + name, Value(number));
    }
    for (const char* name : {"runtime", "ramp_time"}) {
      const auto found = load.options.find(name);
      if (found == load.options.end()) continue;
      const bool unit =
          !found->second.empty() && std::isalpha(static_cast<unsigned char>(found->second.back()));
      try {
        put(&subject, std::string("load.") + name,
            Value(parse_duration_s(found->second + (unit ? "" : "s"), "")));
      } catch (const Error&) {
        subject.facts.erase(std::string("load.") + name);
      }
    }
    if (const auto bs = load.options.find("bs"); bs != load.options.end()) {
      try {
        put(&subject, "load.bs", Value(parse_size(bs->second, "")));
      } catch (const Error&) {
        subject.facts.erase("load.bs");
      }
    }
  }
}

}  // namespace osdtune
