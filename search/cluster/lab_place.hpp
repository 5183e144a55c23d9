// SPDX-License-Identifier: Apache-2.0
// Where a lab lies, and whether the host has the space and memory for it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace osdtune {

/// What a lab is asked to be.
struct LabOptions {
  std::filesystem::path directory = {};  ///< empty: default_lab_directory()
  int devices = 2;                       ///< at least 1
  int osds_per_device = 1;
  std::int64_t device_bytes = 0;  ///< 0: 4 GiB, or less if that does not fit
  /// One copy: on one host every further copy only multiplies the work per client operation, and the number
  /// of copies is never a searched setting. Two or more add the path of replicated operations.
  int replicas = 1;
  std::string cpus = {};  ///< CPUs for the OSDs, "0-1,4"; empty: all
};

/// A folder for this user's lab: in /dev/shm if a small lab fits there and files can be opened with O_DIRECT
/// as BlueStore does, else in /var/tmp.
std::filesystem::path default_lab_directory();

/// The folders whose subfolders are this user's labs.
std::vector<std::filesystem::path> lab_base_folders();

/// Fills in what is left to us, and checks the rest: counts, sizes, CPUs, length of the path, installed
/// programs, free space and memory. Throws Error{kUsage} or Error{kCluster}, with the numbers.
LabOptions complete_lab_options(LabOptions options);

/// osd_memory_target for that many OSDs beside the data, or 0 if the default of 4 GiB fits.
std::int64_t lab_memory_target(const std::filesystem::path& directory, std::int64_t data_bytes, int osds);

/// The smallest share of a device that an OSD can work with.
constexpr std::int64_t kLeastOsdBytes = std::int64_t{1} << 30;

}  // namespace osdtune
