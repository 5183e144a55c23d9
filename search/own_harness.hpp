// SPDX-License-Identifier: Apache-2.0
// Studies whose measuring somebody else does: ask for a configuration, tell what came out.
#pragma once

#include <string>
#include <vector>

#include "search/study.hpp"
#include "search/sweep.hpp"

namespace osdtune {

/// Header of a study of this plan without any target: options and defaults of a release, from the catalogue.
/// Errors as resolve_space.
StudyHeader describe_own_harness(const Plan& plan, const std::string& release);

/// The open trial, or a new one, which is opened; nullptr: the schedule is at its end.
const Trial* ask(StudyFile& study, const Schedule& schedule);

/// What came out of the open trial: its runs, which all count, or why it failed (then no runs). Throws
/// Error{kInput}, with the study unchanged, if no trial is open or the runs lack what the goal of the plan
/// needs.
void tell(StudyFile& study, const std::vector<Run>& runs, const std::string& infeasible);

}  // namespace osdtune
