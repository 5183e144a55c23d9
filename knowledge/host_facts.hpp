// SPDX-License-Identifier: Apache-2.0
// What is known of one host: processors, power saving, memory, kernel, network and drives. Absent means
// unknown.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/json_file.hpp"

namespace osdtune {

/// One network interface that is up.
struct NicFacts {
  std::string name;
  std::optional<double> speed_mbit;
  std::optional<double> mtu;
  bool operator==(const NicFacts&) const = default;
};

/// One block device that is not a partition, loop, RAM or mapped device.
struct DriveFacts {
  std::string name;
  std::optional<std::string> model;
  std::optional<double> bytes;
  std::optional<bool> rotational;
  std::optional<std::string> write_cache;  ///< "write back" or "write through", as the kernel treats it
  bool operator==(const DriveFacts&) const = default;
};

/// One host.
struct HostFacts {
  std::optional<std::string> name;
  std::optional<std::string> system;  ///< distribution and version
  std::optional<std::string> kernel;  ///< "6.1.0-18-amd64"
  std::optional<std::string> cpu_model;
  std::optional<std::string> cpu_vendor;  ///< "GenuineIntel", "AuthenticAMD"
  std::optional<double> threads;          ///< hardware threads this process may run on
  std::optional<double> cores;            ///< physical cores behind them
  std::optional<double> threads_online;   ///< hardware threads of the host
  std::optional<double> sockets;
  std::optional<double> numa_nodes;
  std::optional<bool> smt;  ///< two threads of one core are in use
  std::optional<bool> turbo;
  std::optional<std::string> governor;  ///< of all cores, or "mixed"
  std::optional<std::string> frequency_driver;
  std::optional<double> mhz_min, mhz_max;  ///< range the governor may use
  std::optional<std::string> idle_driver;  ///< "intel_idle", "acpi_idle", "none"
  std::optional<double> idle_latency_us;   ///< wake-up time of the deepest sleep state in use
  std::optional<bool> virtual_machine;
  std::optional<std::string> transparent_huge_pages;  ///< always, madvise, never
  std::optional<bool> iommu;  ///< device memory accesses are translated (not passed through)
  std::optional<double> memory_bytes;
  std::optional<double> swap_bytes;          ///< in use
  std::optional<double> memory_limit_bytes;  ///< of the container this runs in
  std::optional<double> cpu_limit;           ///< of the container, in cores
  std::optional<double> encrypted_devices;   ///< device-mapper devices that are encrypted (LUKS)
  std::optional<double> interrupts_per_s;    ///< only where it was sampled
  std::vector<std::string>
      kernel_parameters;  ///< those that matter to power, isolation, memory and mitigations
  std::map<std::string, std::string> mitigations;  ///< CPU flaw: what the kernel does about it
  std::vector<NicFacts> nics;
  std::vector<DriveFacts> drives;
  bool operator==(const HostFacts&) const = default;
};

/// Reads /proc and /sys below `root`. Never throws for what cannot be read: that stays unknown.
HostFacts collect_host_facts(const std::filesystem::path& root = "/");

/// "0-3,8", as the kernel and taskset write CPUs, as a list of numbers; up to the first part that is none.
std::vector<int> cpu_list(const std::string& text);

/// CPUs that a process here may use at once: hardware threads, less where a container is limited.
std::optional<double> usable_cores(const HostFacts& facts);

/// Interrupts the host has served since it started (/proc/stat); two of them and a clock give a rate.
std::optional<double> interrupt_count(const std::filesystem::path& root = "/");

/// Known fields only.
Json to_json(const HostFacts& facts);

/// Throws Error{kInput} for unknown fields and wrong types.
HostFacts host_facts_from_json(const Json& json, const std::string& where);

}  // namespace osdtune
