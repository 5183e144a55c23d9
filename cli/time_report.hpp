// SPDX-License-Identifier: Apache-2.0
// How the time of a sweep was spent.
#pragma once

#include <string>

#include "search/study.hpp"

namespace osdtune {

/// Seconds by phase over the whole study.
Json time_by_phase(const Study& study);
std::string time_text(const Study& study);

}  // namespace osdtune
