// SPDX-License-Identifier: Apache-2.0
// Statistics against values worked out independently, by numerical integration of the t density.
#include "core/stats.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/random.hpp"

using namespace osdtune;
using doctest::Approx;

namespace {
const double kNan = std::numeric_limits<double>::quiet_NaN();
const double kHuge = std::numeric_limits<double>::max();
const std::vector<double> kSample = {2310, 2480, 2290, 2395};
}  // namespace

TEST_CASE("location and spread of a small sample") {
  CHECK(*mean(kSample) == Approx(2368.75));
  CHECK(*sample_sd(kSample) == Approx(87.0225067));
  CHECK(*median(kSample) == Approx(2352.5));
  CHECK(*mad(kSample) == Approx(52.5));
  CHECK(*median({3, 1, 2}) == 2);
}

TEST_CASE("a quantile lies between order statistics") {
  CHECK(*quantile({4, 1, 3, 2}, 0) == 1);
  CHECK(*quantile({4, 1, 3, 2}, 1) == 4);
  CHECK(*quantile({4, 1, 3, 2}, 0.25) == Approx(1.75));
  CHECK(*quantile({7}, 0.99) == 7);
}

TEST_CASE("too few values, broken values and wrong levels give nothing instead of NaN") {
  CHECK_FALSE(mean({}));
  CHECK_FALSE(sample_sd({1}));
  CHECK_FALSE(median({}));
  CHECK_FALSE(mad({}));
  CHECK_FALSE(mean_interval({1}));
  CHECK_FALSE(ratio_interval({1}, {1, 2}));
  CHECK_FALSE(mean({1, kNan}));
  CHECK_FALSE(mad({1, kNan}));
  CHECK_FALSE(quantile({1, 2}, 1.5));
  CHECK_FALSE(quantile({1, 2}, kNan));
  CHECK_FALSE(mean_interval({1, 2}, 1.0));
  CHECK_FALSE(mean_interval({1, 2}, 0.0));
  CHECK_FALSE(ratio_interval({1, 2}, {0, 2}));
  CHECK_FALSE(ratio_interval({1, -2}, {1, 2}));
  CHECK_FALSE(sample_sd({kHuge, -kHuge}));
}

TEST_CASE("the t interval of a mean agrees with the tables") {
  const auto interval = mean_interval(kSample);  // t(0.975, 3) = 3.182446
  REQUIRE(interval);
  CHECK(interval->value == Approx(2368.75));
  CHECK(interval->low == Approx(2230.277773));
  CHECK(interval->high == Approx(2507.222227));
  CHECK(mean_interval(kSample, 0.99)->low < interval->low);
}

TEST_CASE("the ratio of two samples agrees with Welch's test on logarithms") {
  const auto interval = ratio_interval({1200, 1100, 1290}, kSample);
  REQUIRE(interval);
  CHECK(interval->value == Approx(0.5043748).epsilon(1e-6));
  CHECK(interval->low == Approx(0.4251807).epsilon(1e-6));
  CHECK(interval->high == Approx(0.5983196).epsilon(1e-6));
  const auto inverse = ratio_interval(kSample, {1200, 1100, 1290});
  CHECK(inverse->low == Approx(1 / interval->high));
}

TEST_CASE("samples without spread give the point itself") {
  const auto interval = ratio_interval({200, 200}, {100, 100});
  REQUIRE(interval);
  CHECK(interval->low == Approx(2));
  CHECK(interval->high == Approx(2));
  const auto one_side = ratio_interval({200, 200}, {90, 110});
  REQUIRE(one_side);
  CHECK(one_side->low < 2);
}

TEST_CASE("95 % intervals of a ratio hold the truth in about 95 % of cases") {
  Random random(7);
  int held = 0;
  constexpr int kRounds = 2000;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<double> a, b;
    for (int i = 0; i < 3; ++i) a.push_back(2000 * std::exp(0.08 * random.normal()));
    for (int i = 0; i < 5; ++i) b.push_back(1000 * std::exp(0.03 * random.normal()));
    held += ratio_interval(a, b)->contains(2.0);
  }
  CHECK(held > 0.93 * kRounds);
  CHECK(held < 0.98 * kRounds);
}
