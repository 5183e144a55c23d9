// SPDX-License-Identifier: Apache-2.0
// Drawing of progress.
#include "cli/console.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>

#include "core/units.hpp"

namespace osdtune {
namespace {

std::size_t terminal_width() {
  winsize size = {};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

}  // namespace

Console::Console() : terminal_(::isatty(STDERR_FILENO) != 0) {}

Console::~Console() {
  clear();
}

void Console::phase(Phase phase, const std::string& text) {
  phase_ = text.empty() ? to_text(phase) : fmt::format("{}: {}", to_text(phase), text);
  if (terminal_)
    redraw();
  else
    line(phase_);
}

void Console::note(const std::string& text) {
  line(text);
}

void Console::warn(const std::string& text) {
  line("warning: " + text);
}

void Console::status(int done, int total, std::optional<double> seconds_left, const std::string& best) {
  status_ = fmt::format("trial {}/{}", done, total);
  if (seconds_left) status_ += ", " + format_duration(*seconds_left) + " left";
  if (!best.empty()) status_ += ", best: " + best;
  if (terminal_)
    redraw();
  else
    line(status_);
}

void Console::error(const std::string& message, const std::string& hint) {
  clear();
  fmt::print(stderr, "osdtune: {}\n", message);
  if (!hint.empty()) fmt::print(stderr, "  -> {}\n", hint);
}

void Console::line(const std::string& text) {
  clear();
  const std::time_t now = std::time(nullptr);
  fmt::print(stderr, "[{:%H:%M:%S}] {}\n", fmt::localtime(now), text);
  if (terminal_) redraw();
}

void Console::redraw() {
  if (phase_.empty() && status_.empty()) return;
  std::string text = status_.empty() ? phase_ : fmt::format("{} | {}", status_, phase_);
  if (text.size() >= terminal_width()) text = text.substr(0, terminal_width() - 4) + "...";
  fmt::print(stderr, "\r\033[K{}", text);
  std::fflush(stderr);
  drawn_ = true;
}

void Console::clear() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

}  // namespace osdtune
