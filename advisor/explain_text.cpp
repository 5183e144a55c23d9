// SPDX-License-Identifier: Apache-2.0
// Explanations of options as text and as JSON.
#include <fmt/format.h>

#include <algorithm>

#include "advisor/explain.hpp"
#include "core/units.hpp"

namespace osdtune {
namespace {

std::string value_text(const Option& option, const std::string& value) {
  if (value.empty()) return "(empty)";
  if (option.type != "size") return value;
  char* end = nullptr;
  const double bytes = std::strtod(value.c_str(), &end);
  return *end == '\0' && bytes >= 1024 ? fmt::format("{} ({})", value, format_size(bytes)) : value;
}

std::string takes_effect_text(const Option& option) {
  if (!option.takes_effect) return "not known: treat it as needing a restart of the OSD";
  std::string text;
  switch (*option.takes_effect) {
    case TakesEffect::kLive:
      text = "at once";
      break;
    case TakesEffect::kNewConnections:
      text = "on new connections";
      break;
    case TakesEffect::kImageReopen:
      text = "when a client opens the image again";
      break;
    case TakesEffect::kRestart:
      text = "after a restart";
      break;
    case TakesEffect::kRecreate:
      text = "only for what is made from then on";
      break;
  }
  const bool lie = option.runtime_claimed && *option.takes_effect == TakesEffect::kRestart;
  return text + (lie ? ", although `ceph config help` says it can be updated at run time" : "");
}

std::string bounds_text(const Option& option) {
  if (!option.enum_values.empty()) return fmt::format("one of {}", fmt::join(option.enum_values, ", "));
  const auto text = [&](double number) {
    return option.type == "size" ? format_size(number) : format_number(number);
  };
  if (option.min && option.max) return fmt::format("{} to {}", text(*option.min), text(*option.max));
  if (option.min) return fmt::format("at least {}", text(*option.min));
  if (option.max) return fmt::format("at most {}", text(*option.max));
  return "";
}

std::string way_text(const std::vector<GraphEdge>& way) {
  std::string text;
  for (const GraphEdge& edge : way) text += fmt::format(" -> {}", edge.to);
  return text.substr(4);
}

void line(std::string* out, const char* label, const std::string& text) {
  if (!text.empty()) *out += fmt::format("  {:<14}{}\n", label, text);
}

std::string history_text(const Explanation& explanation) {
  if (explanation.defaults.size() < 2) return "";
  std::string text;
  for (const auto& [release, value] : explanation.defaults)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", release, value.empty() ? "(empty)" : value);
  return text;
}

std::string danger_text(Safety safety) {
  switch (safety) {
    case Safety::kData:
      return "a wrong value risks data; never searched";
    case Safety::kSecurity:
      return "a wrong value risks security; never searched";
    case Safety::kDiagnosis:
      return "a wrong value hides faults; never searched";
    case Safety::kMemory:
      return "a wrong value can exhaust memory";
    case Safety::kNone:
      return "";
  }
  return "";
}

}  // namespace

std::string explanation_text(const Explanation& explanation) {
  const Option& option = explanation.option;
  std::string out = fmt::format("{} ({}, {})\n", option.name, option.type, option.level);
  out += option.effect.empty()
             ? "\n  No description of effect and cost yet; the facts are those of Ceph's sources.\n\n"
             : fmt::format("\n  {}\n  {}\n\n", option.effect, option.cost);
  line(&out, "default", value_text(option, option.default_value));
  if (explanation.default_ssd) line(&out, "on flash", value_text(option, *explanation.default_ssd));
  if (explanation.default_hdd) line(&out, "on hard disks", value_text(option, *explanation.default_hdd));
  line(&out, "over time", history_text(explanation));
  line(&out, "allowed", bounds_text(option));
  line(&out, "unit", option.unit);
  line(&out, "worth trying", explanation.safe_range);
  line(&out, "takes effect", takes_effect_text(option));
  line(&out, "danger", danger_text(option.safety));
  for (const OptionRelation& relation : option.relations)
    line(&out, relation.kind.c_str(), relation.option + (relation.why.empty() ? "" : ": " + relation.why));
  if (!explanation.ways.empty()) out += "\n  What it moves:\n";
  for (const auto& way : explanation.ways) out += "    " + way_text(way) + "\n";
  if (!explanation.interacts.empty())
    out += fmt::format("\n  Acts on the same parts as: {}\n", fmt::join(explanation.interacts, ", "));
  if (!option.sources.empty()) out += fmt::format("\n  Sources: {}\n", fmt::join(option.sources, ", "));
  return out;
}

Json to_json(const Explanation& explanation) {
  const Option& option = explanation.option;
  Json json = {{"name", option.name},
               {"type", option.type},
               {"level", option.level},
               {"effect", option.effect},
               {"cost", option.cost},
               {"default", option.default_value},
               {"takes_effect", option.takes_effect ? Json(to_text(*option.takes_effect)) : Json()},
               {"runtime_claimed", option.runtime_claimed},
               {"safety", to_text(option.safety)},
               {"worth_trying", explanation.safe_range},
               {"interacts", explanation.interacts},
               {"sources", option.sources}};
  if (option.min) json["min"] = *option.min;
  if (option.max) json["max"] = *option.max;
  if (!option.enum_values.empty()) json["values"] = option.enum_values;
  for (const auto& [release, value] : explanation.defaults) json["defaults"][release] = value;
  json["ways"] = Json::array();
  for (const auto& way : explanation.ways) json["ways"].push_back(way_text(way));
  json["relations"] = Json::array();
  for (const OptionRelation& relation : option.relations)
    json["relations"].push_back(
        {{"kind", relation.kind}, {"option", relation.option}, {"why", relation.why}});
  return json;
}

}  // namespace osdtune
