// SPDX-License-Identifier: Apache-2.0
// Adding up fio's jobs: what may be summed, what must come from histograms, and what makes a result void.
#include "search/workload/fio_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "core/error.hpp"

namespace osdtune {
namespace {

/// Jobs of one run start and end together; more than this apart, their IOPS do not add up.
constexpr double kMaxRuntimeSpread = 0.1;

/// Every direction of every job, in one row.
using Directions = std::vector<const FioDirection*>;

/// What fio wrote around its JSON, for the end of a message.
std::string words_of(const FioResult& result) {
  return result.warnings.empty() ? "" : fmt::format("; fio said: {}", fmt::join(result.warnings, " / "));
}

void check_jobs(const FioResult& result) {
  if (result.jobs.empty()) throw TrialError(result.source + ": fio reported no job" + words_of(result));
  for (const auto& job : result.jobs) {
    if (job.error != 0)
      throw TrialError(fmt::format("{}: job '{}' failed with error {} ({}){}", result.source, job.name,
                                   job.error, std::strerror(static_cast<int>(std::abs(job.error))),
                                   words_of(result)));
    if (job.directions.empty())
      throw TrialError(fmt::format("{}: job '{}' did no I/O{}", result.source, job.name, words_of(result)));
    for (const auto& direction : job.directions)
      if (direction.runtime_s == 0 || direction.iops == 0)
        throw TrialError(
            fmt::format("{}: job '{}' has no run time{}", result.source, job.name, words_of(result)));
    if (job.group != result.jobs.front().group)
      throw TrialError(
          fmt::format("{}: jobs '{}' and '{}' are in different groups and may have run one after the other; "
                      "one run is one group",
                      result.source, result.jobs.front().name, job.name));
  }
}

Directions all_directions(const std::vector<FioResult>& results) {
  Directions all;
  for (const auto& result : results)
    for (const auto& job : result.jobs)
      for (const auto& direction : job.directions) all.push_back(&direction);
  return all;
}

void add_totals(Run* run, const Directions& all) {
  double shortest = all.front()->runtime_s;
  for (const auto* direction : all) {
    run->iops += direction->iops;
    run->bandwidth += direction->bandwidth;
    run->runtime_s = std::max(run->runtime_s, direction->runtime_s);
    shortest = std::min(shortest, direction->runtime_s);
  }
  if (shortest < run->runtime_s * (1 - kMaxRuntimeSpread))
    run->warnings.push_back(fmt::format(
        "jobs ran for {:.3g} to {:.3g} s: they did not load the cluster together", shortest, run->runtime_s));
}

/// fio's own percentiles of the only direction there is.
void copy_percentiles(Run* run, const std::map<double, double>& percentile_ms) {
  const auto at = [&](double per_cent) {
    const auto it = percentile_ms.find(per_cent);
    return it == percentile_ms.end() ? std::nullopt : std::optional(it->second);
  };
  run->p50_ms = at(50), run->p95_ms = at(95), run->p99_ms = at(99), run->p999_ms = at(99.9);
}

void merge_percentiles(Run* run, const Directions& all) {
  std::map<double, double> bins;
  for (const auto* direction : all)
    for (const auto& [value, count] : direction->latency->bins) bins[value] += count;
  run->p50_ms = bins_percentile(bins, 50), run->p95_ms = bins_percentile(bins, 95);
  run->p99_ms = bins_percentile(bins, 99), run->p999_ms = bins_percentile(bins, 99.9);
}

void add_latency(Run* run, const Directions& all) {
  double sum = 0;
  double count = 0;
  bool histograms = true;
  for (const auto* direction : all) {
    if (!direction->latency) {
      run->warnings.push_back(
          "fio measured no latency (gtod_reduce, disable_lat or disable_clat in its job file)");
      return;
    }
    sum += direction->latency->mean_ms * direction->latency->count;
    count += direction->latency->count;
    histograms = histograms && !direction->latency->bins.empty();
  }
  run->mean_ms = sum / count;
  if (histograms)
    merge_percentiles(run, all);
  else if (all.size() == 1)
    copy_percentiles(run, all.front()->latency->percentile_ms);
  else
    run->warnings.push_back(
        "no latency percentiles: those of several jobs or directions can only be put together "
        "from histograms (fio --output-format=json+)");
}

/// Known only if it is known of every job.
void add_cpu(Run* run, const std::vector<FioResult>& results) {
  double seconds = 0;
  double busiest = 0;
  bool all_seconds = true;
  bool all_threads = true;
  for (const auto& result : results)
    for (const auto& job : result.jobs) {
      all_seconds = all_seconds && job.cpu_seconds;
      all_threads = all_threads && job.thread_cpu;
      seconds += job.cpu_seconds.value_or(0);
      busiest = std::max(busiest, job.thread_cpu.value_or(0));
    }
  if (all_seconds) run->client_cpu = seconds / run->runtime_s;
  if (all_threads) run->job_cpu = busiest;
}

}  // namespace

Run to_run(const std::vector<FioResult>& results, const std::string& workload) {
  if (results.empty()) throw TrialError("no fio result for workload " + workload);
  Run run{.workload = workload};
  for (const auto& result : results) {
    check_jobs(result);
    run.warnings.insert(run.warnings.end(), result.warnings.begin(), result.warnings.end());
  }
  const Directions all = all_directions(results);
  add_totals(&run, all);
  add_latency(&run, all);
  add_cpu(&run, results);
  return run;
}

std::optional<double> bins_percentile(const std::map<double, double>& bins, double per_cent) {
  double total = 0;
  for (const auto& [value, count] : bins) total += count;
  // In long double and in this order, as fio does it: 99.9 % of 2000 is then a hair above 1998, not 1998.
  const long double rank = static_cast<long double>(per_cent) / 100.0L * total;
  double sum = 0;
  for (const auto& [value, count] : bins) {
    sum += count;
    if (sum >= rank) return value;
  }
  return bins.empty() ? std::nullopt : std::optional(bins.rbegin()->first);
}

}  // namespace osdtune
