// SPDX-License-Identifier: Apache-2.0
// Search for jumps: a cheap score for every gap between measured values, a fit for the best of them.
#include "search/model/jump.hpp"

#include <algorithm>
#include <cmath>

namespace osdtune {

namespace {

constexpr std::size_t kFitted = 6;     ///< gaps that are worth a fit
constexpr int kEvaluations = 20;       ///< of the evidence in each of these
constexpr double kLeastScore = -4.6;   ///< log of 1 %: less probable ones are not worth it
constexpr double kJumpVariance = 1.0;  ///< prior of a jump's height, relative to standardised outputs

/// A gap between neighbouring values of a column: log prior of a jump there, and how well it does.
struct Gap {
  Jump jump;
  double log_prior, score;
};

std::vector<double> values_of(const Eigen::VectorXd& column) {
  std::vector<double> out(column.data(), column.data() + column.size());
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

/// Of columns with two values a jump says nothing new. The place is uniform over the column's range.
std::vector<Gap> gaps_of(const Eigen::MatrixXd& x) {
  std::vector<Gap> out;
  double columns = 0;
  for (Eigen::Index j = 0; j < x.cols(); ++j) {
    const std::vector<double> values = values_of(x.col(j));
    if (values.size() < 3) continue;
    columns += 1;
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
      const double a = values[i], b = values[i + 1];
      out.push_back({.jump = {.column = j, .below = a, .above = b, .place = 0.5 * (a + b)},
                     .log_prior = std::log((b - a) / (values.back() - values.front())),
                     .score = 0});
    }
  }
  for (Gap& gap : out) gap.log_prior -= std::log(columns);
  return out;
}

/// Log Bayes factor for an added step of unknown height at each gap, with the hyperparameters of the smooth
/// fit, except that the column of the step is as smooth as expected: a rank-one change of the covariance.
void score(std::vector<Gap>& gaps, const Samples& samples, const Hyper& smooth, double usual_length) {
  Eigen::Index ready = -1;
  Eigen::MatrixXd inverse;
  Eigen::VectorXd weights;
  for (Gap& gap : gaps) {
    if (gap.jump.column != ready) {
      ready = gap.jump.column;
      Hyper hyper = smooth;
      hyper.log_length[ready] = std::max(hyper.log_length[ready], usual_length);
      const GaussianProcess process = GaussianProcess::exact(hyper, samples);
      inverse = process.reduction();
      weights = process.weights();
    }
    const Eigen::VectorXd side =
        (samples.x.col(gap.jump.column).array() > gap.jump.place).cast<double>().matrix();
    const double stiffness = 1 + kJumpVariance * side.dot(inverse * side);
    const double pull = side.dot(weights);
    gap.score = gap.log_prior + 0.5 * kJumpVariance * pull * pull / stiffness - 0.5 * std::log(stiffness);
  }
}

}  // namespace

Eigen::MatrixXd with_side(const Eigen::MatrixXd& x, const std::optional<Jump>& jump) {
  if (!jump) return x;
  Eigen::MatrixXd out(x.rows(), x.cols() + 1);
  out << x, (x.col(jump->column).array() > jump->place).cast<double>().matrix();
  return out;
}

std::vector<Hypothesis> hypotheses(const Samples& samples, const HyperPrior& prior, const Hyper& smooth) {
  std::vector<Gap> gaps = gaps_of(samples.x);
  const double usual_length = prior_medians(prior, 1).log_length[0];
  score(gaps, samples, smooth, usual_length);
  std::stable_sort(gaps.begin(), gaps.end(), [](const Gap& a, const Gap& b) { return a.score > b.score; });
  gaps.resize(std::min(kFitted, gaps.size()));
  std::erase_if(gaps, [](const Gap& gap) { return gap.score < kLeastScore; });

  std::vector<Hypothesis> out{
      {.jump = {}, .hyper = smooth, .log_weight = log_marginal(samples, prior, smooth)}};
  for (const Gap& gap : gaps) {
    Samples sided = samples;
    sided.x = with_side(samples.x, gap.jump);
    Hyper start = smooth;
    start.log_length.conservativeResize(sided.x.cols());
    start.log_length[gap.jump.column] = std::max(start.log_length[gap.jump.column], usual_length);
    start.log_length.tail(1).setConstant(usual_length);
    const Hyper hyper = fit(sided, prior, start, kEvaluations);
    out.push_back(
        {.jump = gap.jump, .hyper = hyper, .log_weight = log_marginal(sided, prior, hyper) + gap.log_prior});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Hypothesis& a, const Hypothesis& b) { return a.log_weight > b.log_weight; });
  double total = 0;
  for (const Hypothesis& each : out) total += std::exp(each.log_weight - out.front().log_weight);
  const double log_total = out.front().log_weight + std::log(total);
  for (Hypothesis& each : out) each.probability = std::exp(each.log_weight - log_total);
  return out;
}

}  // namespace osdtune
