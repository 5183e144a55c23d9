// SPDX-License-Identifier: Apache-2.0
// Wall-clock time, and clocks that others keep.
#pragma once

#include <functional>
#include <string>

namespace osdtune {

/// Seconds since the epoch. A simulated cluster keeps its own.
using TimeSource = std::function<double()>;

/// Now, by this machine.
double now_s();

/// "2026-11-30T12:00:00Z"
std::string utc_text(double seconds);

}  // namespace osdtune
