// SPDX-License-Identifier: Apache-2.0
// Keeps the logs of a lab from filling its folder, which may be memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <thread>

namespace osdtune {

/// Empties every .log file in `folder` that is larger than `limit`; returns how many. Daemons append to their
/// logs, so that they go on at the start of the file; what logging costs them stays the same.
int trim_logs(const std::filesystem::path& folder, std::uintmax_t limit);

/// Trims once a second for as long as it lives. At debug_osd=20/20 an OSD writes tens of megabytes per
/// second.
class LogTrimmer {
 public:
  explicit LogTrimmer(std::filesystem::path folder);

 private:
  std::jthread thread_;
};

}  // namespace osdtune
