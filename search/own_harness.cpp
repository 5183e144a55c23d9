// SPDX-License-Identifier: Apache-2.0
// Asking and telling, with the planner and the study of every sweep.
#include "search/own_harness.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "search/resolve.hpp"

namespace osdtune {
namespace {

constexpr const char* kTarget = "own harness";

bool has(const std::vector<Run>& runs, const Metric& metric) {
  return std::any_of(runs.begin(), runs.end(), [&](const Run& run) {
    return run.workload == metric.workload && metric_of(run, metric.name).value_or(0) > 0;
  });
}

void check_runs(const Plan& plan, const std::vector<Run>& runs) {
  for (const auto& run : runs)
    if (std::none_of(plan.workloads.begin(), plan.workloads.end(),
                     [&](const WorkloadSpec& spec) { return spec.name == run.workload; }))
      throw Error(ErrorKind::kInput, fmt::format("the plan has no workload '{}'", run.workload));
  std::vector<Metric> needed = {plan.goal.maximize, plan.goal.minimize};
  for (const auto& bound : plan.goal.bounds) needed.push_back(bound.metric);
  for (const auto& metric : needed)
    if (!has(runs, metric))
      throw Error(ErrorKind::kInput, fmt::format("no run has {}, which the goal needs", to_text(metric)),
                  "give it with --run, or say why there is none with --infeasible");
}

}  // namespace

StudyHeader describe_own_harness(const Plan& plan, const std::string& release) {
  const Catalogue catalogue = load_catalogue();
  const OptionSource source = catalogue_source(catalogue, release);
  StudyHeader header{.plan = plan, .space = resolve_space(plan, source).space, .target = kTarget};
  header.release = release;
  header.tool_version = OSDTUNE_VERSION;
  header.created = utc_text(now_s());
  header.debug_names = source.debug_names;
  return header;
}

const Trial* ask(StudyFile& study, const Schedule& schedule) {
  const auto& trials = study.study().trials;
  if (trials.empty() || trials.back().verdict) {
    const auto suggestion = schedule.next(study.study());
    if (!suggestion) return nullptr;
    study.add_trial(*suggestion, now_s());
  }
  return &trials.back();
}

void tell(StudyFile& study, const std::vector<Run>& runs, const std::string& infeasible) {
  const auto& trials = study.study().trials;
  if (trials.empty() || trials.back().verdict)
    throw Error(ErrorKind::kInput, fmt::format("{}: no trial is open", study.name()),
                "osdtune ask comes first");
  if (infeasible.empty()) check_runs(study.study().header->plan, runs);
  for (const auto& run : runs) study.add_run({.run = run, .at = now_s()});
  study.add_verdict({.feasible = infeasible.empty(), .reason = infeasible, .seconds = {}});
}

}  // namespace osdtune
