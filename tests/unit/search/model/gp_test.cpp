// SPDX-License-Identifier: Apache-2.0
// The Gaussian process against figures computed independently with NumPy (plain inverse, observations really
// left out).
#include "search/model/gp.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/random.hpp"
#include "search/model/fit.hpp"

using namespace osdtune;
using doctest::Approx;

namespace {

Hyper four_point_hyper() {
  Hyper out;
  out.log_length = Eigen::Vector2d(std::log(0.4), std::log(1.5));
  out.log_signal = std::log(1.3);
  out.log_noise = std::log(0.04);
  out.log_drift = std::log(0.05);
  out.log_drift_length = std::log(30.0);
  return out;
}

Samples four_points(bool drift) {
  Samples out;
  out.x = (Eigen::MatrixXd(4, 2) << 0, 0, 0.5, 0.2, 1, 0.7, 0.3, 0.9).finished();
  out.y = Eigen::Vector4d(0.3, -0.8, 1.1, 0.2);
  out.noise_factor = Eigen::Vector4d(1, 1, 25, 0.25);
  out.noise_floor = Eigen::Vector4d(0, 0.01, 0, 0);
  if (drift) out.time = Eigen::Vector4d(0, 10, 25, 60);
  return out;
}

Eigen::MatrixXd two_queries() {
  return (Eigen::MatrixXd(2, 2) << 0.2, 0.4, 0.9, 0.1).finished();
}

Samples wavy(Eigen::Index n, std::uint64_t seed) {
  Random random(seed);
  Samples out{.x = Eigen::MatrixXd(n, 3),
              .y = Eigen::VectorXd(n),
              .noise_factor = Eigen::VectorXd::Ones(n),
              .noise_floor = Eigen::VectorXd::Zero(n),
              .time = {}};
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < 3; ++j) out.x(i, j) = random.uniform();
    out.y[i] = std::sin(5 * out.x(i, 0)) + out.x(i, 1) + 0.1 * random.normal();
  }
  return out;
}

}  // namespace

TEST_CASE("means and covariances are those of the textbook formula") {
  const auto process = GaussianProcess::exact(four_point_hyper(), four_points(false));
  const Joint at = process.predict_joint(two_queries());
  CHECK(at.mean[0] == Approx(0.12980918).epsilon(1e-6));
  CHECK(at.mean[1] == Approx(0.05479959).epsilon(1e-6));
  CHECK(at.covariance(0, 0) == Approx(0.13362742).epsilon(1e-6));
  CHECK(at.covariance(0, 1) == Approx(-0.03421255).epsilon(1e-6));
  CHECK(at.covariance(1, 1) == Approx(0.63400845).epsilon(1e-6));
  const Marginals marginals = process.predict(two_queries());
  CHECK(marginals.mean.isApprox(at.mean, 1e-12));
  CHECK(marginals.variance.isApprox(at.covariance.diagonal(), 1e-9));
  CHECK(process.posterior_covariance(two_queries(), two_queries()).isApprox(at.covariance, 1e-9));
}

TEST_CASE("drift is separated from the response and is zero at the start") {
  const auto process = GaussianProcess::exact(four_point_hyper(), four_points(true));
  const Joint at = process.predict_joint(two_queries());
  CHECK(at.mean[0] == Approx(0.10230715).epsilon(1e-6));
  CHECK(at.covariance(1, 1) == Approx(0.64599809).epsilon(1e-6));
  const Marginals drift = process.predict_drift(Eigen::Vector2d(40, 0));
  CHECK(drift.mean[0] == Approx(0.03523023).epsilon(1e-6));
  CHECK(drift.variance[0] == Approx(0.04218548).epsilon(1e-6));
  CHECK(drift.mean[1] == Approx(0.0));
  CHECK(drift.variance[1] == Approx(0.0));
}

TEST_CASE("leave-one-out residuals are those of fits without each observation") {
  const double residuals[] = {0.18030195365, -1.13435850949, 1.5326069719, 0.58062153232};
  const double variances[] = {1.06084198986, 0.66136755388, 2.35399925411, 0.55796652351};
  const LeaveOneOut loo = leave_one_out(GaussianProcess::exact(four_point_hyper(), four_points(false)));
  for (Eigen::Index i = 0; i < 4; ++i) {
    CHECK(loo.residual[i] == Approx(residuals[i]).epsilon(1e-8));
    CHECK(loo.variance[i] == Approx(variances[i]).epsilon(1e-8));
  }
}

