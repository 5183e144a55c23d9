// SPDX-License-Identifier: Apache-2.0
// Space and memory: in a RAM folder the data counts against memory too.
#include "search/cluster/lab_place.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sched.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "core/error.hpp"
#include "core/process.hpp"
#include "core/units.hpp"

namespace osdtune {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kGiB = std::int64_t{1} << 30;
constexpr std::int64_t kLogBytes = kGiB;     ///< logs, monitor store
constexpr std::int64_t kOsdMemory = kGiB;    ///< least per OSD: osd_memory_target may not go below 896 MiB
constexpr std::int64_t kOtherMemory = kGiB;  ///< monitor, manager and the load generator
constexpr std::int64_t kUsualMemoryTarget = 4 * kGiB;  ///< default of osd_memory_target
constexpr std::size_t kLongestPath = 80;               ///< a socket path below it must stay under 108 bytes

/// The nearest folder above that is there.
fs::path existing_part(fs::path path) {
  while (!path.empty() && path.has_relative_path() && !fs::exists(path)) path = path.parent_path();
  return path;
}

bool in_memory(const fs::path& directory) {
  struct statfs info {};
  return ::statfs(existing_part(directory).c_str(), &info) == 0 && info.f_type == TMPFS_MAGIC;
}

std::int64_t free_space(const fs::path& directory) {
  return static_cast<std::int64_t>(fs::space(existing_part(directory)).available);
}

std::int64_t available_memory() {
  std::ifstream in("/proc/meminfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("MemAvailable:")) return std::stoll(line.substr(13)) * 1024;
  throw Error(ErrorKind::kCluster, "/proc/meminfo has no MemAvailable");
}

std::int64_t needed_space(const LabOptions& options) {
  return options.devices * options.device_bytes + kLogBytes;
}

std::int64_t needed_memory(const LabOptions& options) {
  const std::int64_t daemons = options.devices * options.osds_per_device * kOsdMemory + kOtherMemory;
  return daemons + (in_memory(options.directory) ? needed_space(options) : 0);
}

bool fits(const LabOptions& options) {
  return free_space(options.directory) >= needed_space(options) &&
         available_memory() >= needed_memory(options);
}

/// BlueStore opens its device with O_DIRECT, which tmpfs knows since Linux 6.6 only.
bool allows_direct_io(const fs::path& folder) {
  std::string name = (existing_part(folder) / "osdtune-XXXXXX").string();
  const int fd = ::mkostemp(name.data(), O_DIRECT | O_CLOEXEC);
  if (fd < 0) {
    ::unlink(name.c_str());  // the file is made before the flag is refused
    return false;
  }
  ::close(fd);
  return ::unlink(name.c_str()) == 0;
}

/// 4 GiB, halved until it fits or is too small for its OSDs.
std::int64_t fitting_size(LabOptions options) {
  options.device_bytes = 4 * kGiB;
  const std::int64_t least = options.osds_per_device * kLeastOsdBytes;
  while (!fits(options) && options.device_bytes / 2 >= least) options.device_bytes /= 2;
  return std::max(options.device_bytes, least);
}

void check_counts(const LabOptions& options) {
  const auto refuse = [](const std::string& message) { throw Error(ErrorKind::kUsage, message); };
  if (options.devices < 1) refuse("--devices must be at least 1");
  if (options.osds_per_device < 1) refuse("--osds-per-device must be at least 1");
  if (options.replicas < 1) refuse("--replicas must be at least 1");
  if (const int osds = options.devices * options.osds_per_device; options.replicas > osds)
    refuse(fmt::format("--replicas {} needs that many OSDs, and there would be {}", options.replicas, osds));
  if (options.device_bytes != 0 && options.device_bytes / options.osds_per_device < kLeastOsdBytes)
    refuse(fmt::format("--size {} leaves less than {} for each of {} OSDs", format_size(options.device_bytes),
                       format_size(kLeastOsdBytes), options.osds_per_device));
}

void check_cpus(const std::string& cpus) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  ::sched_getaffinity(0, sizeof allowed, &allowed);
  std::istringstream parts(cpus);
  for (std::string part; std::getline(parts, part, ',');) {
    int first = -1, last = -1;
    char dash = 0, rest = 0;
    std::istringstream in(part);
    in >> first;
    last = first;
    if (in >> dash && (dash != '-' || !(in >> last) || in >> rest)) first = -1;
    if (first < 0 || last < first)
      throw Error(ErrorKind::kUsage, fmt::format("--cpus {}: not a list like 0-1,4", cpus));
    for (int cpu = first; cpu <= last; ++cpu)
      if (cpu >= CPU_SETSIZE || !CPU_ISSET(cpu, &allowed))
        throw Error(ErrorKind::kUsage, fmt::format("--cpus {}: this process may not use CPU {}", cpus, cpu));
  }
}

void check_path(const fs::path& directory) {
  const std::string path = directory.string();
  if (path.size() > kLongestPath)
    throw Error(ErrorKind::kUsage,
                fmt::format("--dir {}: longer than {} characters, too long for the daemons' sockets", path,
                            kLongestPath));
  if (path.find_first_of(" \t\n#;\"'\\[]$,") != std::string::npos)
    throw Error(ErrorKind::kUsage,
                fmt::format("--dir {}: ceph.conf cannot hold blanks or quotes in paths", path));
}

void check_programs() {
  for (const char* program : {"ceph-mon", "ceph-mgr", "ceph-osd"})
    if (find_program(program).empty())
      throw Error(ErrorKind::kCluster, fmt::format("the program '{}' is not installed", program),
                  "apt-get install ceph-mon ceph-mgr ceph-osd");
}

void check_room(const LabOptions& options) {
  if (const std::int64_t have = free_space(options.directory); have < needed_space(options))
    throw Error(
        ErrorKind::kCluster,
        fmt::format("{} has {} free; {} devices of {} and their logs need {}", options.directory.string(),
                    format_size(double(have)), options.devices, format_size(double(options.device_bytes)),
                    format_size(double(needed_space(options)))),
        "give a smaller --size, or a --dir on a larger disk");
  if (const std::int64_t have = available_memory(); have < needed_memory(options))
    throw Error(ErrorKind::kCluster,
                fmt::format("this host has {} of memory available; {} OSDs{} need {}",
                            format_size(double(have)), options.devices * options.osds_per_device,
                            in_memory(options.directory) ? " and their data in memory" : "",
                            format_size(double(needed_memory(options)))),
                "give fewer --devices, a smaller --size, or a --dir on a disk");
}

}  // namespace

