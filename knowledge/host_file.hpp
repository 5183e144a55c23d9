// SPDX-License-Identifier: Apache-2.0
// A kind of host written down for questions about it: hardware, how its OSDs are laid out, and prices.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/json_file.hpp"
#include "knowledge/host_model.hpp"

namespace osdtune {

struct HostFile {
  std::string name;
  HostShape shape;
  OsdShape osds;
  double memory_gib = 0;
  double device_tb = 0;  ///< of one drive, 10^12 bytes
  std::optional<double> host_price, device_price;
  std::string currency = "EUR";
};

/// {"name", "hosts", "cores" (hardware threads), "clock_ghz", "memory_gib", "network_gbit", "idle_exit_us",
///  "devices", "device": {"tb", "read_us", "write_us", "slots", "mb_s"},
///  "osds": {"osds_per_device", "shards", "threads_per_shard", "messenger_threads", "pgs_per_osd",
///  "replicas"}, "price": {"host", "device", "currency"}}
/// Needed: name, cores, memory_gib, devices, device.tb. Throws Error{kInput} for anything else or not above
/// 0.
HostFile host_from_json(const Json& json, const std::string& where);
HostFile load_host(const std::filesystem::path& path);

}  // namespace osdtune
