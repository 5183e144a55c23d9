// SPDX-License-Identifier: Apache-2.0
// What the user wants searched, with which load, for which goal and at what price: the plan file as plain
// data.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/value.hpp"
#include "search/space.hpp"
#include "search/workload/workload.hpp"

namespace osdtune {

/// One entry of "space" as written: a range, a list of values, or "auto": what the option catalogue says.
struct SettingRange {
  std::string name;
  std::optional<Value> low, high;
  bool log = false;
  std::vector<Value> values;
  bool automatic = false;
  std::optional<SettingCondition> when;
  bool operator==(const SettingRange&) const = default;
};

/// A measured quantity: "rw4k.p99_ms" is metric p99_ms of workload rw4k.
struct Metric {
  std::string workload;
  std::string name;  ///< iops, bandwidth, mean_ms, p50_ms, p95_ms, p99_ms, p999_ms
  bool operator==(const Metric&) const = default;
};

std::string to_text(const Metric& metric);

/// The metric in a run, or nullopt if the load generator gave none.
std::optional<double> metric_of(const Run& run, const std::string& name);

/// A limit that a recommended configuration has to keep.
struct Bound {
  Metric metric;
  std::optional<double> min, max;
  bool operator==(const Bound&) const = default;
};

enum class Preference { kIops, kBalanced, kLatency };

std::string to_text(Preference preference);
Preference parse_preference(const std::string& text, const std::string& where);

struct Goal {
  Metric maximize;
  Metric minimize;
  std::vector<Bound> bounds;
  Preference prefer = Preference::kBalanced;
  bool operator==(const Goal&) const = default;
};

/// How each configuration is measured. The defaults are what an honest result needs (ten minutes after a
/// warm-up, several times); shorter is allowed and marked in reports.
struct MeasureSpec {
  double ramp_s = 60;
  double runtime_s = 600;
  int repeats = 3;        ///< counted runs per workload
  int control_every = 8;  ///< the configuration as found is measured again after this many trials
  bool operator==(const MeasureSpec&) const = default;
};

/// What the sweep may spend.
struct Budget {
  int trials = 40;
  std::optional<double> hours;
  double min_gain = 0.002;  ///< stop when less than this is expected of a further trial; 0: never
  bool operator==(const Budget&) const = default;
};

/// The pool and images that the load runs on; made for the sweep and removed afterwards.
struct LoadSpec {
  std::int64_t image_bytes = std::int64_t{1} << 30;
  int pg_num = 32;
  int pool_size = 0;  ///< replicas; 0: the cluster's default
  bool operator==(const LoadSpec&) const = default;
};

struct Plan {
  std::vector<SettingRange> space;
  std::vector<WorkloadSpec> workloads;
  Goal goal;
  MeasureSpec measure;
  Budget budget;
  LoadSpec load;
  std::uint64_t seed = 1;
  bool operator==(const Plan&) const = default;
};

/// Throws Error{kInput} naming the field. Unknown fields are errors; all but `space` and `workloads` have
/// defaults.
Plan plan_from_json(const Json& json, const std::string& where);
Plan load_plan(const std::filesystem::path& path);
Json to_json(const Plan& plan);

/// Images needed by the workload that needs most.
int count_images(const Plan& plan);

/// Seconds of load for one trial, without and with the discarded run after an OSD start.
double load_seconds(const Plan& plan, bool after_restart);

}  // namespace osdtune
