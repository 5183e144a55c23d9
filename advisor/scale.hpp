// SPDX-License-Identifier: Apache-2.0
// A recommendation for other hosts than the measured ones: more cores, other drives, more memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "advisor/recommend.hpp"
#include "knowledge/host_file.hpp"
#include "knowledge/host_fit.hpp"
#include "search/study.hpp"

namespace osdtune {

/// The hosts that the answer is for.
struct ScaleWish {
  double cores = 0;               ///< hardware threads of one OSD host
  std::optional<double> devices;  ///< drives of one host; absent: as measured
  std::optional<double> memory_bytes;
  std::optional<double> measured_cores;  ///< of studies that do not know theirs
};

/// A configuration on the hosts asked for.
struct ScaledConfig {
  std::string origin;  ///< "as found", "recommended where measured", "trade-off", "host model"
  Config config;
  Interval iops;                   ///< of the workload whose throughput the goal maximises
  std::optional<Interval> p99_ms;  ///< of the workload whose p99 the goal minimises
  std::string bottleneck;
  double osds = 0;     ///< of one host
  double threads = 0;  ///< worker, messenger and kv threads of all of them
  double cores_used = 0;
  double utility = 0;
  double doublings = 0;  ///< distance from what was measured, see outlook()
};

struct ScaleAnswer {
  double cores = 0;
  double cores_low = 0, cores_high = 0;  ///< measured
  HostShape host;                        ///< asked for
  HostFit fit;
  std::vector<ScaledConfig> configs;  ///< as found first, then by falling utility
  std::vector<std::string> cautions;
  bool inside() const { return cores_low <= cores && cores <= cores_high; }
};

/// The host model, calibrated on all `studies`, times what the response model of the first one learned beyond
/// it: iops(config, N) = response(config) x model(config, N) / model(config, measured). Its interval holds
/// the response model's, the calibration's, and the distance. Throws Error{kInput} if the studies differ in
/// release or device class, or cannot calibrate the model.
ScaleAnswer scale(const std::vector<Study>& studies, const RecommendWish& wish, const ScaleWish& hosts);

std::string to_text(const ScaleAnswer& answer, const Study& study);
Json to_json(const ScaleAnswer& answer);

/// The calibrated costs, and what the data told of them.
std::string to_text(const HostFit& fit);

/// How the host model explains a study; `verbose` adds what limits each trial, with its residual. Says why
/// where the study does not know enough.
std::string host_model_text(const Study& study, bool verbose);

/// A workload of a study on other hosts, with their own OSD layout and settings.
struct WhatIf {
  std::string workload;
  HostOutlook outlook;
};

/// Every workload of the study on `host`, by the host model alone. Throws Error{kInput} where the study
/// cannot calibrate it.
std::vector<WhatIf> what_if(const Study& study, const HostFile& host);
std::string to_text(const std::vector<WhatIf>& answers, const HostFile& host);
Json to_json(const std::vector<WhatIf>& answers);

}  // namespace osdtune
