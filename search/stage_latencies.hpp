// SPDX-License-Identifier: Apache-2.0
// Where operations spend their time inside the OSDs, by the OSDs' own counters.
#pragma once

#include <map>
#include <string>

#include "search/cluster/cluster.hpp"

namespace osdtune {

/// Counters of the stages of an operation, added up over the first OSDs of a cluster. Empty where an OSD does
/// not answer: a run without them is still a run.
std::map<std::string, LatencySum> stage_counters(Cluster& cluster);

/// Mean microseconds of each stage between two readings, by the counter's name. Stages that nothing passed,
/// and those of OSDs that were restarted meanwhile, are absent.
std::map<std::string, double> stage_latencies_us(const std::map<std::string, LatencySum>& before,
                                                 const std::map<std::string, LatencySum>& after);

}  // namespace osdtune
