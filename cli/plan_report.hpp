// SPDX-License-Identifier: Apache-2.0
// Prints a plan with its cost, for `plan` and `sweep --dry-run`.
#pragma once

#include "search/plan.hpp"
#include "search/space.hpp"

namespace osdtune {

void report_plan(const Plan& plan, const Space& space, bool json);

}  // namespace osdtune
