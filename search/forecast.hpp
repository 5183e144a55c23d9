// SPDX-License-Identifier: Apache-2.0
// What a sweep will cost before it starts: the planner played forward on a flat response.
#pragma once

#include "search/plan.hpp"
#include "search/space.hpp"

namespace osdtune {

struct Forecast {
  int trials = 0;
  int restarts = 0;  ///< of all OSDs
  int redeploys = 0;
  double load_s = 0;    ///< warming up and measuring
  double change_s = 0;  ///< restarts, redeploys with their prefill, settling
  double total_s() const { return load_s + change_s; }
};

/// Counts of changes are exact for the initial design and an estimate for what the model asks for later.
Forecast forecast(const Plan& plan, const Space& space);

}  // namespace osdtune
