// SPDX-License-Identifier: Apache-2.0
// Reads rules from the data files, strictly: an unknown field is an error.
#include "knowledge/rule.hpp"

#include <array>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "knowledge/embedded.hpp"

namespace osdtune {
namespace {

constexpr std::array<std::pair<std::string_view, Severity>, 4> kSeverities = {
    {{"info", Severity::kInfo},
     {"advice", Severity::kAdvice},
     {"warning", Severity::kWarning},
     {"danger", Severity::kDanger}}};

constexpr std::array<std::pair<std::string_view, SubjectKind>, 6> kKinds = {
    {{"cluster", SubjectKind::kCluster},
     {"host", SubjectKind::kHost},
     {"osd", SubjectKind::kOsd},
     {"pool", SubjectKind::kPool},
     {"setting", SubjectKind::kSetting},
     {"load", SubjectKind::kLoad}}};

std::vector<std::string> texts(Fields* fields, const std::string& key) {
  std::vector<std::string> list;
  const Json* json = fields->find(key);
  if (!json) return list;
  for (const Json& each : *json) {
    if (!each.is_string())
      throw Error(ErrorKind::kInput, fields->where() + "." + key + " must be a list of text");
    list.push_back(each.get<std::string>());
  }
  return list;
}

SubjectKind kind_from(const std::string& text, const std::string& where) {
  for (const auto& [name, kind] : kKinds)
    if (name == text) return kind;
  throw Error(ErrorKind::kInput, where + ": unknown subject \"" + text + "\"");
}

RuleExample example_from(const Json& json, const std::string& where) {
  Fields fields(json, where);
  RuleExample example{
      .release = fields.text("release", ""), .conf = fields.text("conf", ""), .fio = fields.text("fio", "")};
  if (const Json* facts = fields.find("facts")) example.facts = config_from_json(*facts, where + ".facts");
  fields.finish();
  return example;
}

std::vector<RuleExample> examples_from(const Json& json, const std::string& where, bool wanted) {
  std::vector<RuleExample> examples;
  if (!json.is_array() || json.empty()) throw Error(ErrorKind::kInput, where + " must be a list of examples");
  for (std::size_t i = 0; wanted && i < json.size(); ++i)
    examples.push_back(example_from(json[i], where + "[" + std::to_string(i) + "]"));
  return examples;
}

Rule rule_from(const Json& json, const std::string& where, bool with_examples) {
  Fields fields(json, where);
  Rule rule{.id = fields.text("id"),
            .topic = fields.text("topic"),
            .severity = parse_severity(fields.text("severity")),
            .about = kind_from(fields.text("about"), where),
            .options = texts(&fields, "options")};
  const std::string here = where + " (" + rule.id + ")";
  if (const Json* releases = fields.find("releases")) {
    Fields range(*releases, here + ".releases");
    if (range.find("from")) rule.from = parse_release(range.text("from"));
    if (range.find("before")) rule.before = parse_release(range.text("before"));
    range.finish();
  }
  rule.when = condition_from_json(fields.require("when"), here + ".when");
  rule.finding = fields.text("finding");
  rule.why = fields.text("why");
  rule.advice = fields.text("advice");
  rule.effect = fields.text("effect", "");
  rule.gain_percent = fields.number("gain_percent", 0);
  rule.risk = fields.text("risk", "");
  rule.cost = fields.text("cost", "none");
  rule.sources = texts(&fields, "sources");
  rule.part_of = texts(&fields, "part_of");
  rule.sweep = texts(&fields, "sweep");
  rule.fires_on = examples_from(fields.require("fires_on"), here + ".fires_on", with_examples);
  rule.quiet_on = examples_from(fields.require("quiet_on"), here + ".quiet_on", with_examples);
  fields.finish();
  return rule;
}

std::vector<Rule> load(bool with_examples) {
  std::vector<Rule> rules;
  std::set<std::string> ids;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.name.starts_with("rules/") || file.name.ends_with(".schema.json")) continue;
    for (Rule& rule : rules_from_json(parse_json(file.text, file.name), file.name, with_examples)) {
      if (!ids.insert(rule.id).second)
        throw Error(ErrorKind::kInput, file.name + ": two rules are called " + rule.id);
      rules.push_back(std::move(rule));
    }
  }
  return rules;
}

}  // namespace

std::string to_text(Severity severity) {
  return std::string(kSeverities[static_cast<std::size_t>(severity)].first);
}

Severity parse_severity(const std::string& text) {
  for (const auto& [name, severity] : kSeverities)
    if (name == text) return severity;
  throw Error(ErrorKind::kUsage, "\"" + text + "\" is not a severity", "use info, advice, warning or danger");
}

std::string to_text(SubjectKind kind) {
  return std::string(kKinds[static_cast<std::size_t>(kind)].first);
}

std::vector<Rule> rules_from_json(const Json& json, const std::string& file, bool with_examples) {
  Fields fields(json, file);
  const Json& list = fields.require("rules");
  fields.finish();
  if (!list.is_array()) throw Error(ErrorKind::kInput, file + ": rules must be a list");
  std::vector<Rule> rules;
  for (std::size_t i = 0; i < list.size(); ++i)
    rules.push_back(rule_from(list[i], file + ": rules[" + std::to_string(i) + "]", with_examples));
  return rules;
}

std::vector<Rule> load_rules() {
  return load(false);
}

std::vector<Rule> load_rules_with_examples() {
  return load(true);
}

}  // namespace osdtune
