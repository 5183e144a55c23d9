// SPDX-License-Identifier: Apache-2.0
// Reading and writing plans, field by field.
#include "search/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "core/error.hpp"
#include "core/units.hpp"

namespace osdtune {
namespace {

constexpr std::array<const char*, 7> kMetrics = {"iops",   "bandwidth", "mean_ms", "p50_ms",
                                                 "p95_ms", "p99_ms",    "p999_ms"};
constexpr std::array<const char*, 6> kAccess = {"read", "write", "randread", "randwrite", "rw", "randrw"};

[[noreturn]] void fail(const std::string& where, const std::string& what, const std::string& hint = "") {
  throw Error(ErrorKind::kInput, fmt::format("{}: {}", where, what), hint);
}

/// "osd op-num shards" is osd_op_num_shards to Ceph, and to us.
std::string normal_name(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ' ' || c == '-'; }, '_');
  return name;
}

std::vector<Value> values_from_json(const Json& json, const std::string& where) {
  if (!json.is_array()) fail(where, fmt::format("expected a list of values, found {}", json.dump()));
  std::vector<Value> values;
  for (const auto& item : json) {
    const Value value = value_from_json(item, where);
    if (std::find(values.begin(), values.end(), value) != values.end())
      fail(where, fmt::format("the value {} is listed twice", item.dump()));
    values.push_back(value);
  }
  if (values.empty()) fail(where, "the list of values is empty", "give at least one value");
  return values;
}

SettingCondition condition_from_json(const Json& json, const std::string& where) {
  if (!json.is_object() || json.size() != 1)
    fail(where, "expected one other setting with the values it must have", R"(write {"rbd_cache": [true]})");
  const std::string name = json.begin().key();
  return {.setting = normal_name(name), .values = values_from_json(json.begin().value(), where + "." + name)};
}

SettingRange range_from_json(const std::string& name, const Json& json, const std::string& where) {
  SettingRange range{.name = normal_name(name)};
  if (json.is_array()) {
    range.values = values_from_json(json, where);
    return range;
  }
  if (json == "auto") {
    range.automatic = true;
    return range;
  }
  if (!json.is_object())
    fail(where, fmt::format("expected a list of values or a range, found {}", json.dump()),
         R"(write [1, 2, 4], {"low": 1, "high": 8, "scale": "log"} or "auto")");
  Fields fields(json, where);
  if (const Json* when = fields.find("when")) range.when = condition_from_json(*when, where + ".when");
  if (const Json* values = fields.find("values")) {
    range.values = values_from_json(*values, where + ".values");
    fields.finish();
    return range;
  }
  range.low = value_from_json(fields.require("low"), where + ".low");
  range.high = value_from_json(fields.require("high"), where + ".high");
  const std::string scale = fields.text("scale", "linear");
  if (scale != "linear" && scale != "log")
    fail(where + ".scale", fmt::format("'{}' is neither linear nor log", scale));
  range.log = scale == "log";
  fields.finish();
  return range;
}

std::vector<SettingRange> space_from_json(const Json& json, const std::string& where) {
  if (!json.is_object()) fail(where, "expected an object of settings");
  std::vector<SettingRange> space;
  std::set<std::string> names;
  for (const auto& [name, value] : json.items()) {
    space.push_back(range_from_json(name, value, fmt::format("{}.{}", where, name)));
    if (!names.insert(space.back().name).second)
      fail(where,
           fmt::format("the setting {} stands there twice (blanks, dashes and underscores are alike)",
                       space.back().name),
           "keep one of them");
  }
  if (space.empty()) fail(where, "the space is empty", "name at least one setting to search");
  return space;
}

int positive(Fields& fields, const std::string& key, int fallback) {
  const auto value = fields.integer(key, fallback);
  if (value < 1 || value > 100000)
    fail(fields.where() + "." + key, fmt::format("{} is not between 1 and 100000", value));
  return static_cast<int>(value);
}

