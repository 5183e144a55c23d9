// SPDX-License-Identifier: Apache-2.0
// Plays optimisation sessions of shared/optbench on stdin and stdout with the planner, one JSON line per
// message.
#include <cmath>
#include <iostream>
#include <string>

#include "core/error.hpp"
#include "core/json_file.hpp"
#include "core/memory.hpp"
#include "search/planner.hpp"

namespace {

using namespace osdtune;

constexpr double kZ90 = 1.644853627;
constexpr double kZ95 = 1.959963985;

Change change_from(const std::string& text) {
  if (text == "redeploy") return Change::kRedeploy;
  return text == "restart" ? Change::kRestart : Change::kRuntime;
}

Setting setting_from(const Json& json) {
  Setting out;
  out.name = json.at("name");
  const std::string type = json.at("type");
  out.kind = type == "int"     ? SettingKind::kInteger
             : type == "float" ? SettingKind::kReal
             : type == "cat"   ? SettingKind::kCategory
                               : SettingKind::kBoolean;
  if (type == "int" || type == "float") {
    out.low = json.at("low");
    out.high = json.at("high");
    out.log = json.at("log");
  }
  if (type == "cat")
    for (const auto& value : json.at("values")) out.values.push_back(value_from_json(value, out.name));
  out.default_value = value_from_json(json.at("default"), out.name);
  out.change = change_from(json.at("switch"));
  return out;
}

Task task_from(const Json& json) {
  Task out;
  for (const auto& parameter : json.at("params")) out.space.settings.push_back(setting_from(parameter));
  for (const auto& known : json.at("known_constraints")) {
    KnownConstraint constraint{.name = known.at("name"), .terms = {}, .limit = known.at("limit")};
    for (const auto& term : known.at("terms"))
      constraint.terms.push_back({term.at("coef"), term.at("params")});
    out.space.known.push_back(constraint);
  }
  for (const auto& objective : json.at("objectives"))
    out.objectives.push_back({.name = objective.at("name"),
                              .maximize = objective.at("direction") == "max",
                              .log = objective.at("scale") == "log",
                              .weight = objective.at("weight")});
  for (const auto& name : json.at("constraints")) out.constraints.push_back(name);
  const Json& prices = json.at("switch_cost");
  out.restart_cost = prices.value("restart", 0.0);
  out.redeploy_cost = prices.value("redeploy", 0.0);
  out.budget = json.at("budget").get<double>();
  return out;
}

Observation observation_from(const Task& task, const Config& config, const Json& reply) {
  Observation out{
      .config = config, .values = {}, .constraints = {}, .repeats = {}, .time = reply.at("spent")};
  if (!reply.at("values").is_null()) {
    out.values = reply.at("values").get<std::vector<double>>();
    const auto constraints = reply.at("constraints").get<std::vector<double>>();
    if (constraints.size() == task.constraints.size()) out.constraints = constraints;
  }
  return out;
}

/// A 95 % interval as a 90 % interval, on the scale of the objective.
Json interval_90(const Objective& objective, double low, double high) {
  const double a = objective.log ? std::log(low) : low;
  const double b = objective.log ? std::log(high) : high;
  const double half = 0.5 * (b - a) * kZ90 / kZ95;
  const double middle = 0.5 * (a + b);
  if (objective.log) return Json::array({std::exp(middle - half), std::exp(middle + half)});
  return Json::array({middle - half, middle + half});
}

Json recommendation(const Task& task, const std::vector<Observation>& seen, std::uint64_t seed) {
  const Conclusion conclusion = conclude(task, seen, seed);
  Json set = Json::array();
  for (const auto& point : conclusion.front) set.push_back(to_json(point.config));
  Json interval = Json::array();
  for (std::size_t k = 0; k < task.objectives.size(); ++k)
    interval.push_back(
        interval_90(task.objectives[k], conclusion.candidate.low[k], conclusion.candidate.high[k]));
  return {{"recommend",
           {{"set", set}, {"single", to_json(conclusion.candidate.config)}, {"interval", interval}}}};
}

/// Sends a message and waits for the answer; end of input answers "done".
Json exchange(const Json& message) {
  std::cout << message.dump() << std::endl;
  std::string line;
  if (!std::getline(std::cin, line)) return {{"type", "done"}};
  return parse_json(line, "the benchmark's answer");
}

void play(const Json& announcement) {
  const Task task = task_from(announcement);
  const auto seed = announcement.at("seed").get<std::uint64_t>();
  std::vector<Observation> seen;
  while (true) {
    const Suggestion next = suggest(task, seen, seed);
    const Json reply = exchange({{"point", to_json(next.config)}});
    if (reply.at("type") == "done") return;
    seen.push_back(observation_from(task, next.config, reply));
    if (reply.at("recommend") && exchange(recommendation(task, seen, seed)).at("type") == "done") return;
  }
}

}  // namespace

int main() {
  osdtune::keep_freed_memory();
  try {
    std::string line;
    while (std::getline(std::cin, line)) play(osdtune::parse_json(line, "the benchmark's space"));
  } catch (const osdtune::Error& error) {
    std::cerr << error.what() << "\n";
    return 3;
  }
  return 0;
}
