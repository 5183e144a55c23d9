// SPDX-License-Identifier: Apache-2.0
// What changing from one configuration to another costs.
#pragma once

#include "search/planner_encoding.hpp"

namespace osdtune {

/// In units of one measurement, the measurement itself not included.
double price(const Task& task, const Encoding& encoding, const Levels& from, const Levels& to);

}  // namespace osdtune
