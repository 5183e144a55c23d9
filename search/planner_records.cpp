// SPDX-License-Identifier: Apache-2.0
// Checking, ordering and merging of observations.
#include "search/planner_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace osdtune {

namespace {

double checked_cost(const Objective& objective, double value, std::size_t trial) {
  if (!std::isfinite(value) || (objective.log && value <= 0))
    throw Error(ErrorKind::kInput,
                fmt::format("observation {}: {} is {}, which {}", trial + 1, objective.name, value,
                            std::isfinite(value) ? "has no logarithm" : "is not a finite number"),
                "a trial that failed has no values at all");
  return to_cost(objective, value);
}

/// Variance of the mean of the runs of one trial; 0 if there are too few to tell.
double variance_of_mean(const Objective& objective, const std::vector<std::vector<double>>& repeats,
                        std::size_t k) {
  const auto n = static_cast<double>(repeats.size());
  if (repeats.size() < 2) return 0;
  double sum = 0;
  double squares = 0;
  for (const auto& run : repeats) {
    const double cost = to_cost(objective, run.at(k));
    if (!std::isfinite(cost)) return 0;
    sum += cost;
    squares += cost * cost;
  }
  return std::max(0.0, (squares - sum * sum / n) / (n - 1)) / n;
}

Record record_of(const Task& task, const Encoding& encoding, const Observation& seen, std::size_t trial) {
  Record out{.levels = encoding.levels(seen.config),
             .costs = {},
             .within = {},
             .constraints = seen.constraints,
             .time = seen.time};
  if (!std::isfinite(seen.time))
    throw Error(ErrorKind::kInput, fmt::format("observation {}: its time is not a finite number", trial + 1));
  if (!seen.constraints.empty() && seen.constraints.size() != task.constraints.size())
    throw Error(ErrorKind::kInput, fmt::format("observation {}: {} constraint values, {} expected", trial + 1,
                                               seen.constraints.size(), task.constraints.size()));
  for (const double value : seen.constraints)
    if (!std::isfinite(value))
      throw Error(ErrorKind::kInput,
                  fmt::format("observation {}: a constraint is not a finite number", trial + 1));
  if (!seen.values) return out;
  if (seen.values->size() != task.objectives.size())
    throw Error(ErrorKind::kInput, fmt::format("observation {}: {} values, {} objectives", trial + 1,
                                               seen.values->size(), task.objectives.size()));
  out.costs.emplace();
  for (std::size_t k = 0; k < task.objectives.size(); ++k) {
    out.costs->push_back(checked_cost(task.objectives[k], (*seen.values)[k], trial));
    out.within.push_back(variance_of_mean(task.objectives[k], seen.repeats, k));
  }
  return out;
}

bool before(const Record& a, const Record& b) {
  if (a.levels != b.levels) return a.levels < b.levels;
  if (a.time != b.time) return a.time < b.time;
  if (a.costs.has_value() != b.costs.has_value()) return !a.costs.has_value();
  if (a.costs && *a.costs != *b.costs) return *a.costs < *b.costs;
  return a.constraints < b.constraints;
}

}  // namespace

double to_cost(const Objective& objective, double value) {
  const double scaled = objective.log ? std::log(value) : value;
  return objective.maximize ? -scaled : scaled;
}

double from_cost(const Objective& objective, double cost) {
  const double scaled = objective.maximize ? -cost : cost;
  return objective.log ? std::exp(scaled) : scaled;
}

std::vector<Record> collect(const Task& task, const Encoding& encoding,
                            const std::vector<Observation>& observations) {
  std::vector<Record> out;
  for (std::size_t i = 0; i < observations.size(); ++i)
    out.push_back(record_of(task, encoding, observations[i], i));
  std::stable_sort(out.begin(), out.end(), before);
  return out;
}

std::vector<Record> merge(const std::vector<Record>& records) {
  std::vector<Record> out;
  for (const Record& record : records) {
    const bool same = !out.empty() && out.back().levels == record.levels &&
                      out.back().costs.has_value() == record.costs.has_value() &&
                      out.back().constraints.size() == record.constraints.size();
    if (!same) {
      out.push_back(record);
      continue;
    }
    Record& into = out.back();
    const double share = 1.0 / (into.count + 1);
    const auto blend = [&](double& mean, double value) { mean += share * (value - mean); };
    for (std::size_t k = 0; record.costs && k < record.costs->size(); ++k) {
      blend((*into.costs)[k], (*record.costs)[k]);
      into.within[k] = (into.within[k] * into.count * into.count + record.within[k]) * share * share;
    }
    for (std::size_t k = 0; k < record.constraints.size(); ++k)
      blend(into.constraints[k], record.constraints[k]);
    into.count += 1;
  }
  return out;
}

std::vector<Record> prepare(const Task& task, const Encoding& encoding,
                            const std::vector<Observation>& observations) {
  constexpr std::size_t kMergeFrom = 500;
  std::vector<Record> records = collect(task, encoding, observations);
  return records.size() >= kMergeFrom ? merge(records) : records;
}

}  // namespace osdtune
