// SPDX-License-Identifier: Apache-2.0
// Intervals beside a cliff hold both of its levels; elsewhere they stay as narrow as they were.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/unit/search/planner_task.hpp"

using namespace osdtune;
using namespace osdtune::test;
using doctest::Approx;

namespace {

Task threads_and_shards() {
  Task task;
  task.space.settings = {integer("threads", 1, 11, 5), integer("shards", 1, 16, 4)};
  task.objectives = {{.name = "iops", .maximize = true}, {.name = "p99_ms", .weight = 0.5}};
  return task;
}

Config config_of(int threads, int shards) {
  return {{"threads", std::int64_t{threads}}, {"shards", std::int64_t{shards}}};
}

constexpr double kHigh = 10000, kLow = 5000;

/// With more than 6 threads a write takes twice as long; 7 to 9 threads are not measured. `height` 0: no
/// cliff.
std::vector<Observation> study_of(bool cliff, std::uint64_t seed, double unit = 1) {
  Random random(seed);
  std::vector<Observation> out;
  for (int i = 0; i < 24; ++i) {
    const int place = i % 8;
    const int threads = place > 5 ? place + 4 : place + 1;
    const int shards = 1 + static_cast<int>(random.index(16));
    const double iops = cliff ? (threads > 6 ? kLow : kHigh) : kLow * (1 + threads / 11.0);
    out.push_back({.config = config_of(threads, shards),
                   .values = std::vector<double>{unit * iops * std::exp(0.04 * random.normal()),
                                                 1e5 / iops * std::exp(0.06 * random.normal())},
                   .time = static_cast<double>(i)});
  }
  return out;
}

}  // namespace

TEST_CASE("between two neighbours of a cliff the interval holds both levels, beyond them only one") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto at = predict_configs(threads_and_shards(), study_of(true, seed),
                                    {config_of(8, 5), config_of(4, 5), config_of(11, 12)});
    CAPTURE(seed);
    CHECK(at[0].low[0] < kLow);
    CHECK(at[0].high[0] > kHigh);
    CHECK(at[0].low[1] < 1e5 / kHigh);
    CHECK(at[0].high[1] > 1e5 / kLow);
    CHECK(at[1].low[0] > 0.9 * kHigh);
    CHECK(at[2].high[0] < 1.15 * kLow);
  }
}

TEST_CASE("where nothing jumps the intervals between measured values stay narrow") {
  constexpr int kStudies = 8;
  double width = 0;
  int inside = 0;
  for (std::uint64_t seed = 1; seed <= kStudies; ++seed) {
    const auto at = predict_configs(threads_and_shards(), study_of(false, seed), {config_of(8, 5)});
    const double exact = kLow * (1 + 8 / 11.0);
    inside += at[0].low[0] < exact && exact < at[0].high[0] ? 1 : 0;
    width += std::log(at[0].high[0] / at[0].low[0]) / kStudies;
  }
  CHECK(inside >= kStudies - 2);
  CHECK(width < 0.135);
}

TEST_CASE("the only trial just beyond a cliff is no disturbance") {
  auto study = study_of(true, 2);
  study.push_back(
      {.config = config_of(7, 8), .values = std::vector<double>{kLow * 0.97, 1e5 / kLow * 1.03}, .time = 24});
  for (const ModelCheck& check : check_model(threads_and_shards(), study)) {
    CHECK(*std::max_element(check.disturbed.begin(), check.disturbed.end()) < 0.3);
    CHECK(check.passed);
  }
}

TEST_CASE("intervals beside a cliff depend neither on units nor on the order of trials") {
  const std::vector<Config> asked{config_of(8, 5), config_of(5, 9)};
  auto study = study_of(true, 4);
  auto scaled = study_of(true, 4, 1000);
  for (auto* each : {&study, &scaled})
    for (auto& seen : *each) seen.time = 0;
  const auto plain = predict_configs(threads_and_shards(), study, asked);
  const auto large = predict_configs(threads_and_shards(), scaled, asked);
  std::reverse(study.begin(), study.end());
  const auto turned = predict_configs(threads_and_shards(), study, asked);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    CHECK(large[i].low[0] == Approx(1000 * plain[i].low[0]).epsilon(1e-3));
    CHECK(large[i].high[0] == Approx(1000 * plain[i].high[0]).epsilon(1e-3));
    CHECK(turned[i].low[0] == Approx(plain[i].low[0]).epsilon(1e-3));
    CHECK(turned[i].high[0] == Approx(plain[i].high[0]).epsilon(1e-3));
  }
}
