// SPDX-License-Identifier: Apache-2.0
// Conditions know three answers: true, false, and that a fact is missing.
#include "knowledge/condition.hpp"

#include <doctest/doctest.h>

#include "core/error.hpp"

using namespace osdtune;

namespace {

/// Facts: cores 8, queue wpq.
std::optional<bool> ask(const char* text) {
  const Condition condition = condition_from_json(parse_json(text, "rule"), "rule");
  return holds(condition, [](const std::string& name) -> std::optional<Value> {
    if (name == "cores") return Value(std::int64_t{8});
    if (name == "queue") return Value(std::string("wpq"));
    return std::nullopt;
  });
}

}  // namespace

TEST_CASE("comparisons of numbers and text") {
  CHECK(ask(R"({"fact":"cores","op":">","value":4})") == true);
  CHECK(ask(R"({"fact":"cores","op":"<=","value":4})") == false);
  CHECK(ask(R"({"fact":"queue","op":"in","value":["fifo","wpq"]})") == true);
  CHECK(ask(R"({"fact":"queue","op":"starts with","value":"w"})") == true);
  CHECK(ask(R"({"fact":"cores","op":">","other":"cores","times":0.5,"plus":3})") == true);
}

TEST_CASE("what is unknown stays open unless the rest decides") {
  CHECK_FALSE(ask(R"({"fact":"memory","op":">","value":4})"));
  CHECK(ask(R"({"all":[{"fact":"memory","op":">","value":4},{"fact":"cores","op":"<","value":4}]})") ==
        false);
  CHECK(ask(R"({"any":[{"fact":"memory","op":">","value":4},{"fact":"cores","op":">","value":4}]})") == true);
  CHECK_FALSE(ask(R"({"not":{"fact":"memory","op":">","value":4}})"));
  CHECK(ask(R"({"unless":{"fact":"memory","op":">","value":4}})") == true);
  CHECK(ask(R"({"fact":"memory","op":"known","value":false})") == true);
  CHECK_FALSE(ask(R"({"fact":"queue","op":">","value":4})"));
}

TEST_CASE("conditions out of shape are refused") {
  for (const char* wrong :
       {R"({"fact":"a","op":"~","value":1})", R"({"all":[]})", R"({"fact":"a","op":"=="})",
        R"({"fact":"a","op":"==","value":1,"extra":2})", R"({"any":3})"})
    CHECK_THROWS_AS(ask(wrong), Error);
}
