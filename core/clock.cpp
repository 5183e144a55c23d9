// SPDX-License-Identifier: Apache-2.0
// This machine's clock.
#include "core/clock.hpp"

#include <fmt/chrono.h>

#include <chrono>

namespace osdtune {

double now_s() {
  using namespace std::chrono;
  return duration<double>(system_clock::now().time_since_epoch()).count();
}

std::string utc_text(double seconds) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

}  // namespace osdtune
