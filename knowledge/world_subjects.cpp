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
    for (const auto& [name, text] : load.options)
      if (const auto value = load_value(name, text)) put(&subject, "load." + name, *value);
  }
}

}  // namespace osdtune