std::int64_t size_field(Fields& fields, const std::string& key, std::int64_t fallback) {
  const Json* json = fields.find(key);
  if (json == nullptr) return fallback;
  if (json->is_number_integer() && json->get<std::int64_t>() > 0) return json->get<std::int64_t>();
  return parse_size(fields.text(key), fields.where() + "." + key);
}

WorkloadSpec workload_from_json(const Json& json, const std::string& where) {
  Fields fields(json, where);
  WorkloadSpec spec{.name = fields.text("name")};
  if (spec.name.empty() ||
      spec.name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") !=
          std::string::npos)
    fail(where + ".name", fmt::format("'{}' is not a name of letters, digits, _ and -", spec.name));
  spec.rw = fields.text("rw", spec.rw);
  if (std::find(kAccess.begin(), kAccess.end(), spec.rw) == kAccess.end())
    fail(where + ".rw", fmt::format("'{}' is not one of {}", spec.rw, fmt::join(kAccess, ", ")));
  spec.bs = size_field(fields, "bs", spec.bs);
  if (spec.bs < 512 || spec.bs > (std::int64_t{64} << 20))
    fail(where + ".bs", "a block is between 512 bytes and 64 MiB");
  spec.iodepth = positive(fields, "iodepth", spec.iodepth);
  spec.jobs = positive(fields, "jobs", spec.jobs);
  spec.images = positive(fields, "images", spec.images);
  if (fields.find("rwmixread") != nullptr) {
    spec.rwmixread = static_cast<int>(fields.integer("rwmixread"));
    if (spec.rw != "rw" && spec.rw != "randrw")
      fail(where + ".rwmixread", "only rw and randrw mix reads and writes");
    if (*spec.rwmixread < 0 || *spec.rwmixread > 100)
      fail(where + ".rwmixread", "expected 0 to 100 per cent");
  }
  fields.finish();
  return spec;
}

std::vector<WorkloadSpec> workloads_from_json(const Json& json, const std::string& where) {
  if (!json.is_array() || json.empty()) fail(where, "expected a list of at least one workload");
  std::vector<WorkloadSpec> workloads;
  for (std::size_t i = 0; i < json.size(); ++i) {
    workloads.push_back(workload_from_json(json[i], fmt::format("{}[{}]", where, i)));
    for (std::size_t j = 0; j < i; ++j)
      if (workloads[j].name == workloads[i].name)
        fail(where, fmt::format("two workloads are named {}", workloads[i].name));
  }
  return workloads;
}

Metric metric_from_text(const std::string& text, const std::vector<WorkloadSpec>& workloads,
                        const std::string& where) {
  const auto dot = text.rfind('.');
  Metric metric{.workload = text.substr(0, dot),
                .name = dot == std::string::npos ? "" : text.substr(dot + 1)};
  if (std::find(kMetrics.begin(), kMetrics.end(), metric.name) == kMetrics.end())
    fail(where, fmt::format("'{}' does not end with a metric ({})", text, fmt::join(kMetrics, ", ")),
         "write WORKLOAD.METRIC, for example rw4k.p99_ms");
  std::vector<std::string> names;
  for (const auto& workload : workloads) names.push_back(workload.name);
  if (std::find(names.begin(), names.end(), metric.workload) == names.end()) {
    const auto near = nearest_name(metric.workload, names);
    fail(where, fmt::format("no workload is named '{}'", metric.workload),
         near.empty() ? fmt::format("the plan has: {}", fmt::join(names, ", "))
                      : fmt::format("did you mean '{}'?", near));
  }
  return metric;
}

