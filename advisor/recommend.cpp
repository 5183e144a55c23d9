// SPDX-License-Identifier: Apache-2.0
// Wording of recommendations.
#include "advisor/recommend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/units.hpp"
#include "search/space.hpp"

namespace osdtune {
namespace {

/// Ten minutes, as facts F14 and F15 ask for; below one minute caches are measured rather than the cluster.
constexpr double kHonestRuntime = 600;
constexpr double kQuickRuntime = 60;
/// Settings below this share of an objective's variance are not worth a line.
constexpr double kShownShare = 0.02;

int count_infeasible(const Study& study) {
  return static_cast<int>(std::count_if(study.trials.begin(), study.trials.end(), [](const Trial& trial) {
    return trial.verdict && !trial.verdict->feasible;
  }));
}

int count_lost(const Study& study) {
  int lost = 0;
  for (const auto& trial : study.trials) lost += static_cast<int>(trial.lost.size());
  return lost;
}

std::vector<std::string> cautions_of(const Study& study) {
  const StudyHeader& header = *study.header;
  std::vector<std::string> cautions;
  if (header.simulated) cautions.push_back("SIMULATED: no number here was measured on a cluster");
  if (header.plan.measure.runtime_s < kQuickRuntime)
    cautions.push_back(
        fmt::format("quick look: runs of {} s show caches and noise; decide on runs of {} s or more",
                    format_number(header.plan.measure.runtime_s), kHonestRuntime));
  if (header.plan.measure.repeats < 3)
    cautions.push_back("fewer than 3 runs per trial: the noise is known only roughly");
  if (const int lost = count_lost(study))
    cautions.push_back(fmt::format("{} run(s) gave no result; their reasons are in the study", lost));
  return cautions;
}

std::string value_text(double value, double low, double high) {
  return fmt::format("{} ({} .. {})", format_number(value), format_number(low), format_number(high));
}

/// One line per objective: name, as found, chosen, gain.
std::string comparison(const Conclusion& conclusion, const Task& task, const Prediction& chosen) {
  std::string out =
      fmt::format("{:<20} {:<28} {:<28} {}\n", "", "as found", "recommended", "gain (95 % interval)");
  for (std::size_t i = 0; i < task.objectives.size(); ++i) {
    const Prediction& base = conclusion.baseline;
    out += fmt::format("{:<20} {:<28} {:<28} {}\n", task.objectives[i].name,
                       value_text(base.mean[i], base.low[i], base.high[i]),
                       value_text(chosen.mean[i], chosen.low[i], chosen.high[i]),
                       gain_text(chosen.gain[i], chosen.gain_low[i], chosen.gain_high[i]));
  }
  return out;
}

std::string changes_text(const Config& config, const Space& space) {
  std::string out;
  for (const auto& setting : space.settings) {
    const Value& value = config.at(setting.name);
    if (value == setting.default_value) continue;
    out += fmt::format("  {:<34} {} -> {}  ({})\n", setting.name, to_text(setting.default_value),
                       to_text(value), to_text(setting.change));
  }
  return out;
}

std::string choice_text(const Conclusion& conclusion, const Task& task) {
  const Config changed = changed_settings(conclusion.choice.config, task.space);
  if (!conclusion.significant || changed.empty()) {
    std::string out = "No significant gain over the configuration as found. Leave it as it is.\n";
    const Prediction& candidate = conclusion.candidate;
    const Config tried = changed_settings(candidate.config, task.space);
    if (tried.empty()) return out;
    out += fmt::format("\nThe best candidate, {}, is not proven better:\n", to_text(tried));
    return out + comparison(conclusion, task, candidate);
  }
  std::string out =
      fmt::format("Recommended: change {} of {} settings\n", changed.size(), task.space.settings.size());
  out += changes_text(conclusion.choice.config, task.space) + "\n" +
         comparison(conclusion, task, conclusion.choice);
  if (!conclusion.choice.measured)
    out += "This configuration was not measured itself: the numbers are the model's.\n";
  return out;
}

std::string influence_text(const Conclusion& conclusion, const Task& task) {
  auto influences = conclusion.influences;
  const auto most = [](const Influence& i) {
    return i.share.empty() ? 0.0 : *std::max_element(i.share.begin(), i.share.end());
  };
  std::stable_sort(influences.begin(), influences.end(),
                   [&](const Influence& a, const Influence& b) { return most(a) > most(b); });
  std::string out = "What mattered (share of the variation explained)\n", idle;
  for (const auto& influence : influences) {
    if (most(influence) < kShownShare) {
      idle += (idle.empty() ? "" : ", ") + influence.setting;
      continue;
    }
    out += fmt::format("  {:<34}", influence.setting);
    for (std::size_t i = 0; i < influence.share.size(); ++i)
      out += fmt::format(" {:>3.0f} % of {}", 100 * influence.share[i], task.objectives[i].name);
    out += "\n";
  }
  if (!idle.empty()) out += fmt::format("  no visible effect: {}\n", idle);
  return out;
}

/// The value of an effect that moves its objective furthest from the configuration as found.
std::size_t strongest(const Effect& effect) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < effect.gain.size(); ++i)
    if (std::abs(effect.gain[i]) > std::abs(effect.gain[best])) best = i;
  return best;
}

std::string effects_text(const Effects& effects, const Task& task) {
  std::string proven;
  for (const auto& effect : effects.settings) {
    if (effect.values.empty()) continue;
    const std::size_t i = strongest(effect);
    if (effect.gain_low[i] <= 0 && effect.gain_high[i] >= 0) continue;
    proven += fmt::format("  {:<34} {:<16} {}\n", effect.setting + "=" + to_text(effect.values[i]),
                          task.objectives[effect.objective].name,
                          gain_text(effect.gain[i], effect.gain_low[i], effect.gain_high[i]));
  }
  if (proven.empty()) return "No setting alone moves a result by more than its uncertainty.\n";
  return "Alone, against the configuration as found (95 % interval; negative is worse)\n" + proven;
}

