// SPDX-License-Identifier: Apache-2.0
// The "when" of a rule: comparisons of facts, joined by all, any and not. Structure, never text to evaluate.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/json_file.hpp"
#include "core/value.hpp"

namespace osdtune {

enum class Comparison {
  kEqual,
  kNotEqual,
  kLess,
  kAtMost,
  kGreater,
  kAtLeast,
  kIn,
  kContains,
  kStartsWith,
  kKnown
};

/// A tree; leaves compare one fact with a value or with another fact. "not" of something unknown is unknown;
/// "unless" is true then.
struct Condition {
  enum class Kind { kAll, kAny, kNot, kUnless, kCompare } kind = Kind::kAll;
  std::vector<Condition> parts;  ///< of all, any (one or more), not and unless (one)
  std::string fact;              ///< of a comparison, as are the rest
  Comparison comparison = Comparison::kEqual;
  std::vector<Value> values;   ///< one, or several for kIn
  std::string other_fact;      ///< instead of values
  double times = 1, plus = 0;  ///< other fact * times + plus
};

/// Asks for a fact; nullopt is unknown.
using FactSource = std::function<std::optional<Value>(const std::string&)>;

/// true, false, or nullopt where unknown facts leave it open (three-valued logic).
std::optional<bool> holds(const Condition& condition, const FactSource& facts);

/// Throws Error{kInput} naming `where` for unknown operators and shapes.
Condition condition_from_json(const Json& json, const std::string& where);

/// Names of all facts it asks for.
void collect_facts(const Condition& condition, std::vector<std::string>* names);

/// The number in a value: numbers, booleans as 0 and 1; nullopt for text.
std::optional<double> as_number(const Value& value);

}  // namespace osdtune
