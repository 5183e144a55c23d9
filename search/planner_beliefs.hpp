// SPDX-License-Identifier: Apache-2.0
// What the observations say about every configuration: a response model per objective and per constraint.
#pragma once

#include <vector>

#include "search/planner_records.hpp"
#include "search/planner_response.hpp"

namespace osdtune {

/// What was measured, predicted from the others: costs, noise included; rows as in the records with values.
struct LeftOut {
  Eigen::VectorXd mean, sd;
  double noise_sd = 0;
  std::optional<std::pair<double, double>> drift;  ///< mean and deviation at the last time
};

/// All of them, and what they were fitted to.
struct Beliefs {
  std::vector<Response> objectives;            ///< of costs
  std::vector<Response> constraints;           ///< good where <= 0; failures without values are one of them
  std::vector<std::optional<RateView>> rates;  ///< per objective; to judge logarithmic ones
  std::vector<Samples> samples;                ///< per objective: what was fitted, standardised
  std::vector<Hyper> smooth;                   ///< per objective: most probable without a jump
  std::vector<LeftOut> left_out;               ///< per objective; empty for large studies
  std::vector<Levels> measured;                ///< different configurations that have values
  std::vector<double> suspicion;               ///< per record with values: probability that it was disturbed
};

/// What the beliefs are for, which decides on the prior.
enum class Purpose { kSearch, kJudge };

/// Throws Error{kInput} if no record has values.
Beliefs learn(const Task& task, const Encoding& encoding, const std::vector<Record>& records,
              Purpose purpose);

/// Log Bayes factor for "this objective depends on these settings" against "it does not".
double log_bayes_factor(const Encoding& encoding, const Beliefs& beliefs, std::size_t objective,
                        const std::vector<std::size_t>& settings);

/// Probability that all constraints hold.
Eigen::VectorXd feasibility(const Beliefs& beliefs, const Eigen::MatrixXd& x);

/// The weighted cost that picks one point from a front.
double utility(const Task& task, const Eigen::VectorXd& costs);

}  // namespace osdtune
