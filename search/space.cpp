// SPDX-License-Identifier: Apache-2.0
// What a configuration may be and what it takes to get from one to another.
#include "search/space.hpp"

#include <algorithm>
#include <cmath>

namespace osdtune {

namespace {

std::optional<double> number_of(const Value& value) {
  if (const auto* i = std::get_if<std::int64_t>(&value)) return static_cast<double>(*i);
  if (const auto* d = std::get_if<double>(&value)) return *d;
  return std::nullopt;
}

bool is_listed(const Setting& setting, const Value& value) {
  const auto number = number_of(value);
  return std::any_of(setting.values.begin(), setting.values.end(), [&](const Value& allowed) {
    return allowed == value || (number && number_of(allowed) == number);
  });
}

bool is_valid(const Setting& setting, const Value& value) {
  if (setting.kind == SettingKind::kBoolean) return std::holds_alternative<bool>(value);
  if (!setting.values.empty()) return is_listed(setting, value);
  if (setting.kind == SettingKind::kCategory) return false;
  const auto number = number_of(value);
  if (!number || !std::isfinite(*number)) return false;
  if (setting.kind == SettingKind::kInteger && *number != std::round(*number)) return false;
  return setting.low <= *number && *number <= setting.high;
}

}  // namespace

std::string to_text(Change change) {
  switch (change) {
    case Change::kRuntime:
      return "runtime";
    case Change::kRestart:
      return "restart";
    case Change::kRedeploy:
      return "redeploy";
  }
  return "";
}

Config default_config(const Space& space) {
  Config out;
  for (const auto& setting : space.settings) out[setting.name] = setting.default_value;
  return out;
}

std::optional<double> left_side(const KnownConstraint& constraint, const Config& config) {
  double total = 0;
  for (const auto& term : constraint.terms) {
    double product = term.coefficient;
    for (const auto& name : term.settings) {
      const auto at = config.find(name);
      const auto number = at == config.end() ? std::nullopt : number_of(at->second);
      if (!number) return std::nullopt;
      product *= *number;
    }
    total += product;
  }
  return total;
}

bool is_allowed(const Space& space, const Config& config) {
  const bool valid = std::all_of(space.settings.begin(), space.settings.end(), [&](const Setting& setting) {
    const auto at = config.find(setting.name);
    return at != config.end() && is_valid(setting, at->second);
  });
  return valid && std::all_of(space.known.begin(), space.known.end(), [&](const KnownConstraint& constraint) {
           const auto sum = left_side(constraint, config);
           return sum && *sum <= constraint.limit;
         });
}

Change change_between(const Space& space, const Config& from, const Config& to) {
  Change dearest = Change::kRuntime;
  for (const auto& setting : space.settings) {
    const auto a = from.find(setting.name);
    const auto b = to.find(setting.name);
    const bool same = (a == from.end()) == (b == to.end()) && (a == from.end() || a->second == b->second);
    if (!same) dearest = std::max(dearest, setting.change);
  }
  return dearest;
}

std::optional<double> count_configs(const Space& space) {
  double total = 1;
  for (const auto& setting : space.settings) {
    if (setting.kind == SettingKind::kBoolean) {
      total *= 2;
    } else if (!setting.values.empty()) {
      total *= static_cast<double>(setting.values.size());
    } else if (setting.kind == SettingKind::kInteger) {
      total *= std::floor(setting.high) - std::ceil(setting.low) + 1;
    } else {
      return std::nullopt;
    }
  }
  return total;
}

}  // namespace osdtune
