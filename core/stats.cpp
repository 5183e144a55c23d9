// SPDX-License-Identifier: Apache-2.0
// Means, quantiles and t intervals; the t distribution is Boost's.
#include "core/stats.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace osdtune {
namespace {

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

/// The value, unless arithmetic left the range of double.
std::optional<double> finite(double x) {
  return std::isfinite(x) ? std::optional(x) : std::nullopt;
}

std::optional<Interval> finite(const Interval& interval) {
  const bool ok =
      std::isfinite(interval.value) && std::isfinite(interval.low) && std::isfinite(interval.high);
  return ok ? std::optional(interval) : std::nullopt;
}

/// Half width of a two-sided interval in standard errors.
double t_factor(double degrees_of_freedom, double confidence) {
  const boost::math::students_t distribution(degrees_of_freedom);
  return boost::math::quantile(boost::math::complement(distribution, (1 - confidence) / 2));
}

bool is_confidence(double confidence) {
  return confidence > 0 && confidence < 1;
}

/// Logarithms, or nullopt unless every value is positive.
std::optional<std::vector<double>> logarithms(const std::vector<double>& values) {
  std::vector<double> logs;
  for (const double x : values) {
    if (!(x > 0)) return std::nullopt;
    logs.push_back(std::log(x));
  }
  return logs;
}

}  // namespace

std::optional<double> mean(const std::vector<double>& values) {
  if (values.empty() || !all_finite(values)) return std::nullopt;
  double result = 0;
  double n = 0;
  for (const double x : values) result += (x - result) / ++n;
  return finite(result);
}

std::optional<double> sample_sd(const std::vector<double>& values) {
  const auto center = mean(values);
  if (!center || values.size() < 2) return std::nullopt;
  double sum = 0;
  for (const double x : values) sum += (x - *center) * (x - *center);
  return finite(std::sqrt(sum / static_cast<double>(values.size() - 1)));
}

std::optional<double> quantile(std::vector<double> values, double q) {
  if (values.empty() || !all_finite(values) || !(q >= 0 && q <= 1)) return std::nullopt;
  std::sort(values.begin(), values.end());
  const double place = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  const double part = place - static_cast<double>(below);
  return finite(values[below] * (1 - part) + values[above] * part);
}

std::optional<double> median(std::vector<double> values) {
  return quantile(std::move(values), 0.5);
}

std::optional<double> mad(const std::vector<double>& values) {
  const auto center = median(values);
  if (!center) return std::nullopt;
  std::vector<double> distances;
  for (const double x : values) distances.push_back(std::abs(x - *center));
  return median(std::move(distances));
}

std::optional<Interval> mean_interval(const std::vector<double>& values, double confidence) {
  const auto center = mean(values);
  const auto sd = sample_sd(values);
  if (!sd || !is_confidence(confidence)) return std::nullopt;
  const auto n = static_cast<double>(values.size());
  const double half = t_factor(n - 1, confidence) * *sd / std::sqrt(n);
  return finite(Interval{*center, *center - half, *center + half});
}

std::optional<Interval> ratio_interval(const std::vector<double>& numerator,
                                       const std::vector<double>& denominator, double confidence) {
  const auto logs_a = logarithms(numerator);
  const auto logs_b = logarithms(denominator);
  if (!logs_a || !logs_b || !is_confidence(confidence)) return std::nullopt;
  const auto sd_a = sample_sd(*logs_a);
  const auto sd_b = sample_sd(*logs_b);
  if (!sd_a || !sd_b) return std::nullopt;
  const double difference = *mean(*logs_a) - *mean(*logs_b);
  const auto n_a = static_cast<double>(numerator.size());
  const auto n_b = static_cast<double>(denominator.size());
  const double var_a = *sd_a * *sd_a / n_a;
  const double var_b = *sd_b * *sd_b / n_b;
  const double var = var_a + var_b;
  const double spread = var_a * var_a / (n_a - 1) + var_b * var_b / (n_b - 1);
  // A spread below the smallest double is no spread: then there is nothing to estimate degrees of freedom
  // from.
  const double half = spread > 0 ? t_factor(var * var / spread, confidence) * std::sqrt(var) : 0;
  return finite(Interval{std::exp(difference), std::exp(difference - half), std::exp(difference + half)});
}

}  // namespace osdtune
