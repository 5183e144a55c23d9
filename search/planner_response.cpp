// SPDX-License-Identifier: Apache-2.0
// Averages of predictions over processes, and intervals over two scales.
#include "search/planner_response.hpp"

#include <cmath>

#include "search/model/ehvi.hpp"

namespace osdtune {

namespace {

constexpr double kZ95 = 1.959963985;

/// Belief about one value.
struct Normal {
  double mean, sd;
  double below(double value) const { return normal_cumulative((value - mean) / sd); }
};

Normal belief_at(const Response& response, const Eigen::RowVectorXd& x) {
  const Marginals at = response.predict(x);
  return {at.mean[0], response.widening * std::sqrt(at.variance[0])};
}

}  // namespace

Marginals Response::predict(const Eigen::MatrixXd& x) const {
  // Moments of the mixture: mean of the variances plus variance of the means.
  Eigen::ArrayXd sum = Eigen::ArrayXd::Zero(x.rows());
  Eigen::ArrayXd squares = sum;
  Eigen::ArrayXd inner = sum;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    const Marginals at = processes[i].predict(with_side(x, jumps[i]));
    sum += at.mean.array();
    squares += at.mean.array().square();
    inner += at.variance.array();
  }
  const auto count = static_cast<double>(processes.size());
  const Eigen::ArrayXd middle = sum / count;
  return {(middle * scale + centre).matrix(),
          ((inner / count + (squares / count - middle.square()).max(0.0)) * scale * scale).matrix()};
}

Eigen::VectorXd Response::mean(const Eigen::MatrixXd& x) const {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(x.rows());
  for (std::size_t i = 0; i < processes.size(); ++i) sum += processes[i].mean(with_side(x, jumps[i]));
  return (sum.array() * (scale / static_cast<double>(processes.size())) + centre).matrix();
}

Joint Response::predict_joint(const Eigen::MatrixXd& x) const {
  const auto count = static_cast<double>(processes.size());
  Joint out{Eigen::VectorXd::Zero(x.rows()), Eigen::MatrixXd::Zero(x.rows(), x.rows())};
  Eigen::MatrixXd means(x.rows(), static_cast<Eigen::Index>(processes.size()));
  for (std::size_t i = 0; i < processes.size(); ++i) {
    const Joint at = processes[i].predict_joint(with_side(x, jumps[i]));
    means.col(static_cast<Eigen::Index>(i)) = at.mean;
    out.covariance += at.covariance / count;
  }
  out.mean = means.rowwise().mean();
  means.colwise() -= out.mean;
  out.covariance += means * means.transpose() / count;
  out.mean = (out.mean.array() * scale + centre).matrix();
  out.covariance *= scale * scale;
  return out;
}

std::pair<double, double> interval_95(const Response& costs, const std::optional<RateView>& rates,
                                      const Eigen::RowVectorXd& x) {
  const Normal cost = belief_at(costs, x);
  if (!rates) return {cost.mean - kZ95 * cost.sd, cost.mean + kZ95 * cost.sd};
  const Normal rate = belief_at(rates->response, x);
  const double possible = std::max(1e-9, rate.below(0));  // rates are negative costs; no rate is below zero
  const auto below = [&](double value) {
    const double as_rate = rate.below(-std::exp(rates->origin - value)) / possible;
    return 0.5 * cost.below(value) + 0.5 * std::min(1.0, as_rate);
  };
  const auto quantile = [&](double share) {
    const double reach = 10 * cost.sd + 5;  // natural logarithms: a factor of 150 and more
    double low = cost.mean - reach, high = cost.mean + reach;
    for (int halving = 0; halving < 60; ++halving) {
      const double middle = 0.5 * (low + high);
      (below(middle) < share ? low : high) = middle;
    }
    return 0.5 * (low + high);
  };
  return {quantile(0.025), quantile(0.975)};
}

}  // namespace osdtune
