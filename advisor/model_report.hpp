// SPDX-License-Identifier: Apache-2.0
// How far the response model of a study can be believed, in words and as JSON.
#pragma once

#include <string>
#include <vector>

#include "search/planner.hpp"
#include "search/study.hpp"

namespace osdtune {

/// Leave-one-out check per objective. Throws Error{kInput} if the study has no feasible trial.
std::vector<ModelCheck> check_study(const Study& study);

/// `verbose` adds measured and predicted values of every trial.
std::string to_text(const std::vector<ModelCheck>& checks, bool verbose);
Json to_json(const std::vector<ModelCheck>& checks);

}  // namespace osdtune