Goal goal_from_json(const Json& json, const std::vector<WorkloadSpec>& workloads, const std::string& where) {
  Fields fields(json, where);
  const std::string first = workloads.front().name;
  Goal goal{
      .maximize = metric_from_text(fields.text("maximize", first + ".iops"), workloads, where + ".maximize"),
      .minimize =
          metric_from_text(fields.text("minimize", first + ".p99_ms"), workloads, where + ".minimize")};
  if (goal.maximize.name != "iops" && goal.maximize.name != "bandwidth")
    fail(where + ".maximize", "expected iops or bandwidth");
  if (goal.minimize.name == "iops" || goal.minimize.name == "bandwidth")
    fail(where + ".minimize", "expected a latency");
  goal.prefer = parse_preference(fields.text("prefer", "balanced"), where + ".prefer");
  if (const Json* bounds = fields.find("bounds")) {
    if (!bounds->is_object()) fail(where + ".bounds", "expected an object of metrics");
    for (const auto& [name, limits] : bounds->items()) {
      const std::string at = fmt::format("{}.bounds.{}", where, name);
      Fields limit(limits, at);
      Bound bound{.metric = metric_from_text(name, workloads, at)};
      if (limit.find("min") != nullptr) bound.min = limit.number("min");
      if (limit.find("max") != nullptr) bound.max = limit.number("max");
      limit.finish();
      if (!bound.min && !bound.max) fail(at, "expected \"min\", \"max\" or both");
      if (bound.min.value_or(1) <= 0 || bound.max.value_or(1) <= 0) fail(at, "a bound is greater than zero");
      goal.bounds.push_back(bound);
    }
  }
  fields.finish();
  return goal;
}

MeasureSpec measure_from_json(const Json& json, const std::string& where) {
  Fields fields(json, where);
  MeasureSpec measure;
  measure.ramp_s = fields.number("ramp_s", measure.ramp_s);
  measure.runtime_s = fields.number("runtime_s", measure.runtime_s);
  if (measure.ramp_s < 0 || measure.runtime_s < 1)
    fail(where, "ramp_s is at least 0 and runtime_s at least 1 second");
  measure.repeats = positive(fields, "repeats", measure.repeats);
  measure.control_every = positive(fields, "control_every", measure.control_every);
  fields.finish();
  return measure;
}

Budget budget_from_json(const Json& json, const std::string& where) {
  Fields fields(json, where);
  Budget budget{.trials = positive(fields, "trials", Budget{}.trials)};
  if (fields.find("hours") != nullptr) budget.hours = fields.number("hours");
  if (budget.hours && *budget.hours <= 0) fail(where + ".hours", "expected more than zero hours");
  budget.min_gain = fields.number("min_gain", budget.min_gain);
  if (budget.min_gain < 0 || budget.min_gain >= 1) fail(where + ".min_gain", "expected a share from 0 to 1");
  fields.finish();
  return budget;
}

LoadSpec load_from_json(const Json& json, const std::string& where) {
  Fields fields(json, where);
  LoadSpec load;
  load.image_bytes = size_field(fields, "image_size", load.image_bytes);
  if (load.image_bytes < (std::int64_t{16} << 20)) fail(where + ".image_size", "an image is at least 16 MiB");
  load.pg_num = positive(fields, "pg_num", load.pg_num);
  load.pool_size = static_cast<int>(fields.integer("pool_size", load.pool_size));
  if (load.pool_size < 0 || load.pool_size > 10)
    fail(where + ".pool_size", "expected 0 (the cluster's default) to 10 replicas");
  fields.finish();
  return load;
}

Json optional_part(Fields& fields, const std::string& key) {
  const Json* json = fields.find(key);
  return json != nullptr ? *json : Json::object();
}

Json list_json(const std::vector<Value>& values) {
  Json list = Json::array();
  for (const auto& value : values) list.push_back(to_json(value));
  return list;
}

Json range_json(const SettingRange& range) {
  if (range.automatic) return "auto";
  Json json = Json::object();
  if (range.when) json["when"] = {{range.when->setting, list_json(range.when->values)}};
  if (!range.values.empty()) {
    if (!range.when) return list_json(range.values);
    json["values"] = list_json(range.values);
    return json;
  }
  json["low"] = to_json(*range.low);
  json["high"] = to_json(*range.high);
  json["scale"] = range.log ? "log" : "linear";
  return json;
}

Json workload_json(const WorkloadSpec& spec) {
  Json json = {{"name", spec.name},       {"rw", spec.rw},     {"bs", spec.bs},
               {"iodepth", spec.iodepth}, {"jobs", spec.jobs}, {"images", spec.images}};
  if (spec.rwmixread) json["rwmixread"] = *spec.rwmixread;
  return json;
}

