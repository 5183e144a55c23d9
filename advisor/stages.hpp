// SPDX-License-Identifier: Apache-2.0
// Where the time of an operation went in a trial, as the calibrated host model tells it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "knowledge/host_fit.hpp"
#include "search/study.hpp"

namespace osdtune {

/// One workload of a trial.
struct StageReport {
  std::string workload;
  double customers = 0;                       ///< operations in flight
  double iops = 0;                            ///< measured
  double mean_us = 0;                         ///< measured: operations in flight over IOPS
  std::optional<double> osd_cores;            ///< measured, used by the OSDs of a host
  HostPrediction told;                        ///< by the model
  std::map<std::string, double> measured_us;  ///< inside the OSDs, by their counters
  double elsewhere_us = 0;  ///< of the model's mean: client, network round trip, waiting for the commit
};

struct Stages {
  int trial = 0;
  Config changes;      ///< against the configuration as found
  double iops_sd = 0;  ///< of the model on this study, logarithm
  std::vector<StageReport> workloads;
};

/// Of `trial`, or of the configuration as found. Throws Error{kInput} if the study has no such finished
/// trial, or does not know its hosts.
Stages stages(const Study& study, std::optional<int> trial);

std::string to_text(const Stages& stages);
Json to_json(const Stages& stages);

}  // namespace osdtune
