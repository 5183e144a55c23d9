// SPDX-License-Identifier: Apache-2.0
// The space a planner searches: settings with their ranges, the constraints known beforehand, and moves
// inside it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "core/value.hpp"

namespace osdtune {

/// What it takes to change a setting, by rising price.
enum class Change { kRuntime, kRestart, kRedeploy };

std::string to_text(Change change);

enum class SettingKind { kInteger, kReal, kCategory, kBoolean };

/// A setting counts only where another has one of these values.
struct SettingCondition {
  std::string setting;
  std::vector<Value> values;
  bool operator==(const SettingCondition&) const = default;
};

/// One searched setting.
struct Setting {
  std::string name;
  SettingKind kind = SettingKind::kInteger;
  double low = 0;  ///< integers and reals: both ends belong to the range
  double high = 1;
  bool log = false;           ///< searched on a logarithmic scale
  std::vector<Value> values;  ///< categories, or the only integers/reals allowed (ordered) if not empty
  Value default_value;        ///< the configuration as found
  Change change = Change::kRuntime;
  std::optional<SettingCondition>
      when;  ///< elsewhere it stays as found; the other setting has no condition itself
  bool operator==(const Setting&) const = default;
};

/// sum(coefficient * product of settings) <= limit; computable without measuring.
struct KnownConstraint {
  struct Term {
    double coefficient = 1;
    std::vector<std::string> settings;
    bool operator==(const Term&) const = default;
  };
  std::string name;
  std::vector<Term> terms;
  double limit = 0;
  bool operator==(const KnownConstraint&) const = default;
};

struct Space {
  std::vector<Setting> settings;
  std::vector<KnownConstraint> known;
  bool operator==(const Space&) const = default;
};

/// The configuration as found.
Config default_config(const Space& space);

/// sum(coefficient * product of settings); nullopt if the configuration lacks a number for one of them.
std::optional<double> left_side(const KnownConstraint& constraint, const Config& config);

/// True if every setting has a value inside its range and all known constraints hold.
bool is_allowed(const Space& space, const Config& config);

/// The dearest change between two configurations.
Change change_between(const Space& space, const Config& from, const Config& to);

/// Number of different configurations, or nullopt if a real setting makes it unbounded.
std::optional<double> count_configs(const Space& space);

}  // namespace osdtune
