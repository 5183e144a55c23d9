// SPDX-License-Identifier: Apache-2.0
// How much a measurement is expected to improve the front, or the best utility.
#pragma once

#include "search/model/pareto.hpp"
#include "search/planner_beliefs.hpp"

namespace osdtune {

/// Posterior means, rows as in `x`, a column per objective.
Eigen::MatrixXd mean_costs(const Beliefs& beliefs, const Eigen::MatrixXd& x);

/// Worst costs that still count, per objective: beyond the believed front, and no better than most of the
/// space.
Eigen::VectorXd reference_costs(const Encoding& encoding, const Beliefs& beliefs, Random& random);

/// The rows of `costs` that come nearest to their front, at most `count`.
std::vector<Eigen::Index> nearest_to_front(const Eigen::MatrixXd& costs, std::size_t count);

/// What is improved: the front of all objectives, or their weighted sum.
enum class Aim { kFront, kUtility };

/// Expected improvement against draws of the front from the posterior (noisy EHVI, Daulton et al. 2021,
/// arXiv 2105.08195), times the probability of feasibility.
class Acquisition {
 public:
  Acquisition(const Task& task, const Encoding& encoding, const Beliefs& beliefs, Aim aim, Random& random);
  Eigen::VectorXd operator()(const Eigen::MatrixXd& x) const;
  /// Expected improvement of one row: share of the volume of the drawn fronts, or of the utility itself.
  double promise(const Eigen::MatrixXd& x) const;

 private:
  Eigen::VectorXd rate(const Eigen::MatrixXd& x) const;

  const Beliefs& beliefs_;
  Eigen::MatrixXd mix_;                               ///< criteria x objectives
  std::vector<std::vector<ConditionalDraws>> draws_;  ///< per objective and set of hyperparameters
  std::vector<Staircase> fronts_;                     ///< per draw
};

/// The configuration with the best ratio of expected improvement to price.
Levels best_candidate(const Task& task, const Encoding& encoding, const Beliefs& beliefs,
                      const Acquisition& acquisition, const Levels& current, Random& random);

}  // namespace osdtune
