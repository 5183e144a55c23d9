// SPDX-License-Identifier: Apache-2.0
// The planner's two questions: what to measure next, and what to believe.
#include "search/planner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "search/planner_acquisition.hpp"
#include "search/planner_prices.hpp"
#include "search/planner_recommend.hpp"
#include "search/planner_start.hpp"

namespace osdtune {

namespace {

constexpr std::size_t kFrontLimit = 10;
constexpr std::size_t kMergeFrom = 500;  ///< observations from which equal configurations become one

void check(const Task& task) {
  if (task.objectives.empty() || task.objectives.size() > 2)
    throw Error(ErrorKind::kInput,
                fmt::format("{} objectives: the planner handles one or two", task.objectives.size()));
}

std::vector<Record> prepared(const Task& task, const Encoding& encoding,
                             const std::vector<Observation>& observations) {
  std::vector<Record> records = collect(task, encoding, observations);
  return records.size() >= kMergeFrom ? merge(records) : records;
}

/// Trials since some configuration was measured for the second time.
std::size_t trials_since_repeat(const std::vector<Levels>& history) {
  for (std::size_t back = 0; back < history.size(); ++back) {
    const std::size_t at = history.size() - 1 - back;
    const auto end = history.begin() + static_cast<std::ptrdiff_t>(at);
    if (std::find(history.begin(), end, history[at]) != end) return back;
  }
  return history.size();
}

}  // namespace

Suggestion suggest(const Task& task, const std::vector<Observation>& observations, std::uint64_t seed) {
  check(task);
  const Encoding encoding(task.space);
  const auto design = initial_design(task, encoding, seed);
  if (observations.empty()) return {default_config(task.space), "baseline"};
  std::vector<Levels> history;
  std::size_t good = 0;
  for (const auto& seen : observations) {
    history.push_back(encoding.levels(seen.config));
    good += seen.values ? 1 : 0;
  }
  if (good < design.size())
    for (const auto& levels : design)
      if (std::find(history.begin(), history.end(), levels) == history.end())
        return {encoding.config(levels), "initial"};
  Random random(mix_seed(seed, observations.size()));
  const auto records = prepared(task, encoding, observations);
  if (good == 0) {
    const auto levels = encoding.sample(random);
    return {levels ? encoding.config(*levels) : default_config(task.space), "initial"};
  }
  const Levels found = encoding.levels(default_config(task.space));
  if (8 > 0 && trials_since_repeat(history) >= static_cast<std::size_t>(8)) {
    // The cheapest to reach; of these the configuration as found, else the oldest.
    Levels best = found;
    for (std::size_t i = 0; i < history.size(); ++i)
      if (observations[i].values &&
          price(task, encoding, history.back(), history[i]) < price(task, encoding, history.back(), best))
        best = history[i];
    return {encoding.config(best), "control"};
  }
  const Beliefs beliefs = learn(task, encoding, records);
  const auto every = static_cast<std::size_t>(0);
  const bool two = task.objectives.size() == 2;
  const Aim aim = !two || (every > 0 && observations.size() % every == 0) ? Aim::kUtility : Aim::kFront;
  const Acquisition acquisition(task, encoding, beliefs, aim, random);
  return {encoding.config(best_candidate(task, encoding, beliefs, acquisition, history.back(), random)),
          "model"};
}

Conclusion conclude(const Task& task, const std::vector<Observation>& observations, std::uint64_t seed) {
  check(task);
  const Encoding encoding(task.space);
  Random random(mix_seed(seed, 1000003 + observations.size()));
  const Beliefs beliefs = learn(task, encoding, prepared(task, encoding, observations));
  const auto pool = promising(task, encoding, beliefs, random);
  Conclusion out;
  out.baseline = predict(task, encoding, beliefs, encoding.levels(default_config(task.space)));
  for (const auto& levels : best_set(task, encoding, beliefs, pool, kFrontLimit, random))
    out.front.push_back(predict(task, encoding, beliefs, levels));
  std::stable_sort(out.front.begin(), out.front.end(), [&](const Prediction& a, const Prediction& b) {
    return to_cost(task.objectives[0], a.mean[0]) < to_cost(task.objectives[0], b.mean[0]);
  });
  out.candidate = predict(task, encoding, beliefs, best_single(task, encoding, beliefs, pool, random));
  const auto& gains = out.candidate;
  const bool better =
      std::any_of(gains.gain_low.begin(), gains.gain_low.end(), [](double g) { return g > 0; });
  const bool worse =
      std::any_of(gains.gain_high.begin(), gains.gain_high.end(), [](double g) { return g < 0; });
  out.significant = better && !worse;
  out.choice = out.significant ? out.candidate : out.baseline;
  out.influences = influences(task, encoding, beliefs, random);
  return out;
}

}  // namespace osdtune
