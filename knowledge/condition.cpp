// SPDX-License-Identifier: Apache-2.0
// Reads conditions from JSON and decides them with three values: true, false, unknown.
#include "knowledge/condition.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.hpp"

namespace osdtune {
namespace {

using Answer = std::optional<bool>;

constexpr std::array<std::pair<std::string_view, Comparison>, 10> kOperators = {
    {{"==", Comparison::kEqual},
     {"!=", Comparison::kNotEqual},
     {"<", Comparison::kLess},
     {"<=", Comparison::kAtMost},
     {">", Comparison::kGreater},
     {">=", Comparison::kAtLeast},
     {"in", Comparison::kIn},
     {"contains", Comparison::kContains},
     {"starts with", Comparison::kStartsWith},
     {"known", Comparison::kKnown}}};

bool equal(const Value& a, const Value& b) {
  const auto left = as_number(a);
  const auto right = as_number(b);
  return left && right ? *left == *right : to_text(a) == to_text(b);
}

Answer compare_numbers(Comparison comparison, const Value& a, const Value& b) {
  const auto left = as_number(a);
  const auto right = as_number(b);
  if (!left || !right) return std::nullopt;
  switch (comparison) {
    case Comparison::kLess:
      return *left < *right;
    case Comparison::kAtMost:
      return *left <= *right;
    case Comparison::kGreater:
      return *left > *right;
    default:
      return *left >= *right;
  }
}

Answer compare(const Condition& c, const Value& fact, const std::vector<Value>& values) {
  const std::string text = to_text(fact);
  const auto any = [&](auto test) { return std::any_of(values.begin(), values.end(), test); };
  switch (c.comparison) {
    case Comparison::kEqual:
    case Comparison::kIn:
      return any([&](const Value& value) { return equal(fact, value); });
    case Comparison::kNotEqual:
      return !equal(fact, values.front());
    case Comparison::kContains:
      return any([&](const Value& value) { return text.find(to_text(value)) != std::string::npos; });
    case Comparison::kStartsWith:
      return any([&](const Value& value) { return text.starts_with(to_text(value)); });
    default:
      return compare_numbers(c.comparison, fact, values.front());
  }
}

Answer decide(const Condition& c, const FactSource& facts) {
  const std::optional<Value> fact = facts(c.fact);
  if (c.comparison == Comparison::kKnown) return fact.has_value() == (c.values.front() == Value(true));
  if (!fact) return std::nullopt;
  if (c.other_fact.empty()) return compare(c, *fact, c.values);
  const std::optional<Value> other = facts(c.other_fact);
  if (!other) return std::nullopt;
  const std::optional<double> number = as_number(*other);
  if (!number) return compare(c, *fact, {*other});
  return compare(c, *fact, {Value(*number * c.times + c.plus)});
}

/// `stop` decides at once: false for all, true for any.
Answer join(const std::vector<Condition>& parts, bool stop, const FactSource& facts) {
  bool open = false;
  for (const Condition& part : parts) {
    const Answer answer = holds(part, facts);
    if (answer == stop) return stop;
    open = open || !answer;
  }
  return open ? std::nullopt : Answer(!stop);
}

std::vector<Condition> parts_from(const Json& json, const std::string& where) {
  if (!json.is_array() || json.empty())
    throw Error(ErrorKind::kInput, where + " must be a list of at least one condition");
  std::vector<Condition> parts;
  for (std::size_t i = 0; i < json.size(); ++i)
    parts.push_back(condition_from_json(json[i], where + "[" + std::to_string(i) + "]"));
  return parts;
}

Comparison comparison_from(const std::string& text, const std::string& where) {
  for (const auto& [name, comparison] : kOperators)
    if (name == text) return comparison;
  throw Error(ErrorKind::kInput, where + ": unknown operator \"" + text + "\"");
}

void read_values(const Json& json, const std::string& where, Condition* condition) {
  if (!json.is_array()) {
    condition->values = {value_from_json(json, where)};
    return;
  }
  for (const Json& each : json) condition->values.push_back(value_from_json(each, where));
  if (condition->values.empty()) throw Error(ErrorKind::kInput, where + " must not be empty");
}

}  // namespace

std::optional<double> as_number(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? 1 : 0;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

std::optional<bool> holds(const Condition& condition, const FactSource& facts) {
  switch (condition.kind) {
    case Condition::Kind::kAll:
      return join(condition.parts, false, facts);
    case Condition::Kind::kAny:
      return join(condition.parts, true, facts);
    case Condition::Kind::kCompare:
      return decide(condition, facts);
    case Condition::Kind::kNot:
    case Condition::Kind::kUnless:
      break;
  }
  const Answer inner = holds(condition.parts.front(), facts);
  if (condition.kind == Condition::Kind::kUnless) return inner != true;
  return inner ? Answer(!*inner) : std::nullopt;
}

Condition condition_from_json(const Json& json, const std::string& where) {
  Fields fields(json, where);
  Condition condition;
  if (const Json* all = fields.find("all")) {
    condition.parts = parts_from(*all, where + ".all");
  } else if (const Json* any = fields.find("any")) {
    condition.kind = Condition::Kind::kAny;
    condition.parts = parts_from(*any, where + ".any");
  } else if (const Json* inner = fields.find("not")) {
    condition.kind = Condition::Kind::kNot;
    condition.parts = {condition_from_json(*inner, where + ".not")};
  } else if (const Json* exception = fields.find("unless")) {
    condition.kind = Condition::Kind::kUnless;
    condition.parts = {condition_from_json(*exception, where + ".unless")};
  } else {
    condition.kind = Condition::Kind::kCompare;
    condition.fact = fields.text("fact");
    condition.comparison = comparison_from(fields.text("op"), where);
    condition.other_fact = fields.text("other", "");
    condition.times = fields.number("times", 1);
    condition.plus = fields.number("plus", 0);
    if (condition.other_fact.empty()) read_values(fields.require("value"), where + ".value", &condition);
  }
  fields.finish();
  return condition;
}

void collect_facts(const Condition& condition, std::vector<std::string>* names) {
  if (!condition.fact.empty()) names->push_back(condition.fact);
  if (!condition.other_fact.empty()) names->push_back(condition.other_fact);
  for (const Condition& part : condition.parts) collect_facts(part, names);
}

}  // namespace osdtune
