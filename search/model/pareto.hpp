// SPDX-License-Identifier: Apache-2.0
// Fronts and hypervolumes of one or two costs (smaller is better).
#pragma once

#include <Eigen/Dense>
#include <vector>

namespace osdtune {

/// Rows of `costs` that no other row beats, by rising first cost; of equal rows the first.
std::vector<Eigen::Index> front_of(const Eigen::MatrixXd& costs);

/// Volume between the rows and `reference`; rows beyond it count nothing.
double hypervolume(const Eigen::MatrixXd& costs, const Eigen::VectorXd& reference);

/// A front kept as a staircase, so that gains of single points are cheap.
class Staircase {
 public:
  explicit Staircase(const Eigen::VectorXd& reference);
  /// Volume the point would add.
  double gain(const double* cost) const;
  void add(const double* cost);
  /// Steps by rising first cost; the second falls strictly. With one cost there is one step at most.
  const std::vector<Eigen::Vector2d>& steps() const { return steps_; }
  const Eigen::VectorXd& reference() const { return reference_; }

 private:
  Eigen::VectorXd reference_;
  std::vector<Eigen::Vector2d> steps_;
};

}  // namespace osdtune
