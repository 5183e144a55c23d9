// SPDX-License-Identifier: Apache-2.0
// Cliffs: found where they are, not seen where there are none.
#include "search/model/jump.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "core/random.hpp"

using namespace osdtune;
using doctest::Approx;

namespace {

/// A column of tenths without 0.6 and 0.7, and one that matters little.
template <typename Response>
Samples samples_of(Response response) {
  Random random(3);
  constexpr Eigen::Index kCount = 27;
  Samples out{.x = Eigen::MatrixXd(kCount, 2),
              .y = Eigen::VectorXd(kCount),
              .noise_factor = Eigen::VectorXd::Ones(kCount),
              .noise_floor = Eigen::VectorXd::Zero(kCount),
              .time = {}};
  for (Eigen::Index i = 0; i < kCount; ++i) {
    const double tenths = static_cast<double>(i % 9);
    out.x.row(i) << (tenths > 5 ? tenths + 2 : tenths) / 10, random.uniform();
    out.y[i] = response(out.x(i, 0)) + 0.2 * out.x(i, 1) + 0.1 * random.normal();
  }
  return out;
}

std::vector<Hypothesis> explain(const Samples& samples) {
  const HyperPrior prior{.settings = 2};
  return hypotheses(samples, prior, fit(samples, prior, prior_medians(prior, samples.x.cols()), 60));
}

double smooth_share(const std::vector<Hypothesis>& all) {
  for (const Hypothesis& each : all)
    if (!each.jump) return each.probability;
  return 0;
}

}  // namespace

TEST_CASE("a cliff is found between the two measured values around it") {
  const auto found = explain(samples_of([](double x) { return x > 0.65 ? -2.0 : 0.5; }));
  REQUIRE(found.front().jump);
  CHECK(found.front().jump->column == 0);
  CHECK(found.front().jump->below == Approx(0.5));
  CHECK(found.front().jump->above == Approx(0.8));
  CHECK(found.front().probability > 0.9);
  CHECK(found.front().hyper.log_length.size() == 3);
}

TEST_CASE("a straight line is no cliff, and probabilities add up to one") {
  const auto found = explain(samples_of([](double x) { return 2 * x - 1; }));
  CHECK_FALSE(found.front().jump);
  CHECK(smooth_share(found) > 0.4);
  double total = 0;
  for (const Hypothesis& each : found) total += each.probability;
  CHECK(total == Approx(1));
}

TEST_CASE("two values of a column leave nothing to jump over") {
  Samples samples = samples_of([](double) { return 0.0; });
  samples.x = (samples.x.array() > 0.5).cast<double>().matrix().eval();
  const auto found = explain(samples);
  REQUIRE(found.size() == 1);
  CHECK(found.front().probability == Approx(1));
}

TEST_CASE("the side of a jump is a column of its own") {
  const Eigen::MatrixXd x = (Eigen::MatrixXd(2, 2) << 0.1, 5, 0.9, 6).finished();
  CHECK(with_side(x, std::nullopt) == x);
  const Eigen::MatrixXd sided = with_side(x, Jump{.column = 0, .below = 0.1, .above = 0.9, .place = 0.5});
  CHECK(sided == (Eigen::MatrixXd(2, 3) << 0.1, 5, 0, 0.9, 6, 1).finished());
}
