// SPDX-License-Identifier: Apache-2.0
// Fronts, hypervolumes and expected improvements against figures worked out otherwise.
#include "search/model/ehvi.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "core/random.hpp"

using namespace osdtune;
using doctest::Approx;

namespace {

Eigen::MatrixXd three_costs() {
  return (Eigen::MatrixXd(3, 2) << 1.0, 3.0, 3.0, 1.2, 1.8, 2.0).finished();
}

Staircase three_steps() {
  Staircase out(Eigen::Vector2d(4, 4));
  const Eigen::MatrixXd costs = three_costs();
  for (Eigen::Index i = 0; i < 3; ++i) {
    const Eigen::VectorXd cost = costs.row(i).transpose();
    out.add(cost.data());
  }
  return out;
}

double improvement(double m0, double m1, double s0, double s1) {
  const double mean[] = {m0, m1};
  const double sd[] = {s0, s1};
  return expected_improvement(three_steps(), mean, sd);
}

}  // namespace

TEST_CASE("the volume of three points is the sum of three rectangles") {
  CHECK(hypervolume(three_costs(), Eigen::Vector2d(4, 4)) == Approx(3.0 * 1.0 + 2.2 * 1.0 + 1.0 * 0.8));
  CHECK(hypervolume(three_costs(), Eigen::Vector2d(1, 1)) == 0.0);
  CHECK(hypervolume(three_costs().col(0), Eigen::VectorXd::Constant(1, 4.0)) == Approx(3.0));
}

TEST_CASE("the front keeps what nothing beats, ordered by the first cost") {
  const Eigen::MatrixXd costs = (Eigen::MatrixXd(5, 2) << 2, 2, 1, 3, 2, 2, 3, 2.5, 4, 1).finished();
  CHECK(front_of(costs) == std::vector<Eigen::Index>{1, 0, 4});
  CHECK(front_of(costs.col(1)) == std::vector<Eigen::Index>{4});
}

TEST_CASE("the gain of a point is the difference of the volumes") {
  Random random(5);
  const Eigen::Vector2d reference(1, 1);
  for (int round = 0; round < 20; ++round) {
    Eigen::MatrixXd costs(9, 2);
    for (Eigen::Index i = 0; i < costs.size(); ++i) costs.data()[i] = 1.2 * random.uniform();
    Staircase stairs(reference);
    for (Eigen::Index i = 0; i < costs.rows(); ++i) {
      const Eigen::VectorXd cost = costs.row(i).transpose();
      const double before = hypervolume(costs.topRows(i), reference);
      const double after = hypervolume(costs.topRows(i + 1), reference);
      CHECK(stairs.gain(cost.data()) == Approx(after - before).epsilon(1e-9));
      stairs.add(cost.data());
    }
  }
}

TEST_CASE("expected shortfall is the textbook formula") {
  // SciPy: (L - m) cdf(z) + s pdf(z)
  CHECK(expected_shortfall(1.0, 1.2, 0.5) == Approx(0.1152194184737265));
  CHECK(expected_shortfall(0.0, -1.0, 2.0) == Approx(1.3955931148026122));
  CHECK(expected_shortfall(2.0, 1.5, 0.0) == 0.5);
}

TEST_CASE("expected hypervolume improvement agrees with quasi-Monte Carlo") {
  // 131,071 Sobol' points through the normal quantile, volumes by an independent Python function.
  CHECK(improvement(1.5, 1.5, 0.5, 0.7) == Approx(1.44079).epsilon(1e-4));
  CHECK(improvement(2.4, 1.6, 0.4, 0.5) == Approx(0.35185).epsilon(1e-4));
  CHECK(improvement(0.5, 0.5, 0.1, 0.2) == Approx(6.25000).epsilon(1e-4));
}

TEST_CASE("without uncertainty the expected improvement is the gain") {
  const Staircase stairs = three_steps();
  const double cost[] = {1.4, 1.1};
  const double sd[] = {0, 0};
  CHECK(expected_improvement(stairs, cost, sd) == Approx(stairs.gain(cost)));
}
