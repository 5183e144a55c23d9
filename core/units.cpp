// SPDX-License-Identifier: Apache-2.0
// Reading and writing sizes, durations and numbers.
#include "core/units.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/error.hpp"

namespace osdtune {
namespace {

/// Splits "1.5 GiB" into 1.5 and "gib".
std::pair<double, std::string> split(std::string_view text, const std::string& where, const char* example) {
  double number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !std::isfinite(number) || number < 0)
    throw Error(ErrorKind::kInput, fmt::format("{}: '{}' does not start with a number", where, text),
                example);
  std::string unit;
  for (const char c : std::string_view(rest, static_cast<std::size_t>(text.data() + text.size() - rest)))
    if (c != ' ') unit += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return {number, unit};
}

}  // namespace

std::int64_t parse_size(std::string_view text, const std::string& where) {
  constexpr const char* kExample = "write a size as 4096, 4k, 64KiB or 1.5G";
  auto [number, unit] = split(text, where, kExample);
  static constexpr std::string_view kUnits = "kmgtpe";
  double factor = 1;
  if (!unit.empty() && unit != "b") {
    const auto power = kUnits.find(unit[0]);
    const std::string rest = unit.substr(1);
    if (power == std::string_view::npos || (!rest.empty() && rest != "b" && rest != "ib" && rest != "i"))
      throw Error(ErrorKind::kInput, fmt::format("{}: '{}' has an unknown unit", where, text), kExample);
    factor = std::pow(1024.0, static_cast<double>(power) + 1.0);
  }
  const double bytes = number * factor;
  if (bytes > 9e18)
    throw Error(ErrorKind::kInput, fmt::format("{}: '{}' is too large", where, text), kExample);
  return static_cast<std::int64_t>(std::llround(bytes));
}

double parse_count(std::string_view text, const std::string& where) {
  constexpr const char* kExample = "write a count as 1500, 400k or 1.2M";
  auto [number, unit] = split(text, where, kExample);
  if (unit.empty()) return number;
  if (unit == "k") return number * 1e3;
  if (unit == "m") return number * 1e6;
  throw Error(ErrorKind::kInput, fmt::format("{}: '{}' has an unknown unit", where, text), kExample);
}

double parse_duration_s(std::string_view text, const std::string& where) {
  constexpr const char* kExample = "write a time with its unit: 250us, 5ms, 30s, 10m or 2h";
  auto [number, unit] = split(text, where, kExample);
  static constexpr std::array<std::pair<std::string_view, double>, 6> kUnits = {
      {{"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}, {"m", 60.0}, {"min", 60.0}, {"h", 3600.0}}};
  for (const auto& [name, factor] : kUnits)
    if (unit == name) return number * factor;
  throw Error(ErrorKind::kInput, fmt::format("{}: '{}' has no known unit of time", where, text), kExample);
}

std::string format_size(double bytes) {
  static constexpr std::array<const char*, 6> kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < kUnits.size()) bytes /= 1024, ++unit;
  return fmt::format("{:.4g} {}", bytes, kUnits[unit]);
}

std::string format_duration(double seconds) {
  const auto total = std::llround(seconds);
  if (total < 100) return fmt::format("{} s", total);
  if (total < 3600) return fmt::format("{} min", (total + 30) / 60);
  return fmt::format("{} h {} min", total / 3600, total % 3600 / 60);
}

std::string format_number(double value) {
  if (std::abs(value) < 1000) return fmt::format("{:.3g}", value);
  std::string digits = fmt::format("{}", std::llround(std::abs(value)));
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return (value < 0 ? "-" : "") + digits;
}

}  // namespace osdtune
