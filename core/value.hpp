// SPDX-License-Identifier: Apache-2.0
// The value of one setting, and a configuration: every setting with its value.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>

#include "core/json_file.hpp"

namespace osdtune {

/// Value of a setting. Byte sizes and counts are integers, categories are strings.
using Value = std::variant<bool, std::int64_t, double, std::string>;

/// A configuration: value by setting name. Ordered, so that equal configurations print alike.
using Config = std::map<std::string, Value>;

/// As Ceph reads it: true/false, plain decimals, strings unquoted.
std::string to_text(const Value& value);

/// "a=1 b=off": one line for people.
std::string to_text(const Config& config);

Json to_json(const Value& value);
Json to_json(const Config& config);

/// Throws Error{kInput} for null, arrays and objects; `where` names the place in the message.
Value value_from_json(const Json& json, const std::string& where);
Config config_from_json(const Json& json, const std::string& where);

}  // namespace osdtune
