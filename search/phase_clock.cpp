// SPDX-License-Identifier: Apache-2.0
// Bookkeeping of phases.
#include "search/phase_clock.hpp"

#include <algorithm>
#include <utility>

namespace osdtune {

void PhaseClock::book() {
  const double now = now_();
  seconds_[to_text(phase_)] += std::max(0.0, now - since_);  // clocks may be set back
  since_ = now;
}

void PhaseClock::phase(Phase phase, const std::string& text) {
  book();
  phase_ = phase;
  next_.phase(phase, text);
}

std::map<std::string, double> PhaseClock::take() {
  book();
  return std::exchange(seconds_, {});
}

}  // namespace osdtune
