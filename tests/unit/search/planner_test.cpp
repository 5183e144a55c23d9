// SPDX-License-Identifier: Apache-2.0
// What the planner proposes to measure, and what it refuses.
#include "search/planner.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.hpp"
#include "core/random.hpp"
#include "tests/unit/search/planner_task.hpp"

using namespace osdtune;
using namespace osdtune::test;

TEST_CASE("the first suggestion is the configuration as found") {
  const Suggestion first = suggest(two_goals(), {}, 1);
  CHECK(first.config == default_config(two_goals().space));
  CHECK(first.reason == "baseline");
}

TEST_CASE("the same study and seed give the same suggestion, another seed another path") {
  const auto study = play(two_goals(), 12, 4);
  CHECK(suggest(two_goals(), study, 4).config == suggest(two_goals(), study, 4).config);
  const auto other = play(two_goals(), 12, 5);
  CHECK_FALSE(std::equal(study.begin(), study.end(), other.begin(),
                         [](const Observation& a, const Observation& b) { return a.config == b.config; }));
}

TEST_CASE("every category and both ends of a range are seen among the first five") {
  const auto study = play(two_goals(), 5, 3);
  std::set<std::string> debug;
  std::set<std::int64_t> shards;
  for (const auto& seen : study) {
    debug.insert(std::get<std::string>(seen.config.at("debug")));
    shards.insert(std::get<std::int64_t>(seen.config.at("shards")));
  }
  CHECK(debug.size() == 2);
  CHECK(*shards.begin() == 1);
  CHECK(*shards.rbegin() == 16);
}

TEST_CASE("suggestions respect known constraints") {
  Task task = two_goals();
  KnownConstraint limit{.name = "threads", .terms = {}, .limit = 30};
  limit.terms.push_back({1.0, {"shards", "idle"}});
  task.space.known = {limit};
  for (const auto& seen : play(task, 15, 2)) CHECK(is_allowed(task.space, seen.config));
}

TEST_CASE("constraints that nothing satisfies are an error") {
  Task task = two_goals();
  KnownConstraint limit{.name = "threads", .terms = {}, .limit = 0.5};
  limit.terms.push_back({1.0, {"shards"}});
  task.space.known = {limit};
  CHECK_THROWS_AS(suggest(task, {}, 1), Error);
}

TEST_CASE("start points come right after the configuration as found") {
  Task task = two_goals();
  Config start = default_config(task.space);
  start["shards"] = std::int64_t{7};
  task.start_points = {start};
  const auto study = play(task, 2, 1);
  CHECK(study[1].config == start);
}

TEST_CASE("twenty trials find both ends of the trade-off") {
  const Conclusion found = conclude(two_goals(), play(two_goals(), 20, 1), 1);
  REQUIRE(found.front.size() >= 2);
  CHECK(truth(found.front.front().config)[0] > 0.97 * 11000);
  CHECK(truth(found.front.back().config)[1] < 1.06);
  const auto best = truth(found.candidate.config);
  CHECK(std::log(best[0]) - 0.5 * std::log(best[1]) > std::log(11000.0) - 0.15);
}

TEST_CASE("a layout other than the one as found is among the first, whatever the seed") {
  Task task;
  task.space.settings = {integer("osds_per_device", 1, 4, 1, Change::kRedeploy)};
  task.objectives = {{.name = "iops", .maximize = true}};
  task.restart_cost = 1;
  task.redeploy_cost = 30;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Observation found{.config = default_config(task.space), .values = std::vector<double>{1000}};
    CHECK(suggest(task, {found}, seed).config != found.config);
  }
}

TEST_CASE("where the budget is roomy, a bad value too is measured twice") {
  Task task = many_settings(1);
  task.space.settings = {category("debug", {std::string("1/5"), std::string("20/20")})};
  for (const bool roomy : {true, false}) {
    task.budget = roomy ? 6 : 5;
    std::vector<Observation> study;
    std::vector<std::string> seen;
    for (int i = 0; i < 5; ++i) {
      const Config next = suggest(task, study, 1).config;
      seen.push_back(std::get<std::string>(next.at("debug")));
      study.push_back(
          {.config = next, .values = {{seen.back() == "1/5" ? 3000.0 - i : 2000.0}}, .time = i + 1.0});
    }
    CHECK(std::count(seen.begin(), seen.end(), "20/20") == (roomy ? 2 : 1));
  }
}

TEST_CASE("two settings that undo each other are put back together") {
  Task task = many_settings(2);
  for (Setting& setting : task.space.settings) {
    setting.values = {std::int64_t{0}, std::int64_t{50}, std::int64_t{100}};
    setting.default_value = std::int64_t{0};
  }
  std::vector<Observation> study;
  for (const int a : {0, 50, 100})
    for (const int b : {0, 50, 100}) {
      const double apart = (a - b) / 100.0;
      const double hardly_better = 1 + 0.5e-5 * (a + b);
      study.push_back({.config = {{"s0", std::int64_t{a}}, {"s1", std::int64_t{b}}},
                       .values = {{1000 * hardly_better * std::exp(-apart * apart)}},
                       .time = static_cast<double>(study.size())});
    }
  CHECK(conclude(task, study, 1).candidate.config != default_config(task.space));
  task.groups = {{"s0", "s1"}};
  CHECK(conclude(task, study, 1).candidate.config == default_config(task.space));
}

