// SPDX-License-Identifier: Apache-2.0
// Reads what the kernel tells about this host from /proc and /sys.
#include "knowledge/host_facts.hpp"

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <set>
#include <sstream>

namespace osdtune {
namespace {

namespace fs = std::filesystem;

std::string trimmed(std::string text) {
  const auto first = text.find_first_not_of(" \t\n");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

std::optional<std::string> read_text(const fs::path& path) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  std::stringstream text;
  text << file.rdbuf();
  const std::string content = trimmed(text.str());
  if (content.empty()) return std::nullopt;
  return content;
}

std::optional<double> to_number(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str()) return std::nullopt;
  return number;
}

std::optional<double> read_number(const fs::path& path) {
  const std::optional<std::string> text = read_text(path);
  return text ? to_number(*text) : std::nullopt;
}

std::vector<std::string> lines_of(const fs::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

/// The value of the first "key : value" or "key=value" line.
std::optional<std::string> value_of(const std::vector<std::string>& lines, const std::string& key,
                                    char separator) {
  for (const std::string& line : lines) {
    const auto at = line.find(separator);
    if (at != std::string::npos && trimmed(line.substr(0, at)) == key) return trimmed(line.substr(at + 1));
  }
  return std::nullopt;
}

/// CPUs this process may run on; all that are online where another root is read.
std::vector<int> usable_cpus(const fs::path& root, const std::vector<int>& online) {
  if (root != "/") return online;
  std::array<cpu_set_t, 16> sets;  // room for 16,384 CPUs
  if (::sched_getaffinity(0, sizeof(sets), sets.data()) != 0) return online;
  std::vector<int> cpus;
  for (const int cpu : online)
    if (CPU_ISSET_S(static_cast<std::size_t>(cpu), sizeof(sets), sets.data())) cpus.push_back(cpu);
  return cpus;
}

fs::path cpu_path(const fs::path& root, int cpu) {
  return root / "sys/devices/system/cpu" / ("cpu" + std::to_string(cpu));
}

void read_topology(const fs::path& root, HostFacts* facts) {
  const std::optional<std::string> online = read_text(root / "sys/devices/system/cpu/online");
  if (!online) return;
  const std::vector<int> all = cpu_list(*online);
  const std::vector<int> usable = usable_cpus(root, all);
  facts->threads_online = static_cast<double>(all.size());
  facts->threads = static_cast<double>(usable.size());
  std::set<std::string> cores, sockets;
  for (const int cpu : usable) {
    const fs::path topology = cpu_path(root, cpu) / "topology";
    const std::optional<std::string> siblings = read_text(topology / "thread_siblings_list");
    if (!siblings) return;
    cores.insert(*siblings);
    if (const auto socket = read_text(topology / "physical_package_id")) sockets.insert(*socket);
    if (cpu_list(*siblings).size() > 1) facts->smt = true;
  }
  facts->cores = static_cast<double>(cores.size());
  facts->smt = facts->smt.value_or(false);
  if (!sockets.empty()) facts->sockets = static_cast<double>(sockets.size());
}

void read_frequency(const fs::path& root, int cpus, HostFacts* facts) {
  const fs::path system = root / "sys/devices/system/cpu";
  for (int cpu = 0; cpu < cpus; ++cpu) {
    const std::optional<std::string> governor = read_text(cpu_path(root, cpu) / "cpufreq/scaling_governor");
    if (!governor) continue;
    facts->governor = facts->governor.value_or(*governor) == *governor ? *governor : "mixed";
    if (facts->governor == "mixed") break;
  }
  const fs::path first = cpu_path(root, 0) / "cpufreq";
  facts->frequency_driver = read_text(first / "scaling_driver");
  if (const auto khz = read_number(first / "scaling_min_freq")) facts->mhz_min = *khz / 1000;
  if (const auto khz = read_number(first / "scaling_max_freq")) facts->mhz_max = *khz / 1000;
  if (const auto off = read_number(system / "intel_pstate/no_turbo"))
    facts->turbo = *off == 0;
  else if (const auto boost = read_number(system / "cpufreq/boost"))
    facts->turbo = *boost != 0;
}

void read_idle(const fs::path& root, HostFacts* facts) {
  facts->idle_driver = read_text(root / "sys/devices/system/cpu/cpuidle/current_driver");
  const fs::path states = cpu_path(root, 0) / "cpuidle";
  for (int state = 0; fs::exists(states / ("state" + std::to_string(state))); ++state) {
    const fs::path path = states / ("state" + std::to_string(state));
    if (read_number(path / "disable").value_or(0) != 0) continue;
    if (const auto latency = read_number(path / "latency"))
      facts->idle_latency_us = std::max(facts->idle_latency_us.value_or(0), *latency);
  }
}

constexpr std::array<std::string_view, 14> kParameters = {"mitigations",
                                                          "processor.max_cstate",
                                                          "intel_idle.max_cstate",
                                                          "idle",
                                                          "iommu",
                                                          "intel_iommu",
                                                          "amd_iommu",
                                                          "isolcpus",
                                                          "nohz_full",
                                                          "transparent_hugepage",
                                                          "nosmt",
                                                          "intel_pstate",
                                                          "amd_pstate",
                                                          "cpuidle.off"};

void read_kernel(const fs::path& root, HostFacts* facts) {
  facts->kernel = read_text(root / "proc/sys/kernel/osrelease");
  std::stringstream words(read_text(root / "proc/cmdline").value_or(""));
  for (std::string word; words >> word;)
    if (std::find(kParameters.begin(), kParameters.end(), word.substr(0, word.find('='))) !=
        kParameters.end())
      facts->kernel_parameters.push_back(word);
  const std::optional<std::string> pages = read_text(root / "sys/kernel/mm/transparent_hugepage/enabled");
  if (!pages) return;
  const auto open = pages->find('[');
  const auto close = pages->find(']');
  if (open != std::string::npos && close != std::string::npos)
    facts->transparent_huge_pages = pages->substr(open + 1, close - open - 1);
}

void read_mitigations(const fs::path& root, HostFacts* facts) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root / "sys/devices/system/cpu/vulnerabilities", error))
    if (const auto text = read_text(entry.path())) facts->mitigations[entry.path().filename()] = *text;
}

