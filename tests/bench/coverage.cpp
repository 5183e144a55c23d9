// SPDX-License-Identifier: Apache-2.0
// How often 95 % intervals hold the noise-free truth at configurations that were not measured.
// Usage: osdtune_coverage [STUDIES]; prints one line per problem and number of trials.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <functional>

#include "core/memory.hpp"
#include "core/random.hpp"
#include "search/planner.hpp"

using namespace osdtune;

namespace {

constexpr int kHeldOut = 40;  ///< configurations asked about in each study

/// Log-throughput by shards, threads, messenger threads (each 0 to 1) and logging.
struct Problem {
  const char* name;
  double drift;  ///< of the logarithm over the whole study
  std::function<double(double, double, double, bool)> truth;
};

const std::vector<Problem> kProblems = {
    {"smooth", 0,
     [](double a, double b, double, bool off) { return -0.5 * std::pow(a - 0.6, 2) + 0.2 * b + 0.1 * off; }},
    {"cliff", 0,
     [](double a, double, double m, bool off) { return 0.2 * a - (m > 0.6 ? 0.5 : 0.0) + 0.1 * off; }},
    {"interaction", 0, [](double a, double b, double m, bool) { return 0.4 * a * (1 - b) + 0.1 * m; }},
    {"flat", 0, [](double, double, double, bool) { return 0.0; }},
    {"drift", -0.3, [](double a, double b, double, bool off) { return 0.3 * a - 0.2 * b + 0.1 * off; }}};

Task make_task() {
  Task task;
  for (const char* name : {"shards", "threads", "messengers"})
    task.space.settings.push_back({.name = name, .low = 1, .high = 11, .default_value = std::int64_t{5}});
  task.space.settings.push_back({.name = "off", .kind = SettingKind::kBoolean, .default_value = false});
  task.objectives = {{.name = "iops", .maximize = true}, {.name = "p99_ms", .weight = 0.5}};
  return task;
}

double truth(const Problem& problem, const Config& config) {
  const auto part = [&](const char* name) {
    return (static_cast<double>(std::get<std::int64_t>(config.at(name))) - 1) / 10;
  };
  return problem.truth(part("shards"), part("threads"), part("messengers"), std::get<bool>(config.at("off")));
}

Config anywhere(Random& random) {
  const auto number = [&] { return static_cast<std::int64_t>(1 + random.index(11)); };
  return {
      {"shards", number()}, {"threads", number()}, {"messengers", number()}, {"off", random.uniform() < 0.5}};
}

/// Of both objectives at all held-out configurations: the share inside.
double covered(const Problem& problem, int trials, std::uint64_t seed) {
  Task task = make_task();
  task.budget = trials;
  Random random(seed + 77);
  std::vector<Observation> seen;
  for (int i = 0; i < trials; ++i) {
    const Config config = suggest(task, seen, seed).config;
    const double log = truth(problem, config) + problem.drift * i / trials;
    seen.push_back({.config = config,
                    .values = std::vector<double>{5000 * std::exp(log + 0.04 * random.normal()),
                                                  5 * std::exp(-log + 0.08 * random.normal())},
                    .time = static_cast<double>(i)});
  }
  std::vector<Config> held_out;
  for (int i = 0; i < kHeldOut; ++i) held_out.push_back(anywhere(random));
  double inside = 0;
  for (const Prediction& at : predict_configs(task, seen, held_out)) {
    const double log = truth(problem, at.config);
    const double exact[] = {5000 * std::exp(log), 5 * std::exp(-log)};
    for (int k = 0; k < 2; ++k) inside += at.low[k] <= exact[k] && exact[k] <= at.high[k] ? 1 : 0;
  }
  return inside / (2 * kHeldOut);
}

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory();
  const int studies = argc > 1 ? std::atoi(argv[1]) : 20;
  for (const Problem& problem : kProblems)
    for (const int trials : {20, 40, 80}) {
      double sum = 0;
      for (int s = 0; s < studies; ++s) sum += covered(problem, trials, static_cast<std::uint64_t>(s));
      fmt::print("{:<12} {:>3} trials: 95 % intervals hold {:.0f} %\n", problem.name, trials,
                 100 * sum / studies);
    }
}
