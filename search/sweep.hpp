// SPDX-License-Identifier: Apache-2.0
// THE MAIN PATH: from a plan to a study, with the cluster put back whatever happens.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>

#include "core/clock.hpp"
#include "core/progress.hpp"
#include "search/plan.hpp"
#include "search/planner.hpp"
#include "search/study.hpp"
#include "search/target.hpp"

namespace osdtune {

/// Which configurations are measured, in which order.
struct Schedule {
  int trials = 0;                                               ///< that the study will hold at most
  std::function<std::optional<Suggestion>(const Study&)> next;  ///< nullopt: enough
};

/// What the planner wants to know next, until the budget is used up or nothing worth the effort is left.
/// `now` tells when its hours are used up.
Schedule search_schedule(const Plan& plan, const TimeSource& now = now_s);

/// Measures what `schedule` says; an existing study is continued.
/// Throws Error (the cluster is as before) or RollbackError (it is not).
void sweep(const Plan& plan, Target& target, StudyFile& study, const Schedule& schedule, Progress& progress,
           std::stop_token stop);

/// The header a study of this plan on this target has. Changes nothing. `progress` hears what the user should
/// know.
StudyHeader describe_experiment(const Plan& plan, Target& target, Progress& progress);

}  // namespace osdtune
