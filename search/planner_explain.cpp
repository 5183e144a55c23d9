// SPDX-License-Identifier: Apache-2.0
// Whether the model deserves belief, what each setting does, and which settings depend on each other.
#include "search/planner_explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace osdtune {

namespace {

constexpr double kZ95 = 1.959963985;
constexpr double kLeastCovered = 0.85;  ///< of trials inside their 95 % interval
constexpr int kPlaces = 9;              ///< values shown of a setting with many
constexpr int kPairs = 256;             ///< random configurations for interactions

ModelCheck check_objective(const Objective& objective, const LeftOut& left_out,
                           const std::vector<double>& costs) {
  ModelCheck out;
  out.objective = objective.name;
  out.noise = left_out.noise_sd;
  if (left_out.drift) {
    out.drift = left_out.drift->first;
    out.drift_sd = left_out.drift->second;
  }
  const Eigen::VectorXd seen =
      Eigen::Map<const Eigen::VectorXd>(costs.data(), static_cast<Eigen::Index>(costs.size()));
  double inside = 0;
  for (Eigen::Index i = 0; i < seen.size(); ++i) {
    const double half = kZ95 * left_out.sd[i];
    const double a = from_cost(objective, left_out.mean[i] - half);
    const double b = from_cost(objective, left_out.mean[i] + half);
    out.measured.push_back(from_cost(objective, seen[i]));
    out.predicted.push_back(from_cost(objective, left_out.mean[i]));
    out.low.push_back(std::min(a, b));
    out.high.push_back(std::max(a, b));
    inside += std::abs(seen[i] - left_out.mean[i]) <= half ? 1 : 0;
  }
  const double total = (seen.array() - seen.mean()).square().sum();
  out.explained = total > 0 ? 1 - (seen - left_out.mean).squaredNorm() / total : 0;
  out.covered = inside / static_cast<double>(seen.size());
  out.passed = out.covered >= kLeastCovered && out.explained > 0;
  return out;
}

/// The values of a setting that are worth showing: all, or evenly spread ones.
std::vector<double> places(const Encoding& encoding, std::size_t setting) {
  std::vector<double> out;
  const std::size_t choices = encoding.choices(setting);
  const int count = choices > 0 && choices <= 17 ? static_cast<int>(choices) : kPlaces;
  for (int i = 0; i < count; ++i) {
    const double level = encoding.level(setting, count > 1 ? i / (count - 1.0) : 0.0);
    if (out.empty() || out.back() != level) out.push_back(level);
  }
  return out;
}

double relative(const Objective& objective, double gap, double base) {
  if (!objective.log) return base != 0 ? gap / std::abs(base) : 0;
  return objective.maximize ? std::expm1(gap) : -std::expm1(-gap);
}

Effect effect_of(const Task& task, const Encoding& encoding, const Response& response, const Levels& at,
                 std::size_t setting) {
  Effect out;
  out.setting = task.space.settings[setting].name;
  std::vector<Levels> line{at};
  for (const double level : places(encoding, setting)) {
    line.push_back(at);
    line.back()[setting] = level;
    line.back() = encoding.canonical(std::move(line.back()));
    out.values.push_back(encoding.config(line.back()).at(out.setting));
  }
  const Joint joint = response.predict_joint(encoding.columns(line));
  for (Eigen::Index i = 1; i < joint.mean.size(); ++i) {
    out.gain.push_back(joint.mean[0] - joint.mean[i]);
    const double variance = joint.covariance(0, 0) + joint.covariance(i, i) - 2 * joint.covariance(0, i);
    const double half = kZ95 * response.widening * std::sqrt(std::max(0.0, variance));
    out.gain_low.push_back(out.gain.back() - half);
    out.gain_high.push_back(out.gain.back() + half);
  }
  return out;
}

/// All terms of the variance that hold both settings: E[(f(x) - f(x_i) - f(x_j) + f(x_ij))^2] / 4.
std::vector<Interaction> interactions_of(const Encoding& encoding, const Response& response,
                                         std::size_t objective, Random& random) {
  std::vector<Levels> a, b;
  for (int i = 0; i < kPairs; ++i) {
    auto first = encoding.sample(random);
    auto second = encoding.sample(random);
    if (!first || !second) return {};
    a.push_back(std::move(*first));
    b.push_back(std::move(*second));
  }
  const auto moved = [&](std::size_t i, std::size_t j) {
    std::vector<Levels> out = a;
    for (std::size_t n = 0; n < out.size(); ++n) {
      out[n][i] = b[n][i];
      out[n][j] = b[n][j];
      out[n] = encoding.canonical(std::move(out[n]));
    }
    return response.mean(encoding.columns(out));
  };
  const Eigen::VectorXd base = response.mean(encoding.columns(a));
  const double variance = (base.array() - base.mean()).square().mean();
  std::vector<Eigen::VectorXd> single;
  for (std::size_t i = 0; i < encoding.size(); ++i) single.push_back(moved(i, i));
  std::vector<Interaction> out;
  for (std::size_t i = 0; i < encoding.size(); ++i)
    for (std::size_t j = i + 1; j < encoding.size(); ++j) {
      const double both = (base - single[i] - single[j] + moved(i, j)).squaredNorm() / (4.0 * kPairs);
      const auto& settings = encoding.space().settings;
      out.push_back({settings[i].name, settings[j].name, objective, variance > 0 ? both / variance : 0});
    }
  return out;
}

}  // namespace

std::vector<ModelCheck> checks_of(const Task& task, const Beliefs& beliefs,
                                  const std::vector<Record>& records) {
  std::vector<ModelCheck> out;
  for (std::size_t k = 0; k < beliefs.left_out.size(); ++k) {
    std::vector<double> costs;
    for (const Record& record : records)
      if (record.costs) costs.push_back((*record.costs)[k]);
    out.push_back(check_objective(task.objectives[k], beliefs.left_out[k], costs));
    out.back().disturbed =
        beliefs.suspicion.empty() ? std::vector<double>(costs.size(), 0.0) : beliefs.suspicion;
  }
  return out;
}

Effects effects_of(const Task& task, const Encoding& encoding, const Beliefs& beliefs, const Levels& at,
                   Random& random) {
  Effects out;
  for (std::size_t k = 0; k < task.objectives.size(); ++k) {
    const Response& response = beliefs.objectives[k];
    const double base = response.mean(encoding.columns(std::vector<Levels>{at}))[0];
    for (std::size_t s = 0; s < encoding.size(); ++s) {
      Effect effect = effect_of(task, encoding, response, at, s);
      effect.objective = k;
      for (auto* gains : {&effect.gain, &effect.gain_low, &effect.gain_high})
        for (double& gain : *gains) gain = relative(task.objectives[k], gain, base);
      out.settings.push_back(std::move(effect));
    }
    for (auto& interaction : interactions_of(encoding, response, k, random))
      out.interactions.push_back(interaction);
  }
  std::stable_sort(out.interactions.begin(), out.interactions.end(),
                   [](const Interaction& a, const Interaction& b) { return a.share > b.share; });
  return out;
}

std::vector<ModelCheck> check_model(const Task& task, const std::vector<Observation>& observations) {
  const Encoding encoding(task.space);
  const auto records = collect(task, encoding, observations);
  const auto checks = checks_of(task, learn(task, encoding, records, Purpose::kJudge), records);
  if (checks.empty())
    throw Error(ErrorKind::kInput,
                fmt::format("{} trials are too many to leave each one out", records.size()),
                "check the model on a part of the study");
  return checks;
}

}  // namespace osdtune
