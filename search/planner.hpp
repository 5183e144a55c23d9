// SPDX-License-Identifier: Apache-2.0
// Which configuration to measure next, and which to recommend: pure functions of what has been observed and a
// seed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "search/space.hpp"

namespace osdtune {

/// One measured quantity to improve. Log-scaled quantities are compared in per cent.
struct Objective {
  std::string name;
  bool maximize = false;
  bool log = true;
  double weight = 1;  ///< of its (log-)value in the single-number utility that picks one point from the front
};

/// What some other model expects of a configuration: costs that may or may not follow reality, always as
/// many. Finite; must not throw.
using Trend = std::function<std::vector<double>(const Config&)>;

/// What a planner has to know about the task; built from a plan, or announced by a benchmark.
struct Task {
  Space space;
  std::vector<Objective> objectives;  ///< one or two
  std::vector<std::string>
      constraints;          ///< names of measured constraints; a configuration is good where all are <= 0
  double restart_cost = 0;  ///< price of a restart in units of one measurement
  double redeploy_cost = 0;
  std::optional<double> budget;      ///< units planned in all, if known
  std::size_t control_every = 8;     ///< trials without a repeat before one is due: it shows drift
  std::vector<Config> start_points;  ///< believed to be good: measured right after the configuration as found
  /// Names of settings that are believed to interact: what one of them did, another may have undone, so they
  /// are put back together where none can be put back alone.
  std::vector<std::vector<std::string>> groups;
  /// Knowledge to search with, if any; what it is worth is learned. Judging does without: a gain has to be
  /// measured.
  Trend trend;
};

/// One measured trial, in the order of measuring.
struct Observation {
  Config config;
  std::optional<std::vector<double>>
      values;  ///< one per objective as measured (means over counted runs); none: infeasible
  std::vector<double> constraints;           ///< one per measured constraint; empty if unknown
  std::vector<std::vector<double>> repeats;  ///< counted runs: repeats[r][objective]; may be empty
  double time = 0;                           ///< when, in units of the budget spent so far
};

/// Why a configuration was proposed, in one word for the study: "baseline", "initial", "replicate", "model",
/// "control", "confirm".
struct Suggestion {
  Config config;
  std::string reason;
  /// Of a "model" suggestion: expected growth of the front's volume (two objectives) as a share of the
  /// present one, or expected improvement of the utility (one). Several small ones in a row are a reason to
  /// stop.
  std::optional<double> promise;
};

/// Next configuration to measure. The first is always the configuration as found.
/// Pure: the same task, observations and seed give the same answer on every machine. Throws Error{kInput} if
/// no configuration satisfies the known constraints.
Suggestion suggest(const Task& task, const std::vector<Observation>& observations, std::uint64_t seed);

/// Budget that leaves room for confirming after `trials` of searching.
int confirmed_budget(int trials);

/// What the model believes of the noise-free value of a configuration.
struct Prediction {
  Config config;
  bool measured = false;
  std::vector<double> mean;       ///< per objective, in its own unit
  std::vector<double> low, high;  ///< 95 % interval of the noise-free value
  std::vector<double>
      gain;  ///< relative to the configuration as found: +0.12 = 12 % better; worse is negative
  std::vector<double> gain_low,
      gain_high;        ///< 95 % interval of that ratio (correlation between the two included)
  double better = 0;    ///< probability that the weighted gain in all objectives is above zero
  double feasible = 1;  ///< probability that the measured constraints hold
};

/// How much a setting moves an objective.
struct Influence {
  std::string setting;
  std::vector<double>
      share;  ///< per objective: share of the variance over the space explained by it, with interactions
};

/// How well the model of one objective predicts each trial from all the others.
struct ModelCheck {
  std::string objective;
  std::vector<double> measured;   ///< per trial with values, equal configurations side by side
  std::vector<double> predicted;  ///< leave-one-out
  std::vector<double> low, high;  ///< 95 % interval of that measurement, leave-one-out
  std::vector<double> disturbed;  ///< probability that something else disturbed the trial
  double explained = 0;           ///< Q2: share of the variance that leave-one-out predictions explain
  double covered = 0;             ///< share of the trials inside their interval
  double noise = 0;               ///< standard deviation of a trial; relative for log objectives
  std::optional<double> drift,
      drift_sd;         ///< from the first to the last trial, in the unit of `noise`; none: not visible
  bool passed = false;  ///< covers at least 85 % and predicts better than the mean
};

/// What one setting does when all others stay as in a given configuration.
struct Effect {
  std::string setting;
  std::size_t objective = 0;
  std::vector<Value> values;
  std::vector<double> gain, gain_low, gain_high;  ///< against that configuration, with 95 % interval
};

/// Two settings whose effects depend on each other.
struct Interaction {
  std::string first, second;
  std::size_t objective = 0;
  double share = 0;  ///< of the variance over the space, all terms that hold both (Liu & Owen 2006)
};

struct Effects {
  std::vector<Effect> settings;
  std::vector<Interaction> interactions;  ///< strongest first
};

struct Conclusion {
  Prediction baseline;
  std::vector<Prediction> front;  ///< believed Pareto front, best first objective first, at most 10
  Prediction candidate;           ///< the best point by the weights, whether or not its gain is proven
  Prediction choice;  ///< the candidate, or what of it is proven, or else the configuration as found
  /// The choice is better by the weights with a probability of 97.5 % or more, and its gain in one objective
  /// at least excludes zero.
  bool significant = false;
  std::vector<Influence> influences;
  Effects effects;                 ///< from the configuration as found
  std::vector<ModelCheck> checks;  ///< empty for large studies
};

/// What to believe after these observations. Throws Error{kInput} without a feasible observation.
Conclusion conclude(const Task& task, const std::vector<Observation>& observations, std::uint64_t seed);

/// What to believe of some configurations, measured or not. Throws Error{kInput} without a feasible
/// observation.
std::vector<Prediction> predict_configs(const Task& task, const std::vector<Observation>& observations,
                                        const std::vector<Config>& configs);

/// Throws Error{kInput} without a feasible observation.
std::vector<ModelCheck> check_model(const Task& task, const std::vector<Observation>& observations);

}  // namespace osdtune
