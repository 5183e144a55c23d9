// SPDX-License-Identifier: Apache-2.0
// Load on a simulated cluster: the response is a formula over the running options, with noise of a seed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "core/value.hpp"
#include "knowledge/host_file.hpp"
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
  std::optional<HostFile> host;  ///< in place of `iops`: the model of these hosts, effects as processor time
  double noise = 0.03;           ///< standard deviation of log IOPS from run to run
  double drift = 0;              ///< of log IOPS per run
  double first_run = 0;          ///< of log IOPS, in the first run after OSDs have started
  double lost_runs = 0;          ///< probability that a run ends without a result
  double outliers = 0;           ///< probability that a neighbour takes half of a run
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
  double option(const char* name, double found) const;
  /// Without noise.
  struct Quiet {
    double iops, mean_us, p99_us;
    std::optional<double> osd_cores;
  };
  Quiet quiet(const WorkloadSpec& spec) const;
  SimCluster& cluster_;
  SimResponse response_;
  Random random_;
  int runs_ = 0;
  std::int64_t epoch_ = 0;
};

}  // namespace osdtune