TEST_CASE("where a redeploy is dear, few trials redeploy") {
  Task task = two_goals();
  task.space.settings[0].change = Change::kRedeploy;
  task.redeploy_cost = 5;
  task.restart_cost = 0.5;
  const auto study = play(task, 20, 3);
  int redeploys = 0;
  for (std::size_t i = 1; i < study.size(); ++i)
    redeploys +=
        change_between(task.space, study[i - 1].config, study[i].config) == Change::kRedeploy ? 1 : 0;
  CHECK(redeploys <= 10);
}

TEST_CASE("failures are learned from") {
  const Task task = two_goals();
  Random random(9);
  std::vector<Observation> study;
  int late_failures = 0;
  for (int i = 0; i < 24; ++i) {
    Observation seen = measured(suggest(task, study, 2).config, i + 1, random);
    if (std::get<std::int64_t>(seen.config.at("shards")) > 8) {
      seen.values.reset();
      late_failures += i >= 14 ? 1 : 0;
    }
    study.push_back(seen);
  }
  CHECK(late_failures <= 5);
  CHECK(std::get<std::int64_t>(conclude(task, study, 2).candidate.config.at("shards")) <= 8);
}

TEST_CASE("one setting and fifteen settings are both searched") {
  for (const int count : {1, 15}) {
    Task task = many_settings(count);
    Random random(3);
    std::vector<Observation> study;
    for (int i = 0; i < 14; ++i) {
      const Config next = suggest(task, study, 1).config;
      CHECK(is_allowed(task.space, next));
      Observation seen;
      seen.config = next;
      seen.values = {
          1000 * std::exp(std::sin(3 * static_cast<double>(std::get<std::int64_t>(next.at("s0"))) / 100))};
      study.push_back(seen);
    }
    const Conclusion found = conclude(task, study, 1);
    CHECK(found.candidate.mean[0] > 2300);  // 1000 exp(sin(1.5)) = 2711
  }
}

TEST_CASE("a setting whose condition does not hold stays as found") {
  Task task = two_goals();
  task.space.settings[2].when = SettingCondition{.setting = "debug", .values = {std::string("off")}};
  const auto study = play(task, 25, 3);
  int moved = 0;
  for (const auto& seen : study) {
    const bool active = seen.config.at("debug") == Value(std::string("off"));
    if (!active) CHECK(seen.config.at("idle") == Value(std::int64_t{3}));
    moved += active && seen.config.at("idle") != Value(std::int64_t{3}) ? 1 : 0;
  }
  CHECK(moved > 0);
  const Conclusion found = conclude(task, study, 3);
  for (const auto& point : found.front)
    if (point.config.at("debug") != Value(std::string("off")))
      CHECK(point.config.at("idle") == Value(std::int64_t{3}));
  task.space.settings[2].when->setting = "nothing";
  CHECK_THROWS_AS(suggest(task, {}, 1), Error);
}

TEST_CASE("knowledge is used where it is right and ignored where it is wrong") {
  const auto at = [](const Config& config, const char* name) {
    return static_cast<double>(std::get<std::int64_t>(config.at(name))) / 100;
  };
  const auto cost = [&](const Config& config) {
    return 4 * std::pow(at(config, "s0") - 0.9, 2) + 2 * std::pow(at(config, "s1") - 0.1, 2);
  };
  const auto lost_after = [&](int trials, const Trend& trend) {
    double lost = 0;
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      Task task = many_settings(6);
      task.trend = trend;
      Random random(seed);
      std::vector<Observation> study;
      for (int i = 0; i < trials; ++i) {
        const Config config = suggest(task, study, seed).config;
        study.push_back({.config = config,
                         .values = {{1000 * std::exp(-cost(config) + 0.05 * random.normal())}},
                         .time = i + 1.0});
      }
      lost += cost(conclude(task, study, seed).candidate.config) / 6;
    }
    return lost;
  };
  const auto expected = [&](const auto& costs) {
    return [&](const Config& config) { return std::vector<double>{costs(config)}; };
  };
  const auto wrong = [&](const Config& config) { return 2 * std::abs(at(config, "s2") - 0.8); };
  CHECK(lost_after(9, expected(cost)) < 0.5 * lost_after(9, {}));
  const double misled = lost_after(16, expected(wrong)), without = lost_after(16, {});
  CAPTURE(without);
  CAPTURE(misled);
  CAPTURE(misled);
  CHECK(misled < 1.3 * without + 0.01);
}
