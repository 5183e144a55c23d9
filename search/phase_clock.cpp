// SPDX-License-Identifier: Apache-2.0
// Bookkeeping of phases.
#include "search/phase_clock.hpp"

#include <utility>

namespace osdtune {

void PhaseClock::book() {
  const auto now = std::chrono::steady_clock::now();
  seconds_[to_text(phase_)] += std::chrono::duration<double>(now - since_).count();
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
