// SPDX-License-Identifier: Apache-2.0
// How many hosts of a kind a demand needs, and what limits them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "knowledge/host_file.hpp"
#include "knowledge/host_fit.hpp"

namespace osdtune {

/// What is asked of a cluster.
struct Demand {
  double iops = 0;
  std::optional<double> p99_us;
  double read_share = 0;
  double block_kib = 4;
};

/// The smallest cluster of one layout that meets the demand.
struct Sizing {
  double osds_per_device = 1;
  std::optional<double> hosts;       ///< expected to do; none: not with a thousand
  std::optional<double> hosts_sure;  ///< 95 % interval included
  double customers = 0;              ///< operations in flight that the clients must keep up
  HostOutlook outlook;               ///< of `hosts` under that load
};

struct SizeAnswer {
  Demand demand;
  HostFile host;
  bool calibrated = false;
  std::vector<Sizing> sizings;  ///< one and two OSDs per drive, and what the host file says
};

/// Never fewer hosts than copies. Under the demand, clients are taken to keep as much in flight as it needs
/// and no more. Throws Error{kInput} for a demand that is not above zero.
SizeAnswer size(const Demand& demand, const HostFile& host, const HostFit& fit);

std::string to_text(const SizeAnswer& answer);
Json to_json(const SizeAnswer& answer);

}  // namespace osdtune
