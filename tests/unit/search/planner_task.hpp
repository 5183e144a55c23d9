// SPDX-License-Identifier: Apache-2.0
// A task with two objectives whose truth is known, and studies of it.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "search/planner.hpp"

namespace osdtune::test {

inline Setting integer(const std::string& name, int low, int high, int found,
                       Change change = Change::kRuntime) {
  Setting out;
  out.name = name;
  out.low = low;
  out.high = high;
  out.default_value = std::int64_t{found};
  out.change = change;
  return out;
}

inline Setting category(const std::string& name, const std::vector<Value>& values) {
  Setting out;
  out.name = name;
  out.kind = SettingKind::kCategory;
  out.values = values;
  out.default_value = values.front();
  return out;
}

/// IOPS peak at 10 shards, latency is lowest at 4; "off" adds 10 %; "idle" does nothing.
inline Task two_goals() {
  Task out;
  out.space.settings = {integer("shards", 1, 16, 2),
                        category("debug", {std::string("default"), std::string("off")}),
                        integer("idle", 1, 8, 3)};
  out.objectives = {{.name = "iops", .maximize = true}, {.name = "p99_ms", .weight = 0.5}};
  return out;
}

inline std::vector<double> truth(const Config& config) {
  const auto shards = static_cast<double>(std::get<std::int64_t>(config.at("shards")));
  const double debug = std::get<std::string>(config.at("debug")) == "off" ? 1.1 : 1.0;
  return {10000 * debug * std::exp(-0.004 * (shards - 10) * (shards - 10)),
          std::exp(0.01 * (shards - 4) * (shards - 4))};
}

inline Observation measured(const Config& config, double time, Random& random, double shift = 0) {
  const auto exact = truth(config);
  Observation out;
  out.config = config;
  out.values = {exact[0] * std::exp(shift + 0.03 * random.normal()),
                exact[1] * std::exp(-1.5 * shift + 0.03 * random.normal())};
  out.time = time;
  return out;
}

template <class Shift>
std::vector<Observation> play(const Task& task, int trials, std::uint64_t seed, Shift shift) {
  Random random(seed + 100);
  std::vector<Observation> out;
  for (int i = 0; i < trials; ++i)
    out.push_back(measured(suggest(task, out, seed).config, i + 1, random, shift(i)));
  return out;
}

inline std::vector<Observation> play(const Task& task, int trials, std::uint64_t seed) {
  return play(task, trials, seed, [](int) { return 0.0; });
}

inline Task many_settings(int count) {
  Task out;
  for (int i = 0; i < count; ++i) out.space.settings.push_back(integer("s" + std::to_string(i), 0, 100, 50));
  out.objectives = {{.name = "iops", .maximize = true}};
  return out;
}

/// s0 matters much, s1 a little.
inline Observation simple(const Config& config, Random& random) {
  const auto at = [&](const char* name) {
    return static_cast<double>(std::get<std::int64_t>(config.at(name))) / 100;
  };
  Observation out;
  out.config = config;
  out.values = {1000 * std::exp(std::sin(3 * at("s0")) + 0.3 * at("s1") + 0.05 * random.normal())};
  return out;
}

inline Config anywhere(const Task& task, Random& random) {
  Config out;
  for (const auto& s : task.space.settings) out[s.name] = static_cast<std::int64_t>(random.index(101));
  return out;
}

}  // namespace osdtune::test
