// SPDX-License-Identifier: Apache-2.0
// Evidence, its gradient and the fit of hyperparameters.
#include "search/model/fit.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "core/random.hpp"

using namespace osdtune;
using doctest::Approx;

namespace {

Samples samples_of(Eigen::Index n, double noise_sd, double drift, std::uint64_t seed) {
  Random random(seed);
  Samples out{.x = Eigen::MatrixXd(n, 3),
              .y = Eigen::VectorXd(n),
              .noise_factor = Eigen::VectorXd::Ones(n),
              .noise_floor = Eigen::VectorXd::Constant(n, 0.001),
              .time = Eigen::VectorXd(n)};
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < 3; ++j) out.x(i, j) = random.uniform();
    out.time[i] = static_cast<double>(i);
    out.y[i] =
        std::sin(6 * out.x(i, 0)) + 0.5 * out.x(i, 1) + drift * out.time[i] + noise_sd * random.normal();
  }
  out.noise_factor[1] = 25;
  return out;
}

double finite_difference(const Hyper& at, Eigen::Index j, const Samples& samples, const HyperPrior& prior) {
  constexpr double kStep = 1e-5;
  const bool drift = samples.time.size() > 0;
  const auto value = [&](const Eigen::VectorXd& packed) {
    return evidence(unpack(packed, drift, at.trend_variance), samples, prior).value;
  };
  Eigen::VectorXd up = pack(at, drift);
  Eigen::VectorXd down = up;
  up[j] += kStep;
  down[j] -= kStep;
  return (value(up) - value(down)) / (2 * kStep);
}

}  // namespace

TEST_CASE("the evidence is the log likelihood plus the log priors") {
  // The likelihood is NumPy's (slogdet and inverse) for the four points of gp_test.cpp.
  Samples samples;
  samples.x = (Eigen::MatrixXd(4, 2) << 0, 0, 0.5, 0.2, 1, 0.7, 0.3, 0.9).finished();
  samples.y = Eigen::Vector4d(0.3, -0.8, 1.1, 0.2);
  samples.noise_factor = Eigen::Vector4d(1, 1, 25, 0.25);
  samples.noise_floor = Eigen::Vector4d(0, 0.01, 0, 0);
  Hyper hyper;
  hyper.log_length = Eigen::Vector2d(std::log(0.4), std::log(1.5));
  hyper.log_signal = std::log(1.3);
  hyper.log_noise = std::log(0.04);
  HyperPrior prior{.settings = 2};
  const double length_mean = std::log(0.5) + 0.5 * std::log(2.0);
  const auto square = [](double z) { return z * z; };
  const double priors = -0.5 * (square((std::log(0.4) - length_mean) / prior.length_sd) +
                                square((std::log(1.5) - length_mean) / prior.length_sd) +
                                square(std::log(1.3) / prior.signal_sd) +
                                square((std::log(0.04) - prior.noise_mean) / prior.noise_sd));
  CHECK(evidence(hyper, samples, prior).value == Approx(-1.89739724430 + priors).epsilon(1e-7));
}

TEST_CASE("the gradient of the evidence agrees with finite differences") {
  const HyperPrior prior{.settings = 3};
  for (const bool drift : {false, true}) {
    Samples samples = samples_of(25, 0.2, 0.01, 7);
    if (!drift) samples.time.resize(0);
    Hyper at = prior_medians(prior, 3);
    at.log_length[0] = -1.1;
    at.log_signal = 0.3;
    at.log_drift = -2.5;
    const Evidence here = evidence(at, samples, prior);
    for (Eigen::Index j = 0; j < here.gradient.size(); ++j) {
      CAPTURE(j);
      CHECK(here.gradient[j] == Approx(finite_difference(at, j, samples, prior)).epsilon(1e-5));
    }
  }
}

TEST_CASE("the gradient agrees beside a trend, too") {
  const HyperPrior prior{.settings = 2};
  const Samples samples = samples_of(25, 0.2, 0.01, 7);  // the last column is the trend
  Hyper at = prior_medians(prior, 2);
  at.trend_variance = 0.7;
  const Evidence here = evidence(at, samples, prior);
  for (Eigen::Index j = 0; j < here.gradient.size(); ++j)
    CHECK(here.gradient[j] == Approx(finite_difference(at, j, samples, prior)).epsilon(1e-5));
}

TEST_CASE("a fit finds which columns matter and how noisy the values are") {
  Samples samples = samples_of(80, 0.2, 0.0, 11);
  samples.time.resize(0);
  samples.noise_factor[1] = 1;
  const HyperPrior prior{.settings = 3};
  const Hyper start = prior_medians(prior, 3);
  const Hyper found = fit(samples, prior, start, 60);
  CHECK(evidence(found, samples, prior).value > evidence(start, samples, prior).value);
  CHECK(found.log_length[0] < found.log_length[2] - 0.7);
  CHECK(std::exp(0.5 * found.log_noise) == Approx(0.2).epsilon(0.3));
}

TEST_CASE("believable hyperparameters surround the best and differ") {
  Samples samples = samples_of(20, 0.2, 0.0, 13);
  samples.time.resize(0);
  const HyperPrior prior{.settings = 3};
  const Hyper best = fit(samples, prior, prior_medians(prior, 3), 60);
  Random random(2);
  Eigen::MatrixXd normals(5, 4);
  for (Eigen::Index i = 0; i < normals.size(); ++i) normals.data()[i] = random.normal();
  const auto several = plausible(samples, prior, best, normals);
  REQUIRE(several.size() == 5);
  CHECK(pack(several[0], false) == pack(best, false));
  for (std::size_t i = 1; i < several.size(); ++i) {
    CHECK(pack(several[i], false) != pack(best, false));
    CHECK(evidence(several[i], samples, prior).value > evidence(best, samples, prior).value - 25);
  }
}
