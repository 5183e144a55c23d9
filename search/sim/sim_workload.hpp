// SPDX-License-Identifier: Apache-2.0
// Load on a simulated cluster: the response is a formula over the running options, with noise of a seed.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "core/value.hpp"
#include "search/sim/sim_cluster.hpp"
#include "search/workload/workload.hpp"

namespace osdtune {

/// How one option moves throughput: multiplied by factor^log2(value / at) for numbers, by the factor of a
/// value for words.
struct SimEffect {
  std::string option;
  double at = 1;            ///< numeric options: where the factor is 1
  double per_doubling = 1;  ///< numeric options: factor of each doubling up to `best`, its inverse beyond
  double best = 1e9;
  std::map<std::string, double> by_value;  ///< other options
};

struct SimResponse {
  double iops = 2000;
  double noise = 0.03;  ///< standard deviation of log IOPS from run to run
  std::uint64_t seed = 1;
  std::vector<SimEffect> effects;
};

class SimWorkload : public Workload {
 public:
  SimWorkload(SimCluster& cluster, SimResponse response)
      : cluster_(cluster), response_(std::move(response)), random_(response_.seed) {}
  void check() override {}
  Run run(const WorkloadSpec& spec, const LoadTarget& target, const RunLength& length,
          std::stop_token stop) override;
  /// Called before each run with its number; may throw or change the cluster to play a fault.
  std::function<void(int)> before_run;

 private:
  double factor() const;
  SimCluster& cluster_;
  SimResponse response_;
  Random random_;
  int runs_ = 0;
};

}  // namespace osdtune
