// SPDX-License-Identifier: Apache-2.0
// Measuring one configuration: which run is due, does it count, is the trial complete.
#pragma once

#include <optional>
#include <stop_token>

#include "core/progress.hpp"
#include "search/cluster/session.hpp"
#include "search/study.hpp"
#include "search/target.hpp"

namespace osdtune {

/// The workload to run next: the one with the fewest counted runs, ties in an order drawn from the plan's
/// seed, so that repeats of one workload are spread over the trial. nullopt: the trial has all of its runs.
std::optional<WorkloadSpec> next_run(const Plan& plan, const Trial& trial);

/// Runs until the open trial of `study` is complete; every run is in the study before the next starts.
/// `cold`: OSDs or images are fresh, so the first run is recorded but does not count.
/// Throws TrialError when runs are lost or spoiled again and again, with the last reason.
void measure(const Plan& plan, Target& target, Session& session, StudyFile& study, bool cold,
             Progress& progress, const std::stop_token& stop);

}  // namespace osdtune
