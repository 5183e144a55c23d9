// SPDX-License-Identifier: Apache-2.0
// From a study to what the planner needs: the task, and one observation per finished trial.
#pragma once

#include <vector>

#include "core/progress.hpp"
#include "search/planner.hpp"
#include "search/study.hpp"

namespace osdtune {

/// Two objectives from the goal (log scale), its bounds as measured constraints, prices of changes as
/// measured so far.
Task make_task(const Study& study);

/// Weights of the two objectives in the utility. Balanced: one per cent of throughput counts as much as two
/// of latency.
std::vector<double> preference_weights(Preference preference);

/// Finished trials in order. A trial without counted runs of the goal's workloads is an infeasible
/// observation.
std::vector<Observation> observe(const Study& study);

/// The measured configuration with the best utility so far: "2,410 IOPS, p99 12.1 ms with debug_levels=off".
std::string best_in_words(const Study& study);

}  // namespace osdtune
