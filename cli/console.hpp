// SPDX-License-Identifier: Apache-2.0
// Progress for people: one live line on a terminal, plain lines elsewhere, always on stderr.
#pragma once

#include <string>

#include "core/progress.hpp"

namespace osdtune {

class Console : public Progress {
 public:
  Console();
  ~Console() override;
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  void phase(Phase phase, const std::string& text) override;
  void note(const std::string& text) override;
  void warn(const std::string& text) override;
  void status(int done, int total, std::optional<double> seconds_left, const std::string& best) override;
  /// A failure: what, and what to do next.
  void error(const std::string& message, const std::string& hint);

 private:
  void line(const std::string& text);  ///< a line that stays
  void redraw();                       ///< the live line
  void clear();

  bool terminal_ = false;
  bool drawn_ = false;
  std::string status_;
  std::string phase_;
};

}  // namespace osdtune
