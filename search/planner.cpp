// SPDX-License-Identifier: Apache-2.0
// The planner's two questions: what to measure next, and what to believe.
#include "search/planner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "search/planner_acquisition.hpp"
#include "search/planner_explain.hpp"
#include "search/planner_prices.hpp"
#include "search/planner_recommend.hpp"
#include "search/planner_start.hpp"

namespace osdtune {

namespace {

constexpr std::size_t kFrontLimit = 10;
constexpr std::size_t kJudged = 160;   ///< records; with more the prior does not matter
constexpr double kConfirmShare = 0.1;  ///< of the budget, at its end, goes into what would be recommended
constexpr double kRoomy = 3;           ///< measurements of every configuration that there is

void check(const Task& task) {
  if (task.objectives.empty() || task.objectives.size() > 2)
    throw Error(ErrorKind::kInput,
                fmt::format("{} objectives: the planner handles one or two", task.objectives.size()));
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

/// What was measured so far, in order.
struct History {
  std::vector<Levels> levels;
  std::vector<bool> has_values;
  std::size_t good = 0;
};

History history_of(const Encoding& encoding, const std::vector<Observation>& observations) {
  History out;
  for (const auto& seen : observations) {
    out.levels.push_back(encoding.levels(seen.config));
    out.has_values.push_back(seen.values.has_value());
    out.good += seen.values ? 1 : 0;
  }
  return out;
}

/// The configuration as found, or the earliest measured one if that is cheaper to reach: any repeat shows
/// drift.
Levels control_run(const Task& task, const Encoding& encoding, const History& history) {
  Levels best = encoding.levels(default_config(task.space));
  const Levels& here = history.levels.back();
  for (std::size_t i = 0; i < history.levels.size(); ++i)
    if (history.has_values[i] &&
        price(task, encoding, here, history.levels[i]) < price(task, encoding, here, best))
      best = history.levels[i];
  return best;
}

/// The cheapest configuration that was measured once, where the budget could pay for measuring all there are
/// several times: one measurement alone may have been disturbed, and a search would never come back to a bad
/// one.
std::optional<Levels> measured_once(const Task& task, const Encoding& encoding, const History& history) {
  double configurations = 1;
  for (std::size_t s = 0; s < encoding.size(); ++s) {
    const std::size_t choices = encoding.choices(s);
    configurations *= choices > 0 ? static_cast<double>(choices) : std::numeric_limits<double>::infinity();
  }
  if (kRoomy * configurations > task.budget.value_or(0)) return std::nullopt;
  const Levels& here = history.levels.back();
  const Levels* best = nullptr;
  for (std::size_t i = 0; i < history.levels.size(); ++i) {
    const Levels& levels = history.levels[i];
    if (!history.has_values[i] || std::count(history.levels.begin(), history.levels.end(), levels) > 1)
      continue;
    if (!best || price(task, encoding, here, levels) < price(task, encoding, here, *best)) best = &levels;
  }
  return best ? std::optional(*best) : std::nullopt;
}

/// Of what would be recommended now, the least certain for its price.
std::optional<Levels> doubtful(const Task& task, const Encoding& encoding, const Beliefs& beliefs,
                               const Levels& here, Random& random) {
  const auto pool = promising(task, encoding, beliefs, random);
  auto set = best_set(encoding, beliefs, pool, kFrontLimit, random);
  if (task.objectives.size() == 1) set = {best_single(task, encoding, beliefs, pool, random)};
  if (set.empty()) return std::nullopt;
  const Eigen::MatrixXd x = encoding.columns(set);
  Eigen::VectorXd doubt = Eigen::VectorXd::Zero(x.rows());
  for (const Response& response : beliefs.objectives)
    doubt += response.predict(x).variance / (response.scale * response.scale);
  for (std::size_t i = 0; i < set.size(); ++i)
    doubt[static_cast<Eigen::Index>(i)] /= std::pow(1 + price(task, encoding, here, set[i]), 2);
  Eigen::Index most = 0;
  doubt.maxCoeff(&most);
  return set[static_cast<std::size_t>(most)];
}

/// Proven better by the weights, and in one objective by itself.
bool is_better(const Prediction& prediction) {
  const auto& low = prediction.gain_low;
  return prediction.better >= 0.975 && std::any_of(low.begin(), low.end(), [](double g) { return g > 0; });
}

}  // namespace

Suggestion suggest(const Task& task, const std::vector<Observation>& observations, std::uint64_t seed) {
  check(task);
  const Encoding encoding(task.space, task.trend);
  const auto design = initial_design(task, encoding, seed);
  if (observations.empty())
    return {.config = default_config(task.space), .reason = "baseline", .promise = {}};
  Random random(mix_seed(seed, observations.size()));
  const auto records = prepare(task, encoding, observations);
  const History history = history_of(encoding, observations);
  if (history.good < design.size())
    for (const auto& levels : design)
      if (std::find(history.levels.begin(), history.levels.end(), levels) == history.levels.end())
        return {.config = encoding.config(levels), .reason = "initial", .promise = {}};
  if (history.good == 0) {
    const auto levels = encoding.sample(random);
    return {.config = levels ? encoding.config(*levels) : default_config(task.space),
            .reason = "initial",
            .promise = {}};
  }
  if (const auto levels = measured_once(task, encoding, history))
    return {.config = encoding.config(*levels), .reason = "replicate", .promise = {}};
  if (trials_since_repeat(history.levels) >= task.control_every)
    return {
        .config = encoding.config(control_run(task, encoding, history)), .reason = "control", .promise = {}};
  const Beliefs beliefs = learn(task, encoding, records, Purpose::kSearch);
  if (task.budget && observations.back().time >= (1 - kConfirmShare) * *task.budget)
    if (const auto levels = doubtful(task, encoding, beliefs, history.levels.back(), random))
      return {.config = encoding.config(*levels), .reason = "confirm", .promise = {}};
  const Aim aim = task.objectives.size() == 2 ? Aim::kFront : Aim::kUtility;
  const Acquisition acquisition(task, encoding, beliefs, aim, random);
  const Levels best = best_candidate(task, encoding, beliefs, acquisition, history.levels.back(), random);
  return {.config = encoding.config(best),
          .reason = "model",
          .promise = acquisition.promise(encoding.columns(std::vector<Levels>{best}))};
}

int confirmed_budget(int trials) {
  return static_cast<int>(std::ceil(trials / (1 - kConfirmShare)));
}

Conclusion conclude(const Task& task, const std::vector<Observation>& observations, std::uint64_t seed) {
  check(task);
  const Encoding encoding(task.space);
  Random random(mix_seed(seed, 1000003 + observations.size()));
  const auto records = prepare(task, encoding, observations);
  const Levels found = encoding.levels(default_config(task.space));
  const bool many = records.size() > kJudged;
  const Encoding hopeful(task.space, many ? Trend() : task.trend);
  const Beliefs hopes = learn(task, hopeful, records, Purpose::kSearch);
  const Beliefs beliefs = many ? hopes : learn(task, encoding, records, Purpose::kJudge);
  const auto pool = promising(task, hopeful, hopes, random);
  Conclusion out;
  for (const auto& levels : best_set(hopeful, hopes, pool, kFrontLimit, random))
    out.front.push_back(predict(task, encoding, beliefs, levels));
  std::stable_sort(out.front.begin(), out.front.end(), [&](const Prediction& a, const Prediction& b) {
    return to_cost(task.objectives[0], a.mean[0]) < to_cost(task.objectives[0], b.mean[0]);
  });
  const Levels best = simplest(task, hopeful, hopes, best_single(task, hopeful, hopes, pool, random));
  const auto judged = [&](const Levels& levels) {
    return predict(task, encoding, beliefs, levels, doubt(task, encoding, beliefs, levels));
  };
  out.baseline = predict(task, encoding, beliefs, found);
  out.candidate = judged(best);
  const Prediction plain = judged(supported(task, encoding, beliefs, best));
  out.significant = is_better(plain) || is_better(out.candidate);
  out.choice = is_better(plain) ? plain : out.significant ? out.candidate : out.baseline;
  out.influences = influences(task, encoding, beliefs, random);
  out.effects = effects_of(task, encoding, beliefs, found, random);
  out.checks = checks_of(task, beliefs, records);
  return out;
}

std::vector<Prediction> predict_configs(const Task& task, const std::vector<Observation>& observations,
                                        const std::vector<Config>& configs) {
  check(task);
  const Encoding encoding(task.space);
  const Beliefs beliefs = learn(task, encoding, prepare(task, encoding, observations), Purpose::kJudge);
  std::vector<Prediction> out;
  for (const auto& config : configs) out.push_back(predict(task, encoding, beliefs, encoding.levels(config)));
  return out;
}

}  // namespace osdtune
