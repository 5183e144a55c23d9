// SPDX-License-Identifier: Apache-2.0
// How long the planner thinks about one suggestion: 8 settings, two objectives, one thread.
// Usage: osdtune_thinking [SUGGESTIONS]; prints medians at 20, 80 and 500 observations.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdlib>

#include "core/memory.hpp"
#include "core/random.hpp"
#include "core/stats.hpp"
#include "search/planner.hpp"

using namespace osdtune;

namespace {

constexpr int kSettings = 8;

Task make_task() {
  Task task;
  for (int i = 0; i < kSettings; ++i)
    task.space.settings.push_back(
        {.name = fmt::format("s{}", i), .low = 1, .high = 64, .log = true, .default_value = std::int64_t{8}});
  task.objectives = {{.name = "iops", .maximize = true}, {.name = "p99_ms", .weight = 0.5}};
  return task;
}

Observation observation(int time, Random& random) {
  Observation out{.config = {}, .values = {}, .time = static_cast<double>(time)};
  double gain = 0;
  for (int i = 0; i < kSettings; ++i) {
    const double octaves = time == 0 ? 3 : 6 * random.uniform();
    out.config[fmt::format("s{}", i)] = static_cast<std::int64_t>(std::lround(std::exp2(octaves)));
    gain -= 0.02 * (i + 1) * std::pow(octaves - i, 2) / kSettings;
  }
  out.values = std::vector<double>{5000 * std::exp(gain + 0.03 * random.normal()),
                                   5 * std::exp(-gain + 0.05 * random.normal())};
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory();
  const int suggestions = argc > 1 ? std::atoi(argv[1]) : 7;
  const Task task = make_task();
  for (const int count : {20, 80, 500}) {
    Random random(1);
    std::vector<Observation> seen;
    for (int i = 0; i < count; ++i) seen.push_back(observation(i, random));
    seen.push_back(seen.front());  // a repeat, so that it is the model's turn
    seen.back().time = count;
    std::vector<double> ms;
    for (int i = 0; i < suggestions; ++i) {
      const auto start = std::chrono::steady_clock::now();
      if (suggest(task, seen, static_cast<std::uint64_t>(i)).reason != "model") return 1;
      ms.push_back(
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    fmt::print("{:>4} observations x {} settings: {:.0f} ms (median of {})\n", count, kSettings, *median(ms),
               suggestions);
  }
}
