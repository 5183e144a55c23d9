// SPDX-License-Identifier: Apache-2.0
// Intervals that leave open whether settings multiply a rate or add to it.
#include "search/planner_response.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/unit/search/planner_task.hpp"

using namespace osdtune;
using namespace osdtune::test;
using doctest::Approx;

namespace {

Response response_of(const Eigen::VectorXd& y) {
  const Eigen::Index n = y.size();
  const Samples samples{.x = Eigen::VectorXd::LinSpaced(n, 0, 0.5),
                        .y = y,
                        .noise_factor = Eigen::VectorXd::Ones(n),
                        .noise_floor = Eigen::VectorXd::Zero(n),
                        .time = {}};
  const Hyper hyper{.log_length = Eigen::VectorXd::Constant(1, -1), .log_signal = -2, .log_noise = -6};
  Response out{.processes = {GaussianProcess::exact(hyper, samples)}, .jumps = {std::nullopt}};
  out.widening = 1.2;
  return out;
}

const Eigen::VectorXd kCosts = (Eigen::VectorXd(4) << 0.1, 0.0, -0.1, 0.0).finished();

Task shards_only(bool log) {
  Task task;
  task.space.settings = {integer("shards", 1, 16, 6), integer("threads", 1, 8, 2)};
  task.objectives = {{.name = "iops", .maximize = true, .log = log},
                     {.name = "p99_ms", .log = log, .weight = 0.5}};
  return task;
}

/// Measured in the good part of the space only, asked about its far end.
Prediction far_end(bool log) {
  Random random(4);
  std::vector<Observation> study;
  for (int i = 0; i < 20; ++i) {
    const int shards = 4 + i % 5, threads = 1 + i % 4;
    const double gain = 0.15 * shards - 0.1 * threads + 0.03 * random.normal();
    study.push_back({.config = {{"shards", std::int64_t{shards}}, {"threads", std::int64_t{threads}}},
                     .values = std::vector<double>{5000 * std::exp(gain), 5 * std::exp(-gain)},
                     .time = static_cast<double>(i)});
  }
  return predict_configs(shards_only(log), study,
                         {{{"shards", std::int64_t{15}}, {"threads", std::int64_t{8}}}})
      .front();
}

}  // namespace

TEST_CASE("with one view the interval is the normal one, widened") {
  const Response costs = response_of(kCosts);
  const Eigen::RowVectorXd x = Eigen::RowVectorXd::Constant(1, 0.8);
  const Marginals at = costs.predict(x);
  const auto [low, high] = interval_95(costs, std::nullopt, x);
  CHECK(low == Approx(at.mean[0] - 1.96 * 1.2 * std::sqrt(at.variance[0])).epsilon(1e-4));
  CHECK(high == Approx(at.mean[0] + 1.96 * 1.2 * std::sqrt(at.variance[0])).epsilon(1e-4));
}

TEST_CASE("both views agree where values differ little, the rate is the wider one where much is open") {
  const Response costs = response_of(kCosts);
  RateView rates{.response = response_of((1 - (-kCosts.array()).exp()).matrix()), .origin = 0};
  rates.response.centre = -1;
  const auto gap = [&](double x, const std::optional<RateView>& with) {
    const auto [low, high] = interval_95(costs, with, Eigen::RowVectorXd::Constant(1, x));
    return high - low;
  };
  CHECK(gap(0.0, rates) == Approx(gap(0.0, std::nullopt)).epsilon(0.15));
  CHECK(gap(3.0, rates) > 1.1 * gap(3.0, std::nullopt));
  CHECK(std::isfinite(gap(1000.0, rates)));
}

TEST_CASE("far from what was measured the bad side of an interval reaches further than the good one") {
  const Prediction at = far_end(true);
  CHECK(at.low[0] > 0);
  CHECK(std::log(at.mean[0] / at.low[0]) > 1.15 * std::log(at.high[0] / at.mean[0]));
  CHECK(std::log(at.high[1] / at.mean[1]) > 1.15 * std::log(at.mean[1] / at.low[1]));
}

TEST_CASE("quantities that are compared by difference keep symmetric intervals") {
  const Prediction at = far_end(false);
  for (int k = 0; k < 2; ++k) CHECK(at.high[k] - at.mean[k] == Approx(at.mean[k] - at.low[k]).epsilon(1e-6));
}
