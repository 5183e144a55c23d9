// SPDX-License-Identifier: Apache-2.0
// Events of a study to JSON lines and back.
#include "search/study.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "search/cluster/snapshot.hpp"

namespace osdtune {
namespace {

constexpr int kFormat = 1;

[[noreturn]] void fail(const std::string& where, const std::string& what, const std::string& hint = "") {
  throw Error(ErrorKind::kInput, fmt::format("{}: {}", where, what), hint);
}

Json header_to_json(const StudyHeader& header) {
  return {{"event", "study"},
          {"format", kFormat},
          {"tool_version", header.tool_version},
          {"created", header.created},
          {"target", header.target},
          {"simulated", header.simulated},
          {"fsid", header.fsid},
          {"release", header.release},
          {"plan", to_json(header.plan)},
          {"space", to_json(header.space)},
          {"debug_names", Json(header.debug_names)},
          {"stored", to_json(header.stored)},
          {"facts", header.facts}};
}

std::vector<std::string> strings_from_json(const Json& json, const std::string& where) {
  std::vector<std::string> strings;
  for (const auto& item : json) {
    if (!item.is_string()) fail(where, "expected a list of strings");
    strings.push_back(item);
  }
  return strings;
}

StudyHeader header_from_json(Fields& fields) {
  const auto format = fields.integer("format");
  if (format != kFormat)
    fail(fields.where(),
         fmt::format("format {} is not known to this version (it reads format {})", format, kFormat),
         "use the version of osdtune that wrote the study, or a newer one");
  StudyHeader header;
  header.tool_version = fields.text("tool_version");
  header.created = fields.text("created");
  header.target = fields.text("target");
  header.simulated = fields.boolean("simulated");
  header.fsid = fields.text("fsid");
  header.release = fields.text("release");
  header.plan = plan_from_json(fields.require("plan"), fields.where() + ": plan");
  header.space = space_from_json(fields.require("space"), fields.where() + ": space");
  header.debug_names = strings_from_json(fields.require("debug_names"), fields.where() + ": debug_names");
  header.stored = stored_from_json(fields.require("stored"), fields.where() + ": stored");
  header.facts = fields.require("facts");
  return header;
}

Json run_event(const TrialRun& run) {
  Json json = {{"event", "run"}, {"at", run.at}, {"counted", run.counted}, {"run", to_json(run.run)}};
  if (!run.counted) json["why_not"] = run.why_not;
  return json;
}

TrialRun run_from_event(Fields& fields) {
  TrialRun run;
  run.at = fields.number("at");
  run.counted = fields.boolean("counted");
  run.why_not = fields.text("why_not", "");
  run.run = run_from_json(fields.require("run"), fields.where() + ": run");
  return run;
}

std::map<std::string, double> seconds_from_json(const Json& json, const std::string& where) {
  Fields fields(json, where);
  std::map<std::string, double> seconds;
  for (const auto& [phase, value] : json.items()) seconds[phase] = fields.number(phase);
  return seconds;
}

Trial& open_trial(Study& study, const std::string& where) {
  if (study.trials.empty() || study.trials.back().verdict) fail(where, "this event belongs to no open trial");
  return study.trials.back();
}

void apply_event(Study& study, const Json& json, const std::string& where) {
  Fields fields(json, where);
  const std::string event = fields.text("event");
  if (event != "study" && !study.header)
    fail(where, "the first line of a study is its header", "is this a study file?");
  if (event == "study") {
    if (study.header) fail(where, "a second header in one study");
    study.header = header_from_json(fields);
  } else if (event == "trial") {
    Trial trial{.id = static_cast<int>(fields.integer("id")),
                .config = config_from_json(fields.require("config"), where + ": config"),
                .reason = fields.text("reason"),
                .promise = {},
                .at = fields.number("at")};
    if (fields.find("promise") != nullptr) trial.promise = fields.number("promise");
    study.trials.push_back(std::move(trial));
  } else if (event == "run") {
    open_trial(study, where).runs.push_back(run_from_event(fields));
  } else if (event == "lost_run") {
    open_trial(study, where)
        .lost.push_back(
            {.workload = fields.text("workload"), .why = fields.text("why"), .at = fields.number("at")});
  } else if (event == "verdict") {
    open_trial(study, where).verdict =
        TrialVerdict{.feasible = fields.boolean("feasible"),
                     .reason = fields.text("reason", ""),
                     .seconds = seconds_from_json(fields.require("seconds"), where)};
  } else if (event == "seconds") {
    for (const auto& [phase, value] : seconds_from_json(fields.require("seconds"), where))
      study.seconds[phase] += value;
  } else {
    fail(where, fmt::format("the event \"{}\" is not known to this version", event));
  }
  fields.finish();
}

const char* name_of(SettingKind kind) {
  switch (kind) {
    case SettingKind::kInteger:
      return "integer";
    case SettingKind::kReal:
      return "real";
    case SettingKind::kCategory:
      return "category";
    case SettingKind::kBoolean:
      return "boolean";
  }
  return "";
}

template <class T>
T parse_enum(const std::string& text, std::initializer_list<T> all, const std::string& where,
             std::string (*name)(T)) {
  for (const T item : all)
    if (name(item) == text) return item;
  fail(where, fmt::format("'{}' is not a known word here", text));
}

Setting setting_from_json(const Json& json, const std::string& where) {
  Fields fields(json, where);
  Setting setting;
  setting.name = fields.text("name");
  setting.kind = parse_enum<SettingKind>(
      fields.text("kind"),
      {SettingKind::kInteger, SettingKind::kReal, SettingKind::kCategory, SettingKind::kBoolean}, where,
      [](SettingKind kind) { return std::string(name_of(kind)); });
  setting.low = fields.number("low", 0);
  setting.high = fields.number("high", 1);
  setting.log = fields.boolean("log", false);
  if (const Json* values = fields.find("values"))
    for (const auto& value : *values) setting.values.push_back(value_from_json(value, where));
  setting.default_value = value_from_json(fields.require("default"), where);
  setting.change =
      parse_enum<Change>(fields.text("change"), {Change::kRuntime, Change::kRestart, Change::kRedeploy},
                         where, [](Change change) { return to_text(change); });
  if (const Json* json_when = fields.find("when")) {
    Fields when(*json_when, where + ".when");
    setting.when = SettingCondition{.setting = when.text("setting"), .values = {}};
    for (const auto& value : when.require("values"))
      setting.when->values.push_back(value_from_json(value, when.where()));
    when.finish();
  }
  fields.finish();
  return setting;
}

Json setting_to_json(const Setting& setting) {
  Json json = {{"name", setting.name}, {"kind", name_of(setting.kind)}};
  if (setting.kind == SettingKind::kInteger || setting.kind == SettingKind::kReal) {
    json["low"] = setting.low;
    json["high"] = setting.high;
    json["log"] = setting.log;
  }
  for (const auto& value : setting.values) json["values"].push_back(to_json(value));
  json["default"] = to_json(setting.default_value);
  if (setting.when) {
    Json values = Json::array();
    for (const auto& value : setting.when->values) values.push_back(to_json(value));
    json["when"] = {{"setting", setting.when->setting}, {"values", values}};
  }
  json["change"] = to_text(setting.change);
  return json;
}

KnownConstraint known_from_json(const Json& json, const std::string& where) {
  Fields fields(json, where);
  KnownConstraint constraint{.name = fields.text("name"), .terms = {}, .limit = fields.number("limit")};
  for (const auto& each : fields.require("terms")) {
    Fields term(each, where + ": " + constraint.name);
    constraint.terms.push_back({.coefficient = term.number("coefficient"),
                                .settings = strings_from_json(term.require("settings"), term.where())});
    term.finish();
  }
  fields.finish();
  return constraint;
}

}  // namespace

Json to_json(const Space& space) {
  Json settings = Json::array();
  for (const auto& setting : space.settings) settings.push_back(setting_to_json(setting));
  Json known = Json::array();
  for (const auto& constraint : space.known) {
    Json terms = Json::array();
    for (const auto& term : constraint.terms)
      terms.push_back({{"coefficient", term.coefficient}, {"settings", term.settings}});
    known.push_back({{"name", constraint.name}, {"terms", terms}, {"limit", constraint.limit}});
  }
  return {{"settings", settings}, {"known", known}};
}

Space space_from_json(const Json& json, const std::string& where) {
  Fields fields(json, where);
  Space space;
  for (const auto& setting : fields.require("settings"))
    space.settings.push_back(setting_from_json(setting, where));
  if (const Json* known = fields.find("known"))
    for (const auto& constraint : *known) space.known.push_back(known_from_json(constraint, where));
  fields.finish();
  return space;
}

Study study_from_lines(const std::vector<Json>& lines, const std::string& name) {
  Study study;
  for (std::size_t i = 0; i < lines.size(); ++i)
    apply_event(study, lines[i], fmt::format("{}:{}", name, i + 1));
  return study;
}

Study load_study(const std::filesystem::path& path, std::string* torn) {
  std::string ignored;
  const auto lines = parse_json_lines(load_text(path), path.string(), torn != nullptr ? torn : &ignored);
  Study study = study_from_lines(lines, path.string());
  if (!study.header)
    fail(path.string(), "the study is empty", "run 'osdtune sweep PLAN.json --study FILE' first");
  return study;
}

StudyFile::StudyFile(const std::filesystem::path& path)
    : lines_(path), study_(study_from_lines(lines_.lines(), path.string())) {}

void StudyFile::append(const Json& event) {
  lines_.append(event);
  apply_event(study_, event, name());
}

void StudyFile::begin(const StudyHeader& header) {
  append(header_to_json(header));
}

int StudyFile::add_trial(const Suggestion& suggestion, double at) {
  const int id = study_.trials.empty() ? 0 : study_.trials.back().id + 1;
  Json event = {{"event", "trial"},
                {"id", id},
                {"reason", suggestion.reason},
                {"at", at},
                {"config", to_json(suggestion.config)}};
  if (suggestion.promise && std::isfinite(*suggestion.promise)) event["promise"] = *suggestion.promise;
  append(event);
  return id;
}

void StudyFile::add_run(const TrialRun& run) {
  append(run_event(run));
}

void StudyFile::add_lost_run(const LostRun& run) {
  append({{"event", "lost_run"}, {"workload", run.workload}, {"why", run.why}, {"at", run.at}});
}

void StudyFile::add_verdict(const TrialVerdict& verdict) {
  Json event = {{"event", "verdict"}, {"feasible", verdict.feasible}};
  if (!verdict.feasible) event["reason"] = verdict.reason;
  event["seconds"] = Json(verdict.seconds);
  append(event);
}

void StudyFile::add_seconds(const std::map<std::string, double>& seconds) {
  if (!seconds.empty()) append({{"event", "seconds"}, {"seconds", Json(seconds)}});
}

void check_same_experiment(const StudyHeader& study, const StudyHeader& now) {
  const char* hint = "continue with the plan and cluster it was begun with, or give another --study file";
  const auto differ = [&](const std::string& what) {
    fail("the study", fmt::format("was begun with another {}; results of both may not be mixed", what), hint);
  };
  if (study.release != now.release)
    fail("the study",
         fmt::format("was measured on Ceph {}, the cluster runs {}; results of both may not be mixed",
                     study.release, now.release),
         hint);
  if (study.fsid != now.fsid) differ("cluster");
  if (study.plan.space != now.plan.space) differ("space");
  if (study.plan.workloads != now.plan.workloads) differ("set of workloads");
  if (study.plan.load != now.plan.load) differ("image size, pool size or number of PGs");
  if (study.plan.measure != now.plan.measure) differ("measuring time or number of repeats");
  if (study.plan.goal != now.plan.goal) differ("goal");
  if (study.space != now.space)
    differ("configuration as found (the stored or running options have changed since)");
}

std::vector<Run> counted_runs(const Trial& trial, const std::string& workload) {
  std::vector<Run> runs;
  for (const auto& run : trial.runs)
    if (run.counted && run.run.workload == workload) runs.push_back(run.run);
  return runs;
}

}  // namespace osdtune
