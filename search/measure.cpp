// SPDX-License-Identifier: Apache-2.0
// The measuring protocol of a trial.
#include "search/measure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/random.hpp"
#include "core/units.hpp"
#include "search/stage_latencies.hpp"
#include "search/workload/protocol.hpp"

namespace osdtune {
namespace {

constexpr const char* kColdRun = "first run after a start";
constexpr int kSpoiledRuns = 2;  ///< lost or spoiled runs of one trial that are made up for

std::set<int> up_osds(Cluster& cluster) {
  std::set<int> up;
  for (const auto& osd : cluster.osds())
    if (osd.up) up.insert(osd.id);
  return up;
}

int spoiled_runs(const Trial& trial) {
  const auto spoiled = std::count_if(trial.runs.begin(), trial.runs.end(), [](const TrialRun& run) {
    return !run.counted && run.why_not != kColdRun;
  });
  return static_cast<int>(spoiled) + static_cast<int>(trial.lost.size());
}

std::string in_words(const Run& run) {
  return fmt::format("{}: {} IOPS{}", run.workload, format_number(run.iops),
                     run.p99_ms ? fmt::format(", p99 {} ms", format_number(*run.p99_ms)) : "");
}

/// One run and the verdict on it.
TrialRun run_once(const Plan& plan, const WorkloadSpec& spec, Target& target, const std::stop_token& stop) {
  Cluster& cluster = *target.cluster;
  RunContext context{.spec = spec,
                     .length = {.ramp_s = plan.measure.ramp_s, .runtime_s = plan.measure.runtime_s},
                     .pgs_before = cluster.pg_states(),
                     .up_before = up_osds(cluster),
                     .epoch_before = cluster.osd_map_epoch(),
                     .client_cores = target.client_cores};
  if (target.control) target.load.osds = target.control->osd_pids();
  const auto stages = stage_counters(cluster);
  TrialRun run{.run = target.workload->run(spec, target.load, context.length, stop), .at = cluster.now()};
  run.run.stage_us = stage_latencies_us(stages, stage_counters(cluster));
  context.pgs_after = cluster.pg_states();
  context.up_after = up_osds(cluster);
  context.epoch_after = cluster.osd_map_epoch();
  const RunVerdict verdict = judge(run.run, context);
  run.counted = verdict.counts();
  run.why_not = fmt::format("{}", fmt::join(verdict.reasons, "; "));
  run.run.warnings.insert(run.run.warnings.end(), verdict.warnings.begin(), verdict.warnings.end());
  return run;
}

}  // namespace

std::optional<WorkloadSpec> next_run(const Plan& plan, const Trial& trial) {
  std::vector<WorkloadSpec> order = plan.workloads;
  const auto counted = [&](const WorkloadSpec& spec) { return counted_runs(trial, spec.name).size(); };
  std::size_t fewest = counted(order.front());
  for (const auto& spec : order) fewest = std::min(fewest, counted(spec));
  if (fewest >= static_cast<std::size_t>(plan.measure.repeats)) return std::nullopt;
  Random(mix_seed(mix_seed(plan.seed, static_cast<std::uint64_t>(trial.id)), fewest)).shuffle(order);
  return *std::find_if(order.begin(), order.end(),
                       [&](const WorkloadSpec& spec) { return counted(spec) == fewest; });
}

void measure(const Plan& plan, Target& target, Session& session, StudyFile& study, bool cold,
             Progress& progress, const std::stop_token& stop) {
  while (const auto spec = next_run(plan, study.study().trials.back())) {
    if (stop.stop_requested()) throw Error(ErrorKind::kInterrupted, "interrupted");
    progress.phase(Phase::kMeasure, fmt::format("{}{}", spec->name, cold ? " (warming up)" : ""));
    std::string lost;
    try {
      TrialRun run = run_once(plan, *spec, target, stop);
      if (cold && run.counted) run.counted = false, run.why_not = kColdRun;
      study.add_run(run);
      progress.note(fmt::format("  {}{}", in_words(run.run),
                                run.counted ? "" : fmt::format(" (not counted: {})", run.why_not)));
    } catch (const TrialError& e) {
      lost = e.what();
      study.add_lost_run({.workload = spec->name, .why = lost, .at = target.cluster->now()});
      progress.warn(fmt::format("{}: no result: {}", spec->name, lost));
    }
    cold = false;
    const Trial& trial = study.study().trials.back();
    const std::string last = !lost.empty() ? lost : trial.runs.back().why_not;
    if (spoiled_runs(trial) > kSpoiledRuns) throw TrialError(last);
    const auto up = up_osds(*target.cluster);
    if (up.size() < target.cluster->osds().size()) {
      session.revive();
      cold = true;
    }
  }
}

}  // namespace osdtune