std::string front_text(const Conclusion& conclusion, const Task& task) {
  std::string out = "Trade-off: configurations that nothing else beats in both\n";
  for (const auto& point : conclusion.front) {
    const Config changed = changed_settings(point.config, task.space);
    out += " ";
    for (std::size_t i = 0; i < task.objectives.size(); ++i)
      out += fmt::format(" {} {}", task.objectives[i].name,
                         value_text(point.mean[i], point.low[i], point.high[i]));
    out += fmt::format("  {}{}\n", changed.empty() ? "as found" : to_text(changed),
                       point.measured ? "" : "  [not measured]");
  }
  return out;
}

std::string infeasible_text(const Study& study) {
  std::string out;
  for (const auto& trial : study.trials)
    if (trial.verdict && !trial.verdict->feasible)
      out += fmt::format("  trial {}: {}: {}\n", trial.id,
                         to_text(changed_settings(trial.config, study.header->space)), trial.verdict->reason);
  return out.empty() ? out : "Infeasible\n" + out;
}

Json prediction_json(const Prediction& prediction, const Task& task) {
  Json json = {{"config", to_json(prediction.config)},
               {"changes", to_json(changed_settings(prediction.config, task.space))},
               {"measured", prediction.measured},
               {"probability_better", prediction.better}};
  for (std::size_t i = 0; i < task.objectives.size(); ++i)
    json["objectives"][task.objectives[i].name] = {
        {"mean", prediction.mean[i]},
        {"interval", {prediction.low[i], prediction.high[i]}},
        {"gain", prediction.gain[i]},
        {"gain_interval", {prediction.gain_low[i], prediction.gain_high[i]}}};
  if (!task.constraints.empty()) json["feasible_probability"] = prediction.feasible;
  return json;
}

/// The study with the reader's wishes in place of the plan's goal.
void apply_wish(Goal& goal, const RecommendWish& wish) {
  if (wish.prefer) goal.prefer = *wish.prefer;
  if (wish.max_p99_ms)
    goal.bounds.push_back(
        {.metric = {.workload = goal.minimize.workload, .name = "p99_ms"}, .max = *wish.max_p99_ms});
}

}  // namespace

Recommendation recommend(Study study, const RecommendWish& wish) {
  apply_wish(study.header->plan.goal, wish);
  Recommendation recommendation{
      .conclusion = conclude(informed_task(study), observe(study), study.header->plan.seed),
      .cautions = cautions_of(study)};
  for (const auto& check : recommendation.conclusion.checks)
    if (!check.passed)
      recommendation.cautions.push_back(
          fmt::format("the model of {} fails its own check: see 'osdtune model'", check.objective));
  return recommendation;
}

Config changed_settings(const Config& config, const Space& space) {
  Config changed;
  for (const auto& setting : space.settings)
    if (config.at(setting.name) != setting.default_value) changed[setting.name] = config.at(setting.name);
  return changed;
}

std::string gain_text(double gain, double low, double high) {
  return fmt::format("{:+.1f} % ({:+.1f} .. {:+.1f})", 100 * gain, 100 * low, 100 * high);
}

std::string to_text(const Recommendation& recommendation, const Study& study, bool verbose) {
  const StudyHeader& header = *study.header;
  const Task task = make_task(study);
  const Conclusion& conclusion = recommendation.conclusion;
  std::string out = fmt::format("{} trials ({} infeasible) on Ceph {}, {}, begun {}\n", study.trials.size(),
                                count_infeasible(study), header.release, header.target, header.created);
  for (const auto& caution : recommendation.cautions) out += fmt::format("Note: {}.\n", caution);
  out += "\n" + choice_text(conclusion, task) + "\n" + influence_text(conclusion, task);
  out += "\n" + effects_text(conclusion.effects, task);
  if (verbose) out += "\n" + front_text(conclusion, task);
  const std::string infeasible = infeasible_text(study);
  if (!infeasible.empty()) out += "\n" + infeasible;
  return out;
}

Json to_json(const Recommendation& recommendation, const Study& study) {
  const Task task = make_task(study);
  const Conclusion& conclusion = recommendation.conclusion;
  Json front = Json::array(), influences = Json::object();
  for (const auto& point : conclusion.front) front.push_back(prediction_json(point, task));
  for (const auto& influence : conclusion.influences)
    for (std::size_t i = 0; i < influence.share.size(); ++i)
      influences[influence.setting][task.objectives[i].name] = influence.share[i];
  Json effects = Json::array();
  for (const auto& effect : conclusion.effects.settings)
    for (std::size_t i = 0; i < effect.values.size(); ++i)
      effects.push_back({{"setting", effect.setting},
                         {"value", to_json(effect.values[i])},
                         {"objective", task.objectives[effect.objective].name},
                         {"gain", effect.gain[i]},
                         {"interval", {effect.gain_low[i], effect.gain_high[i]}}});
  return {{"release", study.header->release},
          {"simulated", study.header->simulated},
          {"trials", study.trials.size()},
          {"infeasible", count_infeasible(study)},
          {"significant", conclusion.significant},
          {"baseline", prediction_json(conclusion.baseline, task)},
          {"choice", prediction_json(conclusion.choice, task)},
          {"candidate", prediction_json(conclusion.candidate, task)},
          {"front", front},
          {"influences", influences},
          {"effects", effects},
          {"cautions", Json(recommendation.cautions)}};
}

}  // namespace osdtune
