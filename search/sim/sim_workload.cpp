// SPDX-License-Identifier: Apache-2.0
// The simulated response: closed loop, so that jobs x depth = IOPS x mean latency holds.
#include "search/sim/sim_workload.hpp"

#include <cmath>
#include <cstdlib>

#include "core/error.hpp"

namespace osdtune {

double SimWorkload::factor() const {
  double product = 1;
  for (const auto& effect : response_.effects) {
    const std::string& value = cluster_.running().at(effect.option);
    if (const auto it = effect.by_value.find(value); it != effect.by_value.end()) {
      product *= it->second;
    } else if (effect.by_value.empty()) {
      const double number = std::max(std::atof(value.c_str()), 1e-9);
      const double up = std::log2(std::min(number, effect.best) / effect.at);
      const double down = number > effect.best ? std::log2(number / effect.best) : 0;
      product *= std::pow(effect.per_doubling, up - down);
    }
  }
  return product;
}

Run SimWorkload::run(const WorkloadSpec& spec, const LoadTarget&, const RunLength& length,
                     std::stop_token stop) {
  const int number = runs_++;
  if (before_run) before_run(number);
  if (stop.stop_requested()) throw Error(ErrorKind::kInterrupted, "interrupted");
  const double in_flight = static_cast<double>(spec.iodepth) * spec.jobs * spec.images;
  const double depth_gain = in_flight / (in_flight + 8.0);
  const double iops = response_.iops * depth_gain * factor() * std::exp(response_.noise * random_.normal());
  const double mean_ms = 1e3 * in_flight / iops;
  Run run{.workload = spec.name,
          .iops = iops,
          .bandwidth = iops * static_cast<double>(spec.bs),
          .runtime_s = length.runtime_s,
          .mean_ms = mean_ms};
  run.p50_ms = 0.9 * mean_ms;
  run.p95_ms = 2.0 * mean_ms;
  run.p99_ms = 3.0 * mean_ms * std::exp(response_.noise * random_.normal());
  run.p999_ms = 5.0 * mean_ms;
  run.client_cpu = 0.2;
  return run;
}

}  // namespace osdtune
