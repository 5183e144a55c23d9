// SPDX-License-Identifier: Apache-2.0
// Closed forms over the strips of a staircase.
#include "search/model/ehvi.hpp"

#include <cmath>
#include <numbers>

namespace osdtune {

double normal_density(double z) {
  return std::exp(-0.5 * z * z) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
}

double normal_cumulative(double z) {
  return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

double expected_shortfall(double limit, double mean, double sd) {
  const double gap = limit - mean;
  if (sd <= 0) return std::max(0.0, gap);
  const double z = gap / sd;
  if (z > 8) return gap;
  if (z < -8) return 0.0;
  return gap * normal_cumulative(z) + sd * normal_density(z);
}

double expected_improvement(const Staircase& stairs, const double* mean, const double* sd) {
  const auto& steps = stairs.steps();
  const auto& reference = stairs.reference();
  if (reference.size() == 1)
    return expected_shortfall(steps.empty() ? reference[0] : steps[0][0], mean[0], sd[0]);
  double total = 0;
  double left = 0;
  double ceiling = reference[1];
  for (const auto& step : steps) {
    const double right = expected_shortfall(step[0], mean[0], sd[0]);
    if (right > left) total += (right - left) * expected_shortfall(ceiling, mean[1], sd[1]);
    left = right;
    ceiling = step[1];
  }
  const double right = expected_shortfall(reference[0], mean[0], sd[0]);
  return total + std::max(0.0, right - left) * expected_shortfall(ceiling, mean[1], sd[1]);
}

}  // namespace osdtune
