// SPDX-License-Identifier: Apache-2.0
// How often a study ends in a significant gain: where nothing matters, and where one setting does.
// Usage: osdtune_false_gains [STUDIES]; prints one line per case.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "core/random.hpp"
#include "search/planner.hpp"

using namespace osdtune;

namespace {

struct Case {
  int trials, repeats;
  double between, within;  ///< noise of a trial and of a run, as shares
  double effect;           ///< of "debug" on IOPS and latency, as a share; negative: the other value is worse
};

Setting setting(const std::string& name, const std::vector<int>& values, int found, Change change) {
  Setting out{.name = name, .default_value = std::int64_t{found}, .change = change};
  for (const int value : values) out.values.emplace_back(std::int64_t{value});
  return out;
}

Task make_task(int trials) {
  Task task;
  task.space.settings = {setting("shards", {1, 2, 4, 8}, 8, Change::kRestart),
                         setting("messengers", {1, 2, 3, 5}, 3, Change::kRestart),
                         setting("cap", {64, 256}, 256, Change::kRuntime),
                         setting("debug", {0, 1}, 1, Change::kRuntime)};
  task.objectives = {{.name = "iops", .maximize = true}, {.name = "p99_ms", .weight = 0.5}};
  task.restart_cost = 0.5;
  task.budget = trials;
  return task;
}

Observation measure(const Case& c, const Config& config, double time, Random& random) {
  const double effect = std::get<std::int64_t>(config.at("debug")) == 0 ? c.effect : 0;
  const double iops = std::log(5000.0) + effect + c.between * random.normal();
  const double p99 = std::log(6.0) - effect + c.between * random.normal();
  Observation out{.config = config, .values = std::vector<double>{0, 0}, .time = time};
  for (int r = 0; r < c.repeats; ++r) {
    const double a = iops + c.within * random.normal(), b = p99 + 2 * c.within * random.normal();
    out.repeats.push_back({std::exp(a), std::exp(b)});
    (*out.values)[0] += a / c.repeats;
    (*out.values)[1] += b / c.repeats;
  }
  for (double& value : *out.values) value = std::exp(value);
  return out;
}

bool ends_in_a_gain(const Case& c, std::uint64_t seed) {
  const Task task = make_task(c.trials);
  Random random(seed + 1000);
  std::vector<Observation> seen;
  for (int i = 0; i < c.trials; ++i) seen.push_back(measure(c, suggest(task, seen, seed).config, i, random));
  return conclude(task, seen, seed).significant;
}

}  // namespace

int main(int argc, char** argv) {
  const int studies = argc > 1 ? std::atoi(argv[1]) : 40;
  fmt::print("{:>7} {:>8} {:>14} {:>8} {:>18}\n", "trials", "repeats", "noise", "effect",
             "significant gains");
  for (const Case& c :
       {Case{12, 2, 0.04, 0.03, 0}, Case{24, 3, 0.04, 0.03, 0}, Case{12, 2, 0.04, 0.03, -0.35},
        Case{24, 3, 0.04, 0.03, -0.35}, Case{12, 2, 0.04, 0.03, 0.1}, Case{24, 3, 0.04, 0.03, 0.1},
        Case{12, 2, 0.04, 0.03, 0.2}, Case{24, 3, 0.04, 0.03, 0.2}}) {
    int gains = 0;
    for (int s = 0; s < studies; ++s) gains += ends_in_a_gain(c, static_cast<std::uint64_t>(s)) ? 1 : 0;
    fmt::print("{:>7} {:>8} {:>6.0f} % + {:.0f} % {:>6.0f} % {:>11} of {}\n", c.trials, c.repeats,
               100 * c.between, 100 * c.within, 100 * c.effect, gains, studies);
  }
}