Json goal_json(const Goal& goal) {
  Json json = {{"maximize", to_text(goal.maximize)},
               {"minimize", to_text(goal.minimize)},
               {"prefer", to_text(goal.prefer)}};
  for (const auto& bound : goal.bounds) {
    Json& limits = json["bounds"][to_text(bound.metric)];
    if (bound.min) limits["min"] = *bound.min;
    if (bound.max) limits["max"] = *bound.max;
  }
  return json;
}

}  // namespace

std::string to_text(const Metric& metric) {
  return metric.workload + "." + metric.name;
}

std::optional<double> metric_of(const Run& run, const std::string& name) {
  if (name == "iops") return run.iops;
  if (name == "bandwidth") return run.bandwidth;
  if (name == "mean_ms") return run.mean_ms;
  if (name == "p50_ms") return run.p50_ms;
  if (name == "p95_ms") return run.p95_ms;
  if (name == "p99_ms") return run.p99_ms;
  if (name == "p999_ms") return run.p999_ms;
  return std::nullopt;
}

std::string to_text(Preference preference) {
  return preference == Preference::kIops      ? "iops"
         : preference == Preference::kLatency ? "latency"
                                              : "balanced";
}

Preference parse_preference(const std::string& text, const std::string& where) {
  for (const auto preference : {Preference::kIops, Preference::kBalanced, Preference::kLatency})
    if (to_text(preference) == text) return preference;
  fail(where, fmt::format("'{}' is not one of iops, balanced, latency", text));
}

Plan plan_from_json(const Json& json, const std::string& where) {
  Fields fields(json, where);
  Plan plan;
  plan.space = space_from_json(fields.require("space"), where + ": space");
  plan.workloads = workloads_from_json(fields.require("workloads"), where + ": workloads");
  plan.goal = goal_from_json(optional_part(fields, "goal"), plan.workloads, where + ": goal");
  plan.measure = measure_from_json(optional_part(fields, "measure"), where + ": measure");
  plan.budget = budget_from_json(optional_part(fields, "budget"), where + ": budget");
  plan.load = load_from_json(optional_part(fields, "load"), where + ": load");
  const auto seed = fields.integer("seed", 1);
  if (seed < 0) fail(where + ": seed", "a seed is a whole number from 0 on");
  plan.seed = static_cast<std::uint64_t>(seed);
  fields.finish();
  return plan;
}

Plan load_plan(const std::filesystem::path& path) {
  return plan_from_json(load_json(path), path.string());
}

Json to_json(const Plan& plan) {
  Json space = Json::object(), workloads = Json::array();
  for (const auto& range : plan.space) space[range.name] = range_json(range);
  for (const auto& workload : plan.workloads) workloads.push_back(workload_json(workload));
  Json budget = {{"trials", plan.budget.trials}, {"min_gain", plan.budget.min_gain}};
  if (plan.budget.hours) budget["hours"] = *plan.budget.hours;
  return {{"space", space},
          {"workloads", workloads},
          {"goal", goal_json(plan.goal)},
          {"measure",
           {{"ramp_s", plan.measure.ramp_s},
            {"runtime_s", plan.measure.runtime_s},
            {"repeats", plan.measure.repeats},
            {"control_every", plan.measure.control_every}}},
          {"budget", budget},
          {"load",
           {{"image_size", plan.load.image_bytes},
            {"pg_num", plan.load.pg_num},
            {"pool_size", plan.load.pool_size}}},
          {"seed", plan.seed}};
}

int count_images(const Plan& plan) {
  int images = 1;
  for (const auto& workload : plan.workloads) images = std::max(images, workload.images);
  return images;
}

double load_seconds(const Plan& plan, bool after_restart) {
  const auto runs =
      static_cast<double>(plan.workloads.size()) * plan.measure.repeats + (after_restart ? 1 : 0);
  return runs * (plan.measure.ramp_s + plan.measure.runtime_s);
}

}  // namespace osdtune
