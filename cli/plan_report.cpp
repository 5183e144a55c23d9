// SPDX-License-Identifier: Apache-2.0
// The table of a plan.
#include "cli/plan_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/context.hpp"
#include "core/units.hpp"
#include "search/forecast.hpp"
#include "search/observe.hpp"
#include "search/study.hpp"

namespace osdtune {
namespace {

std::string values_text(const Setting& setting) {
  if (setting.values.empty() && setting.kind != SettingKind::kBoolean)
    return fmt::format("{:g} .. {:g}{}", setting.low, setting.high, setting.log ? " (log)" : "");
  std::string out;
  for (const auto& value : setting.values) out += (out.empty() ? "" : ", ") + to_text(value);
  return out.empty() ? "false, true" : out;
}

Json forecast_json(const Forecast& cost) {
  return {{"trials", cost.trials},
          {"restarts", cost.restarts},
          {"redeploys", cost.redeploys},
          {"load_seconds", cost.load_s},
          {"change_seconds", cost.change_s}};
}

}  // namespace

void report_plan(const Plan& plan, const Space& space, bool json) {
  const Forecast cost = forecast(plan, space);
  if (json)
    return print_json({{"plan", to_json(plan)},
                       {"space", to_json(space)},
                       {"interacting", interacting_settings(space)},
                       {"forecast", forecast_json(cost)}});
  fmt::print("{:<34} {:<12} {:<10} {}\n", "setting", "as found", "change", "values");
  for (const auto& setting : space.settings)
    fmt::print("{:<34} {:<12} {:<10} {}\n", setting.name, to_text(setting.default_value),
               to_text(setting.change), values_text(setting));
  for (const auto& bound : space.known)
    fmt::print("bound: {} at most {}\n", bound.name, format_number(bound.limit));
  for (const auto& group : interacting_settings(space))
    fmt::print("expected to interact: {}\n", fmt::join(group, ", "));
  const auto configs = count_configs(space);
  fmt::print("\n{} of {} configurations, {} workload(s) x {} runs of {} + {} each\n", cost.trials,
             configs ? format_number(*configs) : "unlimited", plan.workloads.size(), plan.measure.repeats,
             format_duration(plan.measure.ramp_s), format_duration(plan.measure.runtime_s));
  fmt::print("goal: more {}, less {}, preference {}\n", to_text(plan.goal.maximize),
             to_text(plan.goal.minimize), to_text(plan.goal.prefer));
  fmt::print("about {} restarts of all OSDs, {} redeploys\n", cost.restarts, cost.redeploys);
  fmt::print("about {}: {} of load, {} of changes and prefill\n", format_duration(cost.total_s()),
             format_duration(cost.load_s), format_duration(cost.change_s));
  if (plan.budget.hours) fmt::print("ends after {} hours at the latest\n", *plan.budget.hours);
}

}  // namespace osdtune
