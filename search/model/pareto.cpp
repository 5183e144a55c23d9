// SPDX-License-Identifier: Apache-2.0
// Two-objective fronts as staircases.
#include "search/model/pareto.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace osdtune {

std::vector<Eigen::Index> front_of(const Eigen::MatrixXd& costs) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(costs.rows()));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  const Eigen::Index last = costs.cols() - 1;
  std::stable_sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) {
    return costs(a, 0) != costs(b, 0) ? costs(a, 0) < costs(b, 0) : costs(a, last) < costs(b, last);
  });
  std::vector<Eigen::Index> out;
  double lowest = std::numeric_limits<double>::infinity();
  for (const Eigen::Index i : order) {
    if (costs(i, last) >= lowest) continue;
    lowest = costs(i, last);
    out.push_back(i);
    if (costs.cols() == 1) break;
  }
  return out;
}

double hypervolume(const Eigen::MatrixXd& costs, const Eigen::VectorXd& reference) {
  Staircase stairs(reference);
  double total = 0;
  for (Eigen::Index i = 0; i < costs.rows(); ++i) {
    const Eigen::VectorXd cost = costs.row(i).transpose();
    total += stairs.gain(cost.data());
    stairs.add(cost.data());
  }
  return total;
}

Staircase::Staircase(const Eigen::VectorXd& reference) : reference_(reference) {}

double Staircase::gain(const double* cost) const {
  if (cost[0] >= reference_[0]) return 0.0;
  if (reference_.size() == 1) return std::max(0.0, (steps_.empty() ? reference_[0] : steps_[0][0]) - cost[0]);
  if (cost[1] >= reference_[1]) return 0.0;
  // Walk the strips to the right of cost[0]; in each the ceiling is the second cost of the step on its left.
  double ceiling = reference_[1];
  double left = cost[0];
  double total = 0;
  for (const auto& step : steps_) {
    if (step[0] > left) {
      total += (step[0] - left) * std::max(0.0, ceiling - cost[1]);
      left = step[0];
    }
    ceiling = step[1];
    if (ceiling <= cost[1]) return total;
  }
  return total + (reference_[0] - left) * std::max(0.0, ceiling - cost[1]);
}

void Staircase::add(const double* cost) {
  if (gain(cost) <= 0.0) return;
  if (reference_.size() == 1) {
    steps_.assign(1, Eigen::Vector2d(cost[0], 0.0));
    return;
  }
  std::erase_if(steps_,
                [&](const Eigen::Vector2d& step) { return step[0] >= cost[0] && step[1] >= cost[1]; });
  const auto at =
      std::find_if(steps_.begin(), steps_.end(), [&](const Eigen::Vector2d& s) { return s[0] > cost[0]; });
  steps_.insert(at, Eigen::Vector2d(cost[0], cost[1]));
}

}  // namespace osdtune
