// SPDX-License-Identifier: Apache-2.0
// Whether the model deserves belief, what each setting does, and which settings depend on each other.
#pragma once

#include "search/planner_beliefs.hpp"

namespace osdtune {

/// One per objective; `records` are what was learned from. Empty for large studies.
std::vector<ModelCheck> checks_of(const Task& task, const Beliefs& beliefs,
                                  const std::vector<Record>& records);

/// Of each setting alone, all others as in `at`.
Effects effects_of(const Task& task, const Encoding& encoding, const Beliefs& beliefs, const Levels& at,
                   Random& random);

}  // namespace osdtune
