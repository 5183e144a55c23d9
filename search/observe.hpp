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

/// Settings that act on the same pool, stage or resource, in groups of two or more: by the knowledge graph.
std::vector<std::vector<std::string>> interacting_settings(const Space& space);

/// The same with what is known, for searching: which settings interact, and what the host model expects.
Task informed_task(const Study& study);

/// The budget of the plan, or less: once several trials in a row promised less than `min_gain`, a tenth more
/// is spent on confirming what would be recommended, and no more on searching.
int worthwhile_trials(const Study& study);

/// Weights of the two objectives in the utility. Balanced: one per cent of throughput counts as much as two
/// of latency.
std::vector<double> preference_weights(Preference preference);

/// Values of the two objectives, geometric means over counted runs; nullopt: infeasible, unfinished or
/// without such runs.
std::optional<std::vector<double>> objective_values(const Study& study, const Trial& trial);

/// Finished trials in order. A trial without counted runs of the goal's workloads is an infeasible
/// observation.
std::vector<Observation> observe(const Study& study);

/// The measured configuration with the best utility so far: "2,410 IOPS, p99 12.1 ms with debug_levels=off".
std::string best_in_words(const Study& study);

}  // namespace osdtune
