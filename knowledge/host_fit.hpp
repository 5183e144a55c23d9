// SPDX-License-Identifier: Apache-2.0
// Calibrates the model of an OSD host to measurements, and says how far its predictions can be trusted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/stats.hpp"
#include "knowledge/host_model.hpp"

namespace osdtune {

/// One measured configuration. What was not measured is absent.
struct HostObservation {
  HostShape host;
  OsdShape osds;
  HostLoad load;
  std::optional<double> iops;
  std::optional<double> p99_us;
  std::optional<double> cores_used;  ///< by the OSDs of one host
  std::optional<double> kv_us;       ///< mean from queueing for kv_sync to the commit of a write
};

/// What is believed of one cost before any measurement: log-normal.
struct CostPrior {
  std::string name;
  double OsdCosts::*cost;
  double median = 0;
  double sd = 0;  ///< of the logarithm
};

/// The costs that calibration can move, with what is known of them beforehand.
const std::vector<CostPrior>& host_costs_prior();

/// The prior's medians.
OsdCosts typical_costs();

/// A cost after calibration.
struct FittedCost {
  std::string name;
  Interval value;             ///< 95 %
  bool told_by_data = false;  ///< the data narrowed the prior by half or more
};

struct HostFit {
  OsdCosts costs;
  std::vector<FittedCost> fitted;
  double iops_sd = 0;  ///< of the logarithm: noise and what the model does not see
  double p99_sd = 0;
  std::vector<HostObservation> observations;
  std::vector<double> covariance;  ///< of the logarithms of the costs, row by row
};

/// Maximum a posteriori by least squares on logarithms (Levenberg and Marquardt), normal approximation at the
/// maximum.
/// The same observations give the same fit in any order. Throws Error{kInput} without observations or for one
/// that is not positive and finite.
HostFit calibrate(const std::vector<HostObservation>& observations);

/// What is believed without any measurement: the prior. Its predictions have wide intervals.
HostFit uncalibrated();

/// A prediction of the calibrated model with 95 % intervals. They widen by the distance from what was
/// measured: `doublings` is the sum over cores per OSD, OSDs per device, threads, copies and customers of how
/// many times each would have to be doubled or halved to come back into the measured range.
struct HostOutlook {
  HostPrediction at;
  Interval iops, p99_us;
  double doublings = 0;
};
HostOutlook outlook(const HostFit& fit, const HostShape& host, const OsdShape& osds, const HostLoad& load);

}  // namespace osdtune
