// SPDX-License-Identifier: Apache-2.0
// CPU time of whole processes, all threads included, over the last part of their life.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <vector>

namespace osdtune {

/// Seconds of user and system time that a living process has used so far (/proc/PID/stat); nullopt if it is
/// gone.
std::optional<double> cpu_seconds(pid_t pid);

/// Adds up a set of processes, sample by sample.
class CpuMeter {
 public:
  using Clock = std::chrono::steady_clock;
  explicit CpuMeter(std::vector<pid_t> pids) : pids_(std::move(pids)) {}
  /// Takes a sample unless one of the processes is gone.
  void sample(Clock::time_point now = Clock::now());
  /// Cores used in the last `window` seconds before the last sample, as far back as there are samples;
  /// nullopt with fewer than two.
  std::optional<double> cores(double window_s) const;

 private:
  struct Sample {
    Clock::time_point time;
    double seconds = 0;
  };
  std::vector<pid_t> pids_;
  std::vector<Sample> samples_;
};

}  // namespace osdtune
