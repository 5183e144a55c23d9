// SPDX-License-Identifier: Apache-2.0
// JSON that cannot be taken as it is: what is refused, and with which words.
#include <doctest/doctest.h>

#include "core/error.hpp"
#include "core/json_file.hpp"

using namespace osdtune;
using doctest::Contains;

TEST_CASE("a number beyond double is refused with its place") {
  CHECK_THROWS_WITH_AS(parse_json("{\n  \"a\": 1e999 }", "f.json"),
                       Contains("f.json: line 2, column 8: the number 1e999 is too large"), Error);
}

TEST_CASE("a key that stands twice is refused unless the writer is known to repeat itself") {
  CHECK_THROWS_WITH_AS(parse_json(R"({"a": 1, "a": 2})", "f"), Contains("the key \"a\" stands twice"), Error);
  CHECK(parse_json(R"({"a": 1, "a": 2})", "f", Twins::kKeepLast) == Json{{"a", 2}});
  CHECK(parse_json(R"({"a": {"b": 1}, "c": {"b": 2}})", "f").size() == 2);
}

TEST_CASE("endless nesting is refused instead of overflowing the stack") {
  const std::string deep(100000, '[');
  CHECK_THROWS_WITH_AS(parse_json(deep, "f"), Contains("nested deeper than 100 levels"), Error);
  const std::string objects = [] {
    std::string text;
    for (int i = 0; i < 50000; ++i) text += R"({"a":)";
    return text;
  }();
  CHECK_THROWS_WITH_AS(parse_json(objects, "f"), Contains("nested deeper"), Error);
  CHECK_NOTHROW(parse_json(std::string(90, '[') + std::string(90, ']'), "f"));
}

TEST_CASE("a message about text that is not UTF-8 is still a message") {
  CHECK_THROWS_AS(parse_json("{\"\xff\": 1}", "f"), Error);
}
