// SPDX-License-Identifier: Apache-2.0
// Passes progress on and keeps account of how long each phase lasted.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "core/clock.hpp"
#include "core/progress.hpp"

namespace osdtune {

class PhaseClock : public Progress {
 public:
  PhaseClock(Progress& next, TimeSource now) : next_(next), now_(std::move(now)), since_(now_()) {}
  void phase(Phase phase, const std::string& text) override;
  void note(const std::string& text) override { next_.note(text); }
  void warn(const std::string& text) override { next_.warn(text); }
  void status(int done, int total, std::optional<double> seconds_left, const std::string& best) override {
    next_.status(done, total, seconds_left, best);
  }
  /// Seconds by phase since the last call.
  std::map<std::string, double> take();

 private:
  void book();
  Progress& next_;
  TimeSource now_;
  Phase phase_ = Phase::kOther;
  double since_;
  std::map<std::string, double> seconds_;
};

}  // namespace osdtune
