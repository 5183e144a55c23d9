// SPDX-License-Identifier: Apache-2.0
// What the planner believes of a study: choice, front, gains, effects.
#include "search/planner.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/error.hpp"
#include "core/random.hpp"
#include "tests/unit/search/planner_task.hpp"

using namespace osdtune;
using namespace osdtune::test;
using doctest::Approx;

TEST_CASE("a gain is significant only if the weights are for it") {
  Task iops_alone = two_goals();
  iops_alone.objectives.pop_back();
  auto study = play(two_goals(), 20, 1);
  const Conclusion both = conclude(two_goals(), study, 1);
  CHECK(both.significant == (both.choice.config != both.baseline.config));
  if (both.significant) CHECK(both.choice.better >= 0.975);
  for (auto& seen : study) seen.values->pop_back();
  const Conclusion one = conclude(iops_alone, study, 1);
  CHECK(one.significant);
  CHECK(one.choice.better >= 0.975);
  CHECK(one.choice.gain_low[0] > 0.2);  // 11,000 against 7,741: +42 %
}

TEST_CASE("a setting without effect stays as found and has less influence than one that matters") {
  const Conclusion found = conclude(two_goals(), play(two_goals(), 25, 2), 2);
  CHECK(found.choice.config.at("idle") == default_config(two_goals().space).at("idle"));
  CHECK(found.influences[0].share[0] > 0.6);
  CHECK(found.influences[2].share[0] < 0.5 * found.influences[0].share[0]);
}

TEST_CASE("the order of trials does not matter where time does not") {
  auto study = play(two_goals(), 10, 6);
  for (auto& seen : study) seen.time = 0;
  const Conclusion before = conclude(two_goals(), study, 6);
  std::reverse(study.begin(), study.end());
  const Conclusion after = conclude(two_goals(), study, 6);
  CHECK(before.choice.config == after.choice.config);
  CHECK(before.choice.mean == after.choice.mean);
  CHECK(before.front.size() == after.front.size());
}

TEST_CASE("one disturbed run of the best configuration does not hide it") {
  auto study = play(two_goals(), 20, 7);
  const Conclusion before = conclude(two_goals(), study, 7);
  Random random(1);
  study.push_back(measured(before.candidate.config, 21, random, 0.0));
  study.push_back(measured(before.candidate.config, 22, random, -0.6));
  const Conclusion after = conclude(two_goals(), study, 7);
  CHECK(after.candidate.mean[0] == Approx(before.candidate.mean[0]).epsilon(0.08));
  const ModelCheck check = check_model(two_goals(), study).front();
  CHECK(*std::max_element(check.disturbed.begin(), check.disturbed.end()) > 0.9);
}

TEST_CASE("drift is told from progress by repeats") {
  const auto study = play(two_goals(), 40, 8, [](int i) { return -0.01 * i; });
  const Conclusion found = conclude(two_goals(), study, 8);
  const auto base = truth(found.baseline.config);
  CHECK(found.baseline.mean[0] == Approx(base[0]).epsilon(0.08));
  CHECK(truth(found.choice.config)[0] > 10000);
  const ModelCheck check = check_model(two_goals(), study).front();
  REQUIRE(check.drift.has_value());
  CHECK(*check.drift == Approx(0.39).epsilon(0.3));  // of a cost: IOPS fall
}

TEST_CASE("a measured constraint keeps the choice on its good side") {
  Task task = two_goals();
  task.constraints = {"memory"};
  Random random(4);
  std::vector<Observation> study;
  for (int i = 0; i < 20; ++i) {
    study.push_back(measured(suggest(task, study, 1).config, i + 1, random));
    const auto shards = static_cast<double>(std::get<std::int64_t>(study.back().config.at("shards")));
    study.back().constraints = {shards / 6.5 - 1 + 0.01 * random.normal()};
  }
  const Conclusion found = conclude(task, study, 1);
  CHECK(std::get<std::int64_t>(found.choice.config.at("shards")) <= 6);
  CHECK(found.choice.feasible > 0.5);
}

TEST_CASE("equal results are no gain") {
  Task task = two_goals();
  std::vector<Observation> study;
  for (int i = 0; i < 12; ++i) {
    Observation seen;
    seen.config = suggest(task, study, 1).config;
    seen.values = {5000.0, 2.0};
    seen.time = i + 1;
    study.push_back(seen);
  }
  const Conclusion found = conclude(task, study, 1);
  CHECK_FALSE(found.significant);
  CHECK(found.choice.config == default_config(task.space));
  CHECK(found.choice.mean[0] == Approx(5000.0));
}

