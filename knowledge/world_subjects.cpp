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

bool has_parameter(const HostFacts& host, std::string_view start) {
  return std::any_of(host.kernel_parameters.begin(), host.kernel_parameters.end(),
                     [&](const std::string& each) { return each.starts_with(start); });
}

void put_host_facts(const HostFacts& host, Subject* subject) {
  subject->facts.put("host.system", host.system);
  subject->facts.put("host.kernel", host.kernel);
  subject->facts.put("host.cpu_model", host.cpu_model);
  subject->facts.put("host.cpu_vendor", host.cpu_vendor);
  subject->facts.put("host.threads", host.threads);
  subject->facts.put("host.cores", host.cores);
  subject->facts.put("host.sockets", host.sockets);
  subject->facts.put("host.numa_nodes", host.numa_nodes);
  subject->facts.put("host.smt", host.smt);
  subject->facts.put("host.turbo", host.turbo);
  subject->facts.put("host.governor", host.governor);
  subject->facts.put("host.mhz_max", host.mhz_max);
  subject->facts.put("host.idle_driver", host.idle_driver);
  subject->facts.put("host.idle_latency_us", host.idle_latency_us);
  subject->facts.put("host.virtual_machine", host.virtual_machine);
  subject->facts.put("host.transparent_huge_pages", host.transparent_huge_pages);
  subject->facts.put("host.iommu", host.iommu);
  subject->facts.put("host.memory_bytes", host.memory_bytes);
  subject->facts.put("host.swap_bytes", host.swap_bytes);
  subject->facts.put("host.memory_limit_bytes", host.memory_limit_bytes);
  subject->facts.put("host.cpu_limit", host.cpu_limit);
  subject->facts.put("host.encrypted_devices", host.encrypted_devices);
  subject->facts.put("host.interrupts_per_s", host.interrupts_per_s);
  if (host.threads && host.interrupts_per_s)
    subject->facts.put("host.interrupts_per_thread", Value(*host.interrupts_per_s / *host.threads));
  if (!host.kernel_parameters.empty() || host.kernel)
    subject->facts.put("host.kernel_parameters",
                       Value(fmt::format("{}", fmt::join(host.kernel_parameters, " "))));
  if (!host.mitigations.empty())
    subject->facts.put("host.mitigations_off", Value(has_parameter(host, "mitigations=off")));
  if (host.kernel) {
    double version = 0;
    int major = 0, minor = 0;
    if (std::sscanf(host.kernel->c_str(), "%d.%d", &major, &minor) == 2) version = major + minor / 100.0;
    if (version > 0) subject->facts.put("host.kernel_version", Value(version));
  }
}

void put_devices(const HostFacts& host, Subject* subject) {
  std::optional<double> fastest;
  for (const NicFacts& nic : host.nics)
    if (nic.speed_mbit) fastest = std::max(fastest.value_or(0), *nic.speed_mbit);
  subject->facts.put("host.nic_mbit", fastest);
  std::int64_t flash = 0, nvme = 0;
  for (const DriveFacts& drive : host.drives) {
    if (drive.rotational == false) ++flash;
    if (drive.name.starts_with("nvme")) ++nvme;
  }
  if (host.drives.empty()) return;
  subject->facts.put("host.flash_drives", Value(flash));
  subject->facts.put("host.nvme_drives", Value(nvme));
}

/// The first release part of a version, for counting how many differ.
std::string short_release(const std::string& text) {
  try {
    return to_text(parse_release(text));
  } catch (const Error&) {
    return text;
  }
}

/// fio's text as a number where the option is one; nullopt where it should be and is not.
std::optional<Value> load_value(const std::string& name, const std::string& text) {
  constexpr std::array<std::string_view, 7> kNumbers = {"iodepth",     "numjobs",   "direct", "gtod_reduce",
                                                        "disable_lat", "rwmixread", "ran_s"};
  try {
    if (name == "bs") return Value(parse_size(text, name));
    if (name == "runtime" || name == "ramp_time") {
      const bool unit = !text.empty() && std::isalpha(static_cast<unsigned char>(text.back()));
      return Value(parse_duration_s(text + (unit ? "" : "s"), name));
    }
  } catch (const Error&) {
    return std::nullopt;
  }
  if (std::find(kNumbers.begin(), kNumbers.end(), name) == kNumbers.end()) return Value(text);
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  return *end == '\0' && end != text.c_str() ? std::optional<Value>(number) : std::nullopt;
}

}  // namespace

void World::add_cluster() {
  Subject& cluster = subjects_.emplace_back();
  cluster.name = "cluster";
  if (release_) cluster.facts.put("cluster.release", Value(to_text(*release_)));
  cluster.facts.put("cluster.health", facts_.health);
  cluster.facts.put("cluster.pgs_not_clean", facts_.misplaced_or_degraded);
  if (facts_.flags)
    cluster.facts.put("cluster.flags", Value(fmt::format("{}", fmt::join(*facts_.flags, ","))));
  if (!facts_.osds.empty())
    cluster.facts.put("cluster.osds", Value(static_cast<std::int64_t>(facts_.osds.size())));
  std::set<std::string> releases, hosts;
  for (const auto& [id, osd] : facts_.osds) {
    if (osd.release) releases.insert(short_release(*osd.release));
    if (osd.host) hosts.insert(*osd.host);
  }
  if (!releases.empty())
    cluster.facts.put("cluster.releases", Value(static_cast<std::int64_t>(releases.size())));
  if (!hosts.empty()) cluster.facts.put("cluster.hosts", Value(static_cast<std::int64_t>(hosts.size())));
  std::int64_t refused = 0;
  for (const CephConf& file : facts_.files)
    for (const ConfProblem& problem : file.problems)
      refused += problem.kind == ConfProblemKind::kRefused ? 1 : 0;
  cluster.facts.put("cluster.refused_lines", Value(refused));
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

void World::add_pools() {
  for (const PoolFacts& pool : facts_.pools) {
    Subject& subject = subjects_.emplace_back();
    subject.kind = SubjectKind::kPool;
    subject.name = "pool " + pool.name;
    subject.parent = &subjects_.front();
    subject.facts.put("pool.name", Value(pool.name));
    subject.facts.put("pool.size", pool.size);
    subject.facts.put("pool.min_size", pool.min_size);
    subject.facts.put("pool.pg_num", pool.pg_num);
    subject.facts.put("pool.autoscale", pool.autoscale);
    subject.facts.put("pool.erasure", pool.erasure);
    if (pool.pg_num && pool.size && !facts_.osds.empty())
      subject.facts.put("pool.copies_per_osd",
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
    for (const auto& [name, text] : load.options)
      if (const auto value = load_value(name, text))
        subject.facts.put(*names_.insert("load." + name).first, *value);
  }
}

}  // namespace osdtune