/// A group of type DMA or DMA-FQ translates every access; "identity" passes through.
void read_iommu(const fs::path& root, HostFacts* facts) {
  std::error_code error;
  const fs::path groups = root / "sys/kernel/iommu_groups";
  if (!fs::is_directory(groups, error)) return;
  facts->iommu = false;
  for (const auto& entry : fs::directory_iterator(groups, error)) {
    const std::optional<std::string> type = read_text(entry.path() / "type");
    if (type && type->starts_with("DMA")) facts->iommu = true;
  }
}

void read_memory(const fs::path& root, HostFacts* facts) {
  const std::vector<std::string> lines = lines_of(root / "proc/meminfo");
  const auto bytes = [&](const std::string& key) -> std::optional<double> {
    const std::optional<std::string> text = value_of(lines, key, ':');
    const std::optional<double> kib = text ? to_number(*text) : std::nullopt;
    if (!kib) return std::nullopt;
    return *kib * 1024;
  };
  facts->memory_bytes = bytes("MemTotal");
  const auto total = bytes("SwapTotal");
  const auto free = bytes("SwapFree");
  if (total && free) facts->swap_bytes = *total - *free;
}

/// The cgroup (version 2) this process is in. "max" is no limit and stays unknown.
void read_limits(const fs::path& root, HostFacts* facts) {
  std::string group;
  for (const std::string& line : lines_of(root / "proc/self/cgroup"))
    if (line.starts_with("0::/")) group = line.substr(4);
  const fs::path path = root / "sys/fs/cgroup" / group;
  facts->memory_limit_bytes = read_number(path / "memory.max");
  std::stringstream quota(read_text(path / "cpu.max").value_or(""));
  double used = 0, period = 0;
  if (quota >> used >> period && period > 0) facts->cpu_limit = used / period;
}

void read_nics(const fs::path& root, HostFacts* facts) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root / "sys/class/net", error)) {
    const std::string name = entry.path().filename();
    if (name == "lo" || read_text(entry.path() / "operstate") != "up") continue;
    NicFacts nic{.name = name,
                 .speed_mbit = read_number(entry.path() / "speed"),
                 .mtu = read_number(entry.path() / "mtu")};
    if (nic.speed_mbit && *nic.speed_mbit <= 0) nic.speed_mbit.reset();
    facts->nics.push_back(nic);
  }
  std::sort(facts->nics.begin(), facts->nics.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
}