TEST_CASE("one trial is enough for an answer, none or only failures are not") {
  const Task task = two_goals();
  Random random(1);
  const Conclusion found = conclude(task, {measured(default_config(task.space), 1, random)}, 1);
  CHECK_FALSE(found.significant);
  CHECK_THROWS_AS(conclude(task, {}, 1), Error);
  std::vector<Observation> failures;
  for (int i = 0; i < 8; ++i) {
    Observation seen;
    seen.config = suggest(task, failures, 1).config;
    CHECK(is_allowed(task.space, seen.config));
    failures.push_back(seen);
  }
  CHECK_THROWS_AS(conclude(task, failures, 1), Error);
}

TEST_CASE("values that are not numbers, have no logarithm or do not fit are refused") {
  const Task task = two_goals();
  Observation seen;
  seen.config = default_config(task.space);
  for (const auto& bad :
       {std::vector<double>{std::nan(""), 1.0}, std::vector<double>{0.0, 1.0}, std::vector<double>{1.0}}) {
    seen.values = bad;
    CHECK_THROWS_AS(suggest(task, {seen}, 1), Error);
    CHECK_THROWS_AS(conclude(task, {seen}, 1), Error);
  }
  seen.values = {1.0, 1.0};
  seen.config.erase("shards");
  CHECK_THROWS_AS(suggest(task, {seen}, 1), Error);
}

TEST_CASE("95 % intervals hold the noise-free value at points that were not measured") {
  const Task task = many_settings(3);
  int inside = 0;
  int total = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Random random(seed);
    std::vector<Observation> study;
    for (int i = 0; i < 30; ++i) study.push_back(simple(anywhere(task, random), random));
    const auto predictions = predict_configs(
        task, study,
        {anywhere(task, random), anywhere(task, random), anywhere(task, random), anywhere(task, random)});
    for (const auto& at : predictions) {
      const auto unit = [&](const char* name) {
        return static_cast<double>(std::get<std::int64_t>(at.config.at(name))) / 100;
      };
      const double exact = 1000 * std::exp(std::sin(3 * unit("s0")) + 0.3 * unit("s1"));
      inside += at.low[0] <= exact && exact <= at.high[0] ? 1 : 0;
      ++total;
    }
  }
  CHECK(inside >= 0.875 * total);
}

TEST_CASE("a large study is answered from merged configurations and agrees with a part of it") {
  const Task task = many_settings(8);
  Random random(5);
  std::vector<Observation> study;
  for (int i = 0; i < 1000; ++i) study.push_back(simple(anywhere(task, random), random));
  const std::vector<Observation> part(study.begin(), study.begin() + 400);
  const Conclusion all = conclude(task, study, 1);
  const auto near = predict_configs(task, part, {all.candidate.config, default_config(task.space)});
  CHECK(all.candidate.mean[0] == Approx(near[0].mean[0]).epsilon(0.05));
  CHECK(all.baseline.mean[0] == Approx(near[1].mean[0]).epsilon(0.05));
  CHECK(std::get<std::int64_t>(all.candidate.config.at("s1")) > 70);
}

TEST_CASE("effects and interactions name the settings that matter") {
  const auto study = play(two_goals(), 25, 3);
  const Effects effects = conclude(two_goals(), study, 1).effects;
  REQUIRE(effects.settings.size() == 6);
  const Effect& shards = effects.settings[0];
  CHECK(shards.values.size() == 16);
  const double exact =
      truth({{"shards", std::int64_t{10}}, {"debug", std::string("default")}, {"idle", std::int64_t{3}}})[0] /
          truth(default_config(two_goals().space))[0] -
      1;
  CHECK(shards.gain_low[9] < exact);
  CHECK(shards.gain_high[9] > exact);
  CHECK(effects.interactions.front().share < 0.3);
}

TEST_CASE("noise alone does not end in a gain, and a gain of a fifth is seen") {
  const auto gains = [](double effect) {
    int count = 0;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      Task task;
      task.space.settings = {integer("a", 1, 8, 8), integer("b", 1, 4, 2), integer("c", 0, 1, 1)};
      task.objectives = {{.name = "iops", .maximize = true}, {.name = "p99_ms", .weight = 0.5}};
      Random random(seed);
      std::vector<Observation> study;
      for (int i = 0; i < 14; ++i) {
        const Config config = suggest(task, study, seed).config;
        const double shift = std::get<std::int64_t>(config.at("c")) == 0 ? effect : 0;
        study.push_back({.config = config,
                         .values = std::vector<double>{std::exp(8 + shift + 0.04 * random.normal()),
                                                       std::exp(2 - shift + 0.04 * random.normal())},
                         .time = static_cast<double>(i)});
      }
      count += conclude(task, study, seed).significant ? 1 : 0;
    }
    return count;
  };
  CHECK(gains(0) <= 1);
  CHECK(gains(0.2) >= 7);
}
