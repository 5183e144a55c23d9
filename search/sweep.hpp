// SPDX-License-Identifier: Apache-2.0
// THE MAIN PATH: from a plan to a study, with the cluster put back whatever happens.
#pragma once

#include <stop_token>

#include "core/progress.hpp"
#include "search/plan.hpp"
#include "search/study.hpp"
#include "search/target.hpp"

namespace osdtune {

/// Runs the sweep; an existing study is continued. Returns when the budget is used up.
/// Throws Error (the cluster is as before) or RollbackError (it is not).
void sweep(const Plan& plan, Target& target, StudyFile& study, Progress& progress, std::stop_token stop);

/// The header a study of this plan on this target has. Changes nothing. `progress` hears what the user should
/// know.
StudyHeader describe_experiment(const Plan& plan, Target& target, Progress& progress);

}  // namespace osdtune
