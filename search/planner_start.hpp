// SPDX-License-Identifier: Apache-2.0
// The first configurations, before there is anything to learn from.
#pragma once

#include <vector>

#include "search/planner_encoding.hpp"

namespace osdtune {

/// Configurations to begin with, the one as found first: every setting takes both ends and values between,
/// every category its turn, far from each other, ordered so that dear changes are few. Throws Error{kInput}
/// if no configuration satisfies the known constraints.
std::vector<Levels> initial_design(const Task& task, const Encoding& encoding, std::uint64_t seed);

}  // namespace osdtune
