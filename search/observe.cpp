// SPDX-License-Identifier: Apache-2.0
// Means of counted runs become objective values; bounds become constraints.
#include "search/observe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/units.hpp"
#include "knowledge/graph.hpp"
#include "search/host_study.hpp"

namespace osdtune {
namespace {

/// Prices in units of one trial's load, from what a restart (about 10 s) and a redeploy with prefill (about
/// 60 s) take on a lab; measured prices take their place once the study has some.
constexpr double kRestartSeconds = 10;
constexpr double kRedeploySeconds = 60;

/// A single small promise may be an accident of the model's last fit.
constexpr int kSmallPromises = 4;

std::vector<double> values_of(const std::vector<Run>& runs, const std::string& metric) {
  std::vector<double> values;
  for (const auto& run : runs)
    if (const auto value = metric_of(run, metric)) values.push_back(*value);
  return values;
}

/// Geometric mean: the objectives are compared in per cent.
std::optional<double> mean_of(const Trial& trial, const Metric& metric) {
  const auto values = values_of(counted_runs(trial, metric.workload), metric.name);
  if (values.empty() || std::any_of(values.begin(), values.end(), [](double v) { return v <= 0; }))
    return std::nullopt;
  double sum = 0;
  for (const double v : values) sum += std::log(v);
  return std::exp(sum / static_cast<double>(values.size()));
}

/// <= 0 where the bound holds; the log-ratio says by how much it is missed.
std::vector<double> constraints_of(const Trial& trial, const std::vector<Bound>& bounds) {
  std::vector<double> constraints;
  for (const auto& bound : bounds) {
    const auto value = mean_of(trial, bound.metric);
    if (!value) return {};
    if (bound.max) constraints.push_back(std::log(*value / *bound.max));
    if (bound.min) constraints.push_back(std::log(*bound.min / *value));
  }
  return constraints;
}

/// repeats[r] = {objective 0 in run r, objective 1 in run r}, for as many runs as both have.
std::vector<std::vector<double>> repeats_of(const Trial& trial, const Goal& goal) {
  const auto first = values_of(counted_runs(trial, goal.maximize.workload), goal.maximize.name);
  const auto second = values_of(counted_runs(trial, goal.minimize.workload), goal.minimize.name);
  std::vector<std::vector<double>> repeats;
  for (std::size_t r = 0; r < std::min(first.size(), second.size()); ++r)
    repeats.push_back({first[r], second[r]});
  return repeats;
}

/// Mean seconds that trials of the study spent on a phase when they did, or the fallback.
double price(const Study& study, const std::string& phase, double fallback) {
  double sum = 0;
  int count = 0;
  for (const auto& trial : study.trials) {
    if (!trial.verdict) continue;
    const auto it = trial.verdict->seconds.find(phase);
    if (it != trial.verdict->seconds.end() && it->second > 0.5) sum += it->second, ++count;
  }
  return count > 0 ? sum / count : fallback;
}

}  // namespace

int worthwhile_trials(const Study& study) {
  const Budget& budget = study.header->plan.budget;
  int small = 0;
  for (std::size_t i = 0; i < study.trials.size(); ++i) {
    const auto& promise = study.trials[i].promise;
    if (promise) small = *promise < budget.min_gain ? small + 1 : 0;
    if (small == kSmallPromises) return std::min(budget.trials, confirmed_budget(static_cast<int>(i) + 1));
  }
  return budget.trials;
}

std::vector<double> preference_weights(Preference preference) {
  if (preference == Preference::kIops) return {1.0, 0.2};
  if (preference == Preference::kLatency) return {0.2, 1.0};
  return {1.0, 0.5};
}

std::vector<std::vector<std::string>> interacting_settings(const Space& space) {
  std::vector<std::string> names;
  for (const Setting& setting : space.settings) names.push_back(setting.name);
  auto groups = KnowledgeGraph(load_catalogue()).groups(names);
  std::erase_if(groups, [](const auto& group) { return group.size() < 2; });
  return groups;
}

Task make_task(const Study& study) {
  const StudyHeader& header = *study.header;
  const Goal& goal = header.plan.goal;
  const auto weights = preference_weights(goal.prefer);
  Task task{.space = header.space};
  task.objectives = {{.name = to_text(goal.maximize), .maximize = true, .weight = weights[0]},
                     {.name = to_text(goal.minimize), .maximize = false, .weight = weights[1]}};
  for (const auto& bound : goal.bounds) {
    if (bound.max) task.constraints.push_back(to_text(bound.metric) + " max");
    if (bound.min) task.constraints.push_back(to_text(bound.metric) + " min");
  }
  const double trial_seconds = load_seconds(header.plan, false);
  task.restart_cost = price(study, to_text(Phase::kRestart), kRestartSeconds) / trial_seconds;
  task.redeploy_cost = price(study, to_text(Phase::kRedeploy), kRedeploySeconds) / trial_seconds;
  task.budget = worthwhile_trials(study);
  task.control_every = static_cast<std::size_t>(header.plan.measure.control_every);
  return task;
}

Task informed_task(const Study& study) {
  Task task = make_task(study);
  task.groups = interacting_settings(task.space);
  task.trend = host_trend(study);
  return task;
}

std::optional<std::vector<double>> objective_values(const Study& study, const Trial& trial) {
  if (!trial.verdict || !trial.verdict->feasible) return std::nullopt;
  const Goal& goal = study.header->plan.goal;
  const auto first = mean_of(trial, goal.maximize), second = mean_of(trial, goal.minimize);
  if (!first || !second) return std::nullopt;
  return std::vector<double>{*first, *second};
}

std::vector<Observation> observe(const Study& study) {
  const Goal& goal = study.header->plan.goal;
  std::vector<Observation> observations;
  for (const auto& trial : study.trials) {
    if (!trial.verdict) continue;
    Observation observation{.config = trial.config, .time = static_cast<double>(observations.size())};
    observation.values = objective_values(study, trial);
    if (observation.values) {
      observation.constraints = constraints_of(trial, goal.bounds);
      observation.repeats = repeats_of(trial, goal);
    }
    observations.push_back(std::move(observation));
  }
  return observations;
}

std::string best_in_words(const Study& study) {
  const auto weights = preference_weights(study.header->plan.goal.prefer);
  const Config found = default_config(study.header->space);
  const Observation* best = nullptr;
  const auto utility = [&](const Observation& o) {
    return weights[0] * std::log((*o.values)[0]) - weights[1] * std::log((*o.values)[1]);
  };
  const auto observations = observe(study);
  for (const auto& observation : observations)
    if (observation.values && (best == nullptr || utility(observation) > utility(*best))) best = &observation;
  if (best == nullptr) return "";
  std::string changes;
  for (const auto& [name, value] : best->config)
    if (value != found.at(name)) changes += fmt::format(" {}={}", name, to_text(value));
  return fmt::format("{} {}, {} {} {}", format_number((*best->values)[0]),
                     study.header->plan.goal.maximize.name, study.header->plan.goal.minimize.name,
                     format_number((*best->values)[1]), changes.empty() ? "as found" : "with" + changes);
}

}  // namespace osdtune
