// SPDX-License-Identifier: Apache-2.0
// Waiting for signals.
#include "cli/interrupt.hpp"

#include <unistd.h>

#include <csignal>
#include <string_view>

namespace osdtune {

Interrupt::Interrupt() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  waiter_ = std::jthread([signals, source = source_](const std::stop_token& end) mutable {
    const timespec quarter_second = {.tv_sec = 0, .tv_nsec = 250'000'000};
    while (!end.stop_requested()) {
      if (::sigtimedwait(&signals, nullptr, &quarter_second) < 0) continue;
      constexpr std::string_view kFirst = "\nosdtune: interrupted; putting everything back, please wait\n";
      constexpr std::string_view kAgain = "\nosdtune: still putting everything back; nothing more to press\n";
      const auto text = source.request_stop() ? kFirst : kAgain;
      [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
    }
  });
}

}  // namespace osdtune
