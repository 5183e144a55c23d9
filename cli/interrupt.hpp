// SPDX-License-Identifier: Apache-2.0
// SIGINT and SIGTERM become a stop token; no handler runs in the middle of anything.
#pragma once

#include <stop_token>
#include <thread>

namespace osdtune {

/// Blocks both signals in this thread and all that come after it, and waits for them in a thread of its own.
/// Make it before any other thread exists.
class Interrupt {
 public:
  Interrupt();
  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::jthread waiter_;
};

}  // namespace osdtune
