// SPDX-License-Identifier: Apache-2.0
// Observations checked and turned into numbers: costs to minimise, in an order that does not depend on the
// input's.
#pragma once

#include <optional>
#include <vector>

#include "search/planner_encoding.hpp"

namespace osdtune {

/// One observation, or several of the same configuration merged.
struct Record {
  Levels levels;
  std::optional<std::vector<double>>
      costs;                        ///< per objective: minimised, logarithm where the objective says so
  std::vector<double> within;       ///< per objective: variance of that mean as seen between its own runs
  std::vector<double> constraints;  ///< empty if unknown
  double time = 0;
  double count = 1;  ///< observations merged into it
};

/// Value of an objective to cost and back.
double to_cost(const Objective& objective, double value);
double from_cost(const Objective& objective, double cost);

/// Throws Error{kInput} for values that are not finite, counts that do not fit, or a log objective at or
/// below zero.
std::vector<Record> collect(const Task& task, const Encoding& encoding,
                            const std::vector<Observation>& observations);

/// Equal configurations become one record each (means; times are lost).
std::vector<Record> merge(const std::vector<Record>& records);

/// Collected, and merged if there are many.
std::vector<Record> prepare(const Task& task, const Encoding& encoding,
                            const std::vector<Observation>& observations);

}  // namespace osdtune
