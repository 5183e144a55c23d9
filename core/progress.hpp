// SPDX-License-Identifier: Apache-2.0
// Events that long jobs send while they work; who shows them, and how, is cli's business.
#pragma once

#include <optional>
#include <string>

namespace osdtune {

/// Where the time of a sweep goes.
enum class Phase { kOther, kPrefill, kChange, kRestart, kRedeploy, kSettle, kMeasure, kThink, kRestore };

std::string to_text(Phase phase);

/// Receives events. The simulated version in tests records them.
class Progress {
 public:
  virtual ~Progress() = default;
  /// A step begins; it lasts until the next one. `text` says what for.
  virtual void phase(Phase phase, const std::string& text) = 0;
  /// Something worth a line of its own.
  virtual void note(const std::string& text) = 0;
  /// Something the user should act on.
  virtual void warn(const std::string& text) = 0;
  /// How far the job is: trials done, trials planned, seconds left (if known), best so far in words.
  virtual void status(int /*done*/, int /*total*/, std::optional<double> /*seconds_left*/,
                      const std::string& /*best*/) {}
};

/// Shows nothing.
class Silent : public Progress {
 public:
  void phase(Phase, const std::string&) override {}
  void note(const std::string&) override {}
  void warn(const std::string&) override {}
};

}  // namespace osdtune
