// SPDX-License-Identifier: Apache-2.0
// Differences of counters.
#include "search/stage_latencies.hpp"

#include "core/error.hpp"

namespace osdtune {

namespace {

constexpr std::size_t kMostOsds = 16;  ///< asked before and after each run; the others are alike

/// An operation as a whole, its wait for an op thread, copies on other OSDs; reading, writing data, waiting
/// for kv_sync and for its commit.
constexpr const char* kStages[] = {"osd.op_latency",
                                   "osd.op_before_dequeue_op_lat",
                                   "osd.subop_w_latency",
                                   "bluestore.read_lat",
                                   "bluestore.state_aio_wait_lat",
                                   "bluestore.state_kv_queued_lat",
                                   "bluestore.state_kv_commiting_lat"};

}  // namespace

std::map<std::string, LatencySum> stage_counters(Cluster& cluster) {
  std::map<std::string, LatencySum> out;
  std::size_t asked = 0;
  try {
    for (const Osd& osd : cluster.osds()) {
      if (!osd.up || ++asked > kMostOsds) continue;
      const auto known = cluster.latencies(osd.id);
      for (const char* stage : kStages)
        if (const auto it = known.find(stage); it != known.end()) {
          out[stage].count += it->second.count;
          out[stage].seconds += it->second.seconds;
        }
    }
  } catch (const Error&) {
    return {};
  }
  return out;
}

std::map<std::string, double> stage_latencies_us(const std::map<std::string, LatencySum>& before,
                                                 const std::map<std::string, LatencySum>& after) {
  std::map<std::string, double> out;
  for (const auto& [stage, now] : after) {
    const auto then = before.find(stage);
    if (then == before.end()) continue;
    const double count = now.count - then->second.count, seconds = now.seconds - then->second.seconds;
    if (count > 0 && seconds > 0) out[stage] = 1e6 * seconds / count;
  }
  return out;
}

}  // namespace osdtune
