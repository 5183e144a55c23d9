// SPDX-License-Identifier: Apache-2.0
// A simulated cluster described by a JSON file, for trying plans without a cluster.
#pragma once

#include <filesystem>
#include <memory>

#include "search/sim/sim_cluster.hpp"
#include "search/sim/sim_workload.hpp"

namespace osdtune {

struct Simulation {
  std::shared_ptr<SimCluster> cluster;
  std::shared_ptr<SimWorkload> workload;
};

/// {"release": "18.2.7", "osds": 2, "options": [{"name", "type", "default", "min", "max", "values",
/// "restart"}],
///  "response": {"iops", "noise", "seed", "effects": [{"option", "at", "per_doubling", "best"} or {"option",
///  "by_value"}]}}
/// Throws Error{kInput}.
Simulation load_simulation(const std::filesystem::path& path);

}  // namespace osdtune
