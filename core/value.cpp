// SPDX-License-Identifier: Apache-2.0
// Values to text and JSON and back.
#include "core/value.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"

namespace osdtune {

std::string to_text(const Value& value) {
  if (const auto* b = std::get_if<bool>(&value)) return *b ? "true" : "false";
  if (const auto* i = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *i);
  if (const auto* d = std::get_if<double>(&value)) return fmt::format("{:.9g}", *d);
  return std::get<std::string>(value);
}

std::string to_text(const Config& config) {
  std::string out;
  for (const auto& [name, value] : config)
    out += fmt::format("{}{}={}", out.empty() ? "" : " ", name, to_text(value));
  return out;
}

Json to_json(const Value& value) {
  return std::visit([](const auto& v) { return Json(v); }, value);
}

Json to_json(const Config& config) {
  Json out = Json::object();
  for (const auto& [name, value] : config) out[name] = to_json(value);
  return out;
}

Value value_from_json(const Json& json, const std::string& where) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number_float() && std::isfinite(json.get<double>())) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  throw Error(ErrorKind::kInput,
              fmt::format("{}: expected a number, true, false or a string, found {}", where, json.dump()));
}

Config config_from_json(const Json& json, const std::string& where) {
  if (!json.is_object())
    throw Error(ErrorKind::kInput, fmt::format("{}: expected an object of settings", where));
  Config out;
  for (const auto& [name, value] : json.items()) out[name] = value_from_json(value, where + "." + name);
  return out;
}

}  // namespace osdtune
