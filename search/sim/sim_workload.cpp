// SPDX-License-Identifier: Apache-2.0
// The simulated response: closed loop, so that jobs x depth = IOPS x mean latency holds.
#include "search/sim/sim_workload.hpp"

#include <cmath>
#include <cstdlib>
#include <utility>

#include "core/error.hpp"
#include "knowledge/host_fit.hpp"
#include "search/workload/host_load.hpp"

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

double SimWorkload::option(const char* name, double found) const {
  const auto it = cluster_.running().find(name);
  const double value = it == cluster_.running().end() ? 0 : std::atof(it->second.c_str());
  return value > 0 ? value : found;
}

SimWorkload::Quiet SimWorkload::quiet(const WorkloadSpec& spec) const {
  const double in_flight = static_cast<double>(spec.iodepth) * spec.jobs * spec.images;
  if (!response_.host) {
    const double iops = response_.iops * in_flight / (in_flight + 8.0) * factor();
    return {iops, 1e6 * in_flight / iops, 3e6 * in_flight / iops, std::nullopt};
  }
  OsdShape osds = response_.host->osds;
  osds.shards = option("osd_op_num_shards", osds.shards);
  osds.threads_per_shard = option("osd_op_num_threads_per_shard", osds.threads_per_shard);
  osds.messenger_threads = option("ms_async_op_threads", osds.messenger_threads);
  osds.pgs_per_osd *= osds.osds_per_device / cluster_.osds_per_device();
  osds.osds_per_device = cluster_.osds_per_device();
  osds.cpu_factor = 1 / factor();
  const HostPrediction told = predict(response_.host->shape, osds, typical_costs(), host_load(spec));
  return {told.iops, told.mean_us, told.p99_us, told.cores_used};
}

Run SimWorkload::run(const WorkloadSpec& spec, const LoadTarget&, const RunLength& length,
                     std::stop_token stop) {
  const int number = runs_++;
  cluster_.pass(length.ramp_s + length.runtime_s);
  if (before_run) before_run(number);
  if (stop.stop_requested()) throw Error(ErrorKind::kInterrupted, "interrupted");
  if (response_.lost_runs > 0 && random_.uniform() < response_.lost_runs)
    throw TrialError("the load generator ended without a result (a simulated fault)");
  const Quiet usual = quiet(spec);
  const bool first = std::exchange(epoch_, cluster_.osd_map_epoch()) != cluster_.osd_map_epoch();
  double log_factor =
      response_.noise * random_.normal() + response_.drift * number + (first ? response_.first_run : 0);
  if (response_.outliers > 0 && random_.uniform() < response_.outliers) log_factor -= std::log(2.0);
  const double iops = usual.iops * std::exp(log_factor);
  const double mean_ms = usual.mean_us / 1e3 * usual.iops / iops;
  Run run{.workload = spec.name,
          .iops = iops,
          .bandwidth = iops * static_cast<double>(spec.bs),
          .runtime_s = length.runtime_s,
          .mean_ms = mean_ms};
  const double p99_ms = usual.p99_us / 1e3 * usual.iops / iops;
  run.p50_ms = 0.9 * mean_ms;
  run.p95_ms = mean_ms + 0.5 * (p99_ms - mean_ms);
  run.p99_ms = p99_ms * std::exp(response_.noise * random_.normal());
  run.p999_ms = 5.0 / 3.0 * p99_ms;
  run.client_cpu = 0.2;
  run.osd_cpu = usual.osd_cores;
  return run;
}

}  // namespace osdtune
