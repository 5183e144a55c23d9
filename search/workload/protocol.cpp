// SPDX-License-Identifier: Apache-2.0
// The rules by which a run counts, with the numbers they go by and where these come from.
#include "search/workload/protocol.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace osdtune {
namespace {

/// Little's law holds exactly for operations in flight, so only what is not counted may differ: completion
/// latency leaves out submitting (measured 1-5 % of the total) and fio's own work between two operations (4 %
/// at depth 1). What this is to catch is far larger: an idle job among two is 50 %, a wrong unit a thousand.
constexpr double kLittleTolerance = 0.25;

/// A thread that is busy for this part of the time cannot submit faster.
constexpr double kBusyThread = 0.95;

/// The same for all cores of the client; less, because no load spreads evenly.
constexpr double kBusyClient = 0.9;

/// fio stops within one operation of the end: much less time means that it stopped early.
constexpr double kMinRuntime = 0.9;

/// The run time includes waiting for the last operations; more than this, and something was stuck for long.
constexpr double kMaxRuntime = 1.25;

void judge_time(const Run& run, const RunContext& context, RunVerdict* verdict) {
  verdict->quick = run.runtime_s < kQuickBelowS;
  const double asked = context.length.runtime_s;
  if (run.runtime_s < kMinRuntime * asked)
    verdict->reasons.push_back(fmt::format("it ran for {:.3g} of {:.3g} s", run.runtime_s, asked));
  // A second of waiting is nothing in a run of minutes, and much in one of seconds: not held against short
  // runs.
  if (run.runtime_s > std::max(kMaxRuntime * asked, asked + 2))
    verdict->warnings.push_back(
        fmt::format("the last operations ended {:.3g} s late", run.runtime_s - asked));
}

void judge_little(const Run& run, const RunContext& context, RunVerdict* verdict) {
  if (!run.mean_ms) {
    verdict->warnings.push_back("no latency: whether the queue was kept full is not known");
    return;
  }
  const auto& spec = context.spec;
  const double depth = static_cast<double>(spec.images) * spec.jobs * spec.iodepth;
  const double latency_s = *run.mean_ms / 1000;
  const double in_flight = run.iops * latency_s;
  // Operations begun in the warm-up end in the timed part: up to one latency more of them in a short run.
  const double edge = std::min(latency_s / run.runtime_s, 1.0);
  if (in_flight >= depth * (1 - kLittleTolerance) && in_flight <= depth * (1 + kLittleTolerance + edge))
    return;
  verdict->reasons.push_back(fmt::format(
      "IOPS x latency = {:.3g} operations in flight, but images x jobs x depth = {:.0f}: {}", in_flight,
      depth,
      in_flight < depth ? "the client did not keep its queue full" : "these numbers do not belong together"));
}

void judge_client(const Run& run, const RunContext& context, RunVerdict* verdict) {
  if (run.job_cpu && *run.job_cpu >= kBusyThread) {
    verdict->client_bound = true;
    verdict->reasons.push_back(fmt::format(
        "client-bound: a load generating thread was busy {:.0f} % of the time", *run.job_cpu * 100));
  }
  if (!run.client_cpu) verdict->warnings.push_back("client CPU unknown: the client may have been the limit");
  if (!run.client_cpu || !context.client_cores || *run.client_cpu < kBusyClient * *context.client_cores)
    return;
  verdict->client_bound = true;
  verdict->reasons.push_back(fmt::format("client-bound: the load generator used {:.2g} of its {:.3g} cores",
                                         *run.client_cpu, *context.client_cores));
}

/// Anything beyond plain "active+clean" takes part of the OSDs' time or of the data's copies: degraded,
/// recovering, backfilling, scrubbing, snaptrim; "laggy" means that even heartbeats came late.
void judge_pgs(const std::map<std::string, int>& states, const std::string& when, RunVerdict* verdict) {
  if (states.empty())
    verdict->reasons.push_back(fmt::format("the states of the PGs {} it are unknown", when));
  for (const auto& [state, count] : states)
    if (state != "active+clean" && count > 0)
      verdict->reasons.push_back(fmt::format("PGs {} it: {} {}", when, count, state));
}

void judge_osds(const RunContext& context, RunVerdict* verdict) {
  std::vector<int> changed;
  std::set_symmetric_difference(context.up_before.begin(), context.up_before.end(), context.up_after.begin(),
                                context.up_after.end(), std::back_inserter(changed));
  if (!changed.empty())
    verdict->reasons.push_back(
        fmt::format("OSDs went down or came up during it: {}", fmt::join(changed, ", ")));
  else if (context.epoch_before != context.epoch_after)
    verdict->warnings.push_back("the OSD map changed during it");
}

}  // namespace

RunVerdict judge(const Run& run, const RunContext& context) {
  RunVerdict verdict;
  if (run.iops > 0 && run.runtime_s > 0) {
    judge_time(run, context, &verdict);
    judge_little(run, context, &verdict);
    judge_client(run, context, &verdict);
  } else {
    verdict.reasons.push_back("there was no I/O");
  }
  judge_pgs(context.pgs_before, "before", &verdict);
  judge_pgs(context.pgs_after, "after", &verdict);
  judge_osds(context, &verdict);
  return verdict;
}

}  // namespace osdtune
