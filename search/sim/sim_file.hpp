// SPDX-License-Identifier: Apache-2.0
// A simulated cluster described by a JSON file, for trying plans without a cluster.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "search/sim/sim_cluster.hpp"
#include "search/sim/sim_workload.hpp"

namespace osdtune {

struct Simulation {
  std::shared_ptr<SimCluster> cluster;
  std::shared_ptr<SimWorkload> workload;
  std::optional<double> osd_cores;  ///< of one host, where a host file says them
};

/// {"release": "18.2.7", "osds": 2, "options": [{"name", "type", "default", "min", "max", "values",
/// "restart"}],
///  "response": {"iops", "noise", "drift", "first_run", "outliers", "lost_runs", "seed",
///               "effects": [{"option", "at", "per_doubling", "best"} or {"option", "by_value"}]},
///  "host": path of a host file beside it, in place of "osds" and "iops", "infeasible": ["option=value",
///  ...], "restart_s", "redeploy_s"}
/// Its time is its own: a run of ten minutes takes no time here, and the study says ten minutes.
/// Throws Error{kInput}.
Simulation load_simulation(const std::filesystem::path& path);

}  // namespace osdtune
