// SPDX-License-Identifier: Apache-2.0
// Waiting for signals.
#include "cli/interrupt.hpp"

#include <unistd.h>

#include <csignal>
#include <string_view>

namespace osdtune {
namespace {

constexpr int kEnd = SIGUSR1;  ///< wakes the waiter when it has to end

}  // namespace

Interrupt::Interrupt() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, kEnd);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  waiter_ = std::jthread([signals, source = source_](const std::stop_token& end) mutable {
    const std::stop_callback wake(end, [waiter = ::pthread_self()] { ::pthread_kill(waiter, kEnd); });
    int signal = 0;
    while (::sigwait(&signals, &signal) == 0 && !end.stop_requested()) {
      if (signal == kEnd) continue;
      constexpr std::string_view kFirst = "\nosdtune: interrupted; putting everything back, please wait\n";
      constexpr std::string_view kAgain = "\nosdtune: still putting everything back; nothing more to press\n";
      const auto text = source.request_stop() ? kFirst : kAgain;
      [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
    }
  });
}

}  // namespace osdtune
