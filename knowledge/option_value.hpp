// SPDX-License-Identifier: Apache-2.0
// The text of an option's value, read as Ceph reads it for the option's type.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/value.hpp"
#include "knowledge/option.hpp"

namespace osdtune {

/// A value, or why Ceph does not take it and runs with the default instead.
struct OptionValue {
  std::optional<Value> value;
  std::string problem;  ///< "" if there is none
  std::string meant;    ///< the same value as Ceph would take it, where that can be guessed: "6442450944"
};

/// Checks type, range and enumeration. Sizes take K, M, G, T, P, E alone or followed by B or i; whole numbers
/// take K, M, G as powers of 1000; booleans take true, false and numbers (checked against 16.2.15).
OptionValue read_option_value(const Option& option, const std::string& text);

/// The value as one text, so that "4G" and "4294967296", or "20" and "20/20", are the same.
std::string canonical_value(const Option& option, const std::string& text);

/// True if both texts are the same value of the option.
bool same_value(const Option& option, const std::string& a, const std::string& b);

/// Levels of a debug_* value: written to the log, and gathered in memory.
struct DebugLevels {
  int log = 0;
  int gather = 0;
  bool operator==(const DebugLevels&) const = default;
};

/// "1/5", or "20" for both; nullopt for anything else.
std::optional<DebugLevels> parse_debug_levels(std::string_view text);

}  // namespace osdtune