TEST_CASE("the sparse process with every observation in its basis is the exact one") {
  const Samples samples = wavy(60, 3);
  Hyper hyper = prior_medians({.settings = 3}, 3);
  const auto exact = GaussianProcess::exact(hyper, samples);
  const auto sparse = GaussianProcess::sparse(hyper, samples, samples.x);
  const Eigen::MatrixXd x = wavy(20, 4).x;
  CHECK((exact.predict(x).mean - sparse.predict(x).mean).cwiseAbs().maxCoeff() < 1e-4);
  CHECK((exact.predict(x).variance - sparse.predict(x).variance).cwiseAbs().maxCoeff() < 1e-4);
}

TEST_CASE("the sparse process with a part as its basis stays near the exact one") {
  const Samples samples = wavy(400, 5);
  const Hyper hyper = fit(wavy(100, 6), {.settings = 3}, prior_medians({.settings = 3}, 3), 40);
  const auto exact = GaussianProcess::exact(hyper, samples);
  const auto sparse = GaussianProcess::sparse(hyper, samples, samples.x.topRows(150));
  const Eigen::MatrixXd x = wavy(100, 7).x;
  CHECK((exact.predict(x).mean - sparse.predict(x).mean).cwiseAbs().maxCoeff() < 0.03);
}

TEST_CASE("conditional draws agree with the joint distribution on average") {
  const auto process = GaussianProcess::exact(four_point_hyper(), four_points(false));
  const Eigen::MatrixXd points = (Eigen::MatrixXd(2, 2) << 0.4, 0.4, 0.8, 0.3).finished();
  Random random(1);
  Eigen::MatrixXd normals(2, 20000);
  for (Eigen::Index i = 0; i < normals.size(); ++i) normals.data()[i] = random.normal();
  const ConditionalDraws draws(process, points, normals);
  const auto at = draws.predict(two_queries());
  const Marginals direct = process.predict(two_queries());
  for (Eigen::Index i = 0; i < 2; ++i) {
    const Eigen::ArrayXd row = at.mean.row(i).transpose().array();
    CHECK(row.mean() == Approx(direct.mean[i]).epsilon(0.05));
    // Law of total variance.
    CHECK((row - row.mean()).square().mean() + at.variance[i] == Approx(direct.variance[i]).epsilon(0.05));
  }
}

TEST_CASE("a value that is not a number is refused") {
  Samples samples = four_points(false);
  samples.y[2] = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(GaussianProcess::exact(four_point_hyper(), samples), Error);
}

TEST_CASE("a trend alone is a Bayesian linear regression") {
  // Constant and weight have unit variance: their posterior is the ridge estimate, by hand for two points.
  Samples samples{.x = Eigen::MatrixXd(2, 2),
                  .y = Eigen::Vector2d(-2, 4),
                  .noise_factor = Eigen::Vector2d::Ones(),
                  .noise_floor = Eigen::Vector2d::Zero(),
                  .time = {}};
  samples.x << 0.1, -1, 0.9, 2;
  Hyper hyper{.log_length = Eigen::VectorXd::Zero(1), .log_signal = -30, .log_noise = std::log(0.5)};
  hyper.trend_variance = 1;
  // precision [[1 + 2/.5, 1/.5], [1/.5, 1 + 5/.5]] = [[5, 2], [2, 11]], right side [2, 10]/.5 = [4, 20]
  const double constant = (4 * 11 - 2 * 20) / 51.0, weight = (5 * 20 - 2 * 4) / 51.0;
  const auto process = GaussianProcess::exact(hyper, samples);
  Eigen::MatrixXd at(1, 2);
  at << 0.4, 3;
  CHECK(process.predict(at).mean[0] == Approx(constant + 3 * weight));
  CHECK(process.predict(at).variance[0] == Approx((11 - 2 * 3 * 2 + 9 * 5) / 51.0));
  CHECK(process.predict_joint(at).covariance(0, 0) == Approx(process.predict(at).variance[0]));
  hyper.trend_variance = 0;
  CHECK(GaussianProcess::exact(hyper, samples).predict(at).mean[0] == Approx(1 * 4 / 5.0));
}
