// SPDX-License-Identifier: Apache-2.0
// Reads /proc/PID/stat; see proc(5), fields 14 (utime) and 15 (stime), in clock ticks.
#include "search/workload/cpu_meter.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace osdtune {

std::optional<double> cpu_seconds(pid_t pid) {
  std::ifstream in(fmt::format("/proc/{}/stat", pid));
  std::string line;
  if (!std::getline(in, line)) return std::nullopt;
  std::istringstream fields(line.substr(line.rfind(')') + 1));  // the name in parentheses may hold blanks
  char state = 'X';
  fields >> state;
  std::string skipped;
  for (int field = 4; field < 14; ++field) fields >> skipped;
  double user = 0;
  double system = 0;
  fields >> user >> system;
  if (!fields || state == 'Z' || state == 'X') return std::nullopt;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

void CpuMeter::sample(Clock::time_point now) {
  Sample sample{.time = now};
  for (const pid_t pid : pids_) {
    const auto seconds = cpu_seconds(pid);
    if (!seconds) return;
    sample.seconds += *seconds;
  }
  samples_.push_back(sample);
}

std::optional<double> CpuMeter::cores(double window_s) const {
  if (samples_.size() < 2) return std::nullopt;
  const Sample& last = samples_.back();
  const auto age = [&](const Sample& sample) {
    return std::chrono::duration<double>(last.time - sample.time).count();
  };
  const auto first =
      std::find_if(samples_.begin(), samples_.end(), [&](const Sample& s) { return age(s) <= window_s; });
  if (age(*first) <= 0) return std::nullopt;
  return (last.seconds - first->seconds) / age(*first);
}

}  // namespace osdtune