std::vector<fs::path> lab_base_folders() {
  const std::string name = fmt::format("osdtune-{}", ::geteuid());
  return {fs::path("/dev/shm") / name, fs::path("/var/tmp") / name};
}

fs::path default_lab_directory() {
  const auto bases = lab_base_folders();
  LabOptions small;
  small.directory = bases[0] / "lab";
  small.device_bytes = 2 * kGiB;
  if (fs::exists(small.directory / "lab.json")) return small.directory;
  if (fs::exists(bases[1] / "lab" / "lab.json")) return bases[1] / "lab";
  const bool usable = in_memory(small.directory) && allows_direct_io(bases[0]) && fits(small);
  return (usable ? bases[0] : bases[1]) / "lab";
}

LabOptions complete_lab_options(LabOptions options) {
  check_counts(options);
  check_cpus(options.cpus);
  if (options.directory.empty()) options.directory = default_lab_directory();
  options.directory = fs::absolute(options.directory).lexically_normal();
  if (!options.directory.has_filename()) options.directory = options.directory.parent_path();
  check_path(options.directory);
  check_programs();
  if (options.device_bytes == 0) options.device_bytes = fitting_size(options);
  check_room(options);
  return options;
}

std::int64_t lab_memory_target(const fs::path& directory, std::int64_t data_bytes, int osds) {
  const std::int64_t left =
      available_memory() - kOtherMemory - (in_memory(directory) ? data_bytes + kLogBytes : 0);
  const std::int64_t share = std::max(left / osds, kOsdMemory);
  return share >= kUsualMemoryTarget ? 0 : share;
}

}  // namespace osdtune