void read_drives(const fs::path& root, HostFacts* facts) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root / "sys/block", error)) {
    const std::string name = entry.path().filename();
    if (std::any_of(name.begin(), name.end(), [](char c) { return c == '!'; })) continue;
    bool skipped = false;
    for (const char* prefix : {"loop", "ram", "zram", "dm-", "md", "sr", "nbd", "rbd", "fd"})
      skipped = skipped || name.starts_with(prefix);
    const std::optional<double> sectors = read_number(entry.path() / "size");
    if (skipped || !sectors || *sectors == 0) continue;
    DriveFacts drive{
        .name = name, .model = read_text(entry.path() / "device/model"), .bytes = *sectors * 512};
    if (const auto rotational = read_number(entry.path() / "queue/rotational"))
      drive.rotational = *rotational != 0;
    drive.write_cache = read_text(entry.path() / "queue/write_cache");
    facts->drives.push_back(drive);
  }
  std::sort(facts->drives.begin(), facts->drives.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
}

/// Encrypted devices say so in the identifier that cryptsetup gives them.
void read_encryption(const fs::path& root, HostFacts* facts) {
  std::error_code error;
  const fs::directory_iterator devices(root / "sys/block", error);
  if (error) return;
  double encrypted = 0;
  for (const auto& entry : devices)
    if (const auto uuid = read_text(entry.path() / "dm/uuid"); uuid && uuid->starts_with("CRYPT-"))
      ++encrypted;
  facts->encrypted_devices = encrypted;
}

std::optional<double> count_nodes(const fs::path& root) {
  const std::optional<std::string> nodes = read_text(root / "sys/devices/system/node/online");
  if (!nodes) return std::nullopt;
  return static_cast<double>(cpu_list(*nodes).size());
}

std::optional<std::string> system_name(const fs::path& root) {
  std::optional<std::string> name = value_of(lines_of(root / "etc/os-release"), "PRETTY_NAME", '=');
  if (name && name->size() > 1 && name->front() == '"') name = name->substr(1, name->size() - 2);
  return name;
}

}  // namespace

std::vector<int> cpu_list(const std::string& text) {
  std::vector<int> cpus;
  std::stringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const auto dash = part.find('-');
    const std::optional<double> low = to_number(part);
    const std::optional<double> high = dash == std::string::npos ? low : to_number(part.substr(dash + 1));
    if (!low || !high || *high > 1e5) return cpus;
    for (int cpu = static_cast<int>(*low); cpu <= static_cast<int>(*high); ++cpu) cpus.push_back(cpu);
  }
  return cpus;
}

HostFacts collect_host_facts(const fs::path& root) {
  HostFacts facts;
  facts.name = read_text(root / "proc/sys/kernel/hostname");
  facts.system = system_name(root);
  const std::vector<std::string> cpuinfo = lines_of(root / "proc/cpuinfo");
  facts.cpu_model = value_of(cpuinfo, "model name", ':');
  facts.cpu_vendor = value_of(cpuinfo, "vendor_id", ':');
  if (const auto flags = value_of(cpuinfo, "flags", ':'))
    facts.virtual_machine = (" " + *flags + " ").find(" hypervisor ") != std::string::npos;
  read_topology(root, &facts);
  facts.numa_nodes = count_nodes(root);
  read_frequency(root, static_cast<int>(facts.threads_online.value_or(1)), &facts);
  read_idle(root, &facts);
  read_kernel(root, &facts);
  read_mitigations(root, &facts);
  read_iommu(root, &facts);
  read_memory(root, &facts);
  read_limits(root, &facts);
  read_nics(root, &facts);
  read_drives(root, &facts);
  read_encryption(root, &facts);
  return facts;
}

std::optional<double> usable_cores(const HostFacts& facts) {
  if (!facts.threads || !facts.cpu_limit) return facts.threads ? facts.threads : facts.cpu_limit;
  return std::min(*facts.threads, *facts.cpu_limit);
}

std::optional<double> interrupt_count(const fs::path& root) {
  for (const std::string& line : lines_of(root / "proc/stat"))
    if (line.starts_with("intr ")) return to_number(line.substr(5));
  return std::nullopt;
}

}  // namespace osdtune
