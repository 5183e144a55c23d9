// SPDX-License-Identifier: Apache-2.0
// Reads option values as Ceph does: sizes, numbers, booleans, enumerations and log levels.
#include "knowledge/option_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "core/error.hpp"
#include "core/units.hpp"

namespace osdtune {
namespace {

constexpr std::string_view kPrefixes = "KMGTPE";

std::optional<std::int64_t> parse_whole(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<std::int64_t> scaled(std::string_view digits, std::int64_t base, std::size_t power) {
  std::optional<std::int64_t> number = parse_whole(digits);
  for (std::size_t i = 0; number && i < power; ++i) {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(*number, base, &product)) return std::nullopt;
    number = product;
  }
  return number;
}

/// "6G", "6GB", "6Gi", "6442450944B".
std::optional<std::int64_t> parse_ceph_size(std::string_view text) {
  if (text.ends_with('B') && text.size() > 1)
    text.remove_suffix(1);
  else if (text.ends_with('i') && text.size() > 1 &&
           kPrefixes.find(text[text.size() - 2]) != std::string_view::npos)
    text.remove_suffix(1);
  const auto prefix = text.empty() ? std::string_view::npos : kPrefixes.find(text.back());
  if (prefix == std::string_view::npos) return parse_whole(text);
  return scaled(text.substr(0, text.size() - 1), 1024, prefix + 1);
}

/// "5", "5K" (5000).
std::optional<std::int64_t> parse_ceph_number(std::string_view text) {
  const auto prefix = text.empty() ? std::string_view::npos : kPrefixes.find(text.back());
  if (prefix == std::string_view::npos) return parse_whole(text);
  return scaled(text.substr(0, text.size() - 1), 1000, prefix + 1);
}

std::optional<double> parse_real(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

OptionValue refuse(std::string problem, std::string meant = "") {
  return {std::nullopt, std::move(problem), std::move(meant)};
}

OptionValue read_boolean(const std::string& text) {
  const std::string word = lower(text);
  if (word == "true" || word == "false") return {Value(word == "true"), "", ""};
  if (const auto number = parse_whole(text)) return {Value(*number != 0), "", ""};
  for (const char* yes : {"yes", "on", "enabled", "y", "t"})
    if (word == yes) return refuse("a boolean must be true, false, 1 or 0", "true");
  for (const char* no : {"no", "off", "disabled", "n", "f"})
    if (word == no) return refuse("a boolean must be true, false, 1 or 0", "false");
  return refuse("a boolean must be true, false, 1 or 0");
}

/// What a person probably meant by a size that Ceph does not take: "6GiB", "6g", "6.5 G".
std::string guess_size(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '_' || c == ','; });
  try {
    return std::to_string(parse_size(text, ""));
  } catch (const Error&) {
    return "";
  }
}

OptionValue read_size(const std::string& text) {
  if (const auto size = parse_ceph_size(text)) return {Value(*size), "", ""};
  return refuse("a size must be digits, then K, M, G or T if any, without blanks or fractions",
                guess_size(text));
}

OptionValue in_range(const Option& option, OptionValue read) {
  const auto* whole = std::get_if<std::int64_t>(&*read.value);
  const auto* real = std::get_if<double>(&*read.value);
  if (!whole && !real) return read;
  const double number = whole ? static_cast<double>(*whole) : *real;
  const bool is_unsigned = option.type == "uint" || option.type == "size";
  if (number < 0 && is_unsigned) return refuse("must not be negative");
  if (option.min && number < *option.min) return refuse(fmt::format("must be at least {}", *option.min));
  if (option.max && number > *option.max) return refuse(fmt::format("must be at most {}", *option.max));
  return read;
}

OptionValue read_text_value(const Option& option, const std::string& text) {
  const auto& allowed = option.enum_values;
  if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), text) == allowed.end())
    return refuse(fmt::format("must be one of {}", fmt::join(allowed, ", ")), nearest_name(text, allowed));
  return {Value(text), "", ""};
}

}  // namespace

OptionValue read_option_value(const Option& option, const std::string& text) {
  if (option.type == "bool") return read_boolean(text);
  if (option.type == "size") {
    const OptionValue read = read_size(text);
    return read.value ? in_range(option, read) : read;
  }
  if (option.type == "int" || option.type == "uint" || option.type == "millisecs" || option.type == "secs") {
    const auto number = parse_ceph_number(text);
    return number ? in_range(option, {Value(*number), "", ""}) : refuse("must be a whole number");
  }
  if (option.type == "float") {
    const auto number = parse_real(text);
    return number ? in_range(option, {Value(*number), "", ""})
                  : refuse("must be a number with a decimal point");
  }
  if (option.type == "debug") {
    if (parse_debug_levels(text)) return {Value(text), "", ""};
    return refuse("must be LOG/MEMORY with levels from 0 to 99, as in 1/5");
  }
  return read_text_value(option, text);
}

std::string canonical_value(const Option& option, const std::string& text) {
  if (option.type == "debug") {
    const auto levels = parse_debug_levels(text);
    return levels ? fmt::format("{}/{}", levels->log, levels->gather) : text;
  }
  const OptionValue read = read_option_value(option, text);
  if (!read.value) return text;
  const auto* real = std::get_if<double>(&*read.value);
  return real ? fmt::format("{}", *real) : to_text(*read.value);
}

bool same_value(const Option& option, const std::string& a, const std::string& b) {
  return canonical_value(option, a) == canonical_value(option, b);
}

std::optional<DebugLevels> parse_debug_levels(std::string_view text) {
  const auto slash = text.find('/');
  const auto log = parse_whole(text.substr(0, slash));
  const std::string_view rest = slash == std::string_view::npos ? text.substr(0, 0) : text.substr(slash + 1);
  const auto gather = slash == std::string_view::npos || rest.empty() ? log : parse_whole(rest);
  const auto fits = [](const std::optional<std::int64_t>& level) {
    return level && *level >= 0 && *level <= 99;
  };
  if (!fits(log) || !fits(gather)) return std::nullopt;
  return DebugLevels{static_cast<int>(*log), static_cast<int>(*gather)};
}

}  // namespace osdtune
