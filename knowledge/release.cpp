// SPDX-License-Identifier: Apache-2.0
// Ceph release numbers and how they compare.
#include "knowledge/release.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "core/error.hpp"

namespace osdtune {
namespace {

constexpr int kNewestPoint = 9999;  // stands for a missing point part

constexpr std::array<std::pair<std::string_view, int>, 11> kNames = {{{"jewel", 10},
                                                                      {"kraken", 11},
                                                                      {"luminous", 12},
                                                                      {"mimic", 13},
                                                                      {"nautilus", 14},
                                                                      {"octopus", 15},
                                                                      {"pacific", 16},
                                                                      {"quincy", 17},
                                                                      {"reef", 18},
                                                                      {"squid", 19},
                                                                      {"tentacle", 20}}};

std::optional<int> take_number(std::string_view* text) {
  std::size_t digits = 0;
  int number = 0;
  while (digits < text->size() && digits < 4 && std::isdigit(static_cast<unsigned char>((*text)[digits])))
    number = number * 10 + ((*text)[digits++] - '0');
  if (digits == 0) return std::nullopt;
  text->remove_prefix(digits);
  return number;
}

std::optional<int> take_part(std::string_view* text) {
  if (text->empty() || text->front() != '.') return std::nullopt;
  std::string_view rest = text->substr(1);
  const std::optional<int> number = take_number(&rest);
  if (number) *text = rest;
  return number;
}

}  // namespace

Release parse_release(std::string_view text) {
  std::string_view rest = text;
  constexpr std::string_view kPrefix = "ceph version ";
  if (rest.starts_with(kPrefix)) rest.remove_prefix(kPrefix.size());
  for (const auto& [name, major] : kNames)
    if (rest == name) return {major, 2, kNewestPoint};
  if (rest.starts_with('v')) rest.remove_prefix(1);
  const std::optional<int> major = take_number(&rest);
  if (!major || *major == 0)
    throw Error(ErrorKind::kInput, "\"" + std::string(text) + "\" is not a Ceph release",
                "write it as 18.2.7, 18.2 or reef");
  const std::optional<int> minor = take_part(&rest);
  const std::optional<int> point = minor ? take_part(&rest) : std::nullopt;
  return {*major, minor.value_or(2), point.value_or(kNewestPoint)};
}

std::string to_text(const Release& release) {
  std::string text = std::to_string(release.major) + "." + std::to_string(release.minor);
  if (release.point != kNewestPoint) text += "." + std::to_string(release.point);
  return text;
}

std::string release_name(const Release& release) {
  for (const auto& [name, major] : kNames)
    if (major == release.major) return std::string(name);
  return "";
}

}  // namespace osdtune
