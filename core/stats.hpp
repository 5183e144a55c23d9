// SPDX-License-Identifier: Apache-2.0
// Statistics of a handful of measurements: location, spread, and intervals that admit how little is known.
#pragma once

#include <optional>
#include <vector>

namespace osdtune {

/// An estimate and the interval that holds the truth with the stated confidence.
struct Interval {
  double value = 0;
  double low = 0;
  double high = 0;
  bool contains(double x) const { return low <= x && x <= high; }
  bool operator==(const Interval&) const = default;
};

// All functions below: the order of the values does not matter; too few values, or one that is not finite,
// give nullopt. Nothing returned is ever NaN or infinite.

/// Arithmetic mean; one value is enough.
std::optional<double> mean(const std::vector<double>& values);

/// Standard deviation of a sample (n - 1 in the denominator); needs two values.
std::optional<double> sample_sd(const std::vector<double>& values);

/// Quantile for 0 <= q <= 1, linear between order statistics (type 7 of Hyndman and Fan 1996); one value is
/// enough.
std::optional<double> quantile(std::vector<double> values, double q);

std::optional<double> median(std::vector<double> values);

/// Median absolute deviation from the median, as it is; times 1.4826 it estimates the sd of normal data.
std::optional<double> mad(const std::vector<double>& values);

/// Mean with Student's t interval; needs two values and 0 < confidence < 1.
std::optional<Interval> mean_interval(const std::vector<double>& values, double confidence = 0.95);

/// Ratio of the geometric means, `numerator` over `denominator`, with Welch's t interval computed on
/// logarithms (unequal spreads, degrees of freedom after Welch and Satterthwaite). All values must be
/// positive, two on each side. An interval that contains 1 means: no significant difference. Without any
/// spread on both sides the interval is the point itself.
std::optional<Interval> ratio_interval(const std::vector<double>& numerator,
                                       const std::vector<double>& denominator, double confidence = 0.95);

}  // namespace osdtune
