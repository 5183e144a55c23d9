// SPDX-License-Identifier: Apache-2.0
// A run as one JSON object in a study: what is not known is not there.
#include <fmt/format.h>

#include "core/error.hpp"
#include "search/workload/workload.hpp"

namespace osdtune {
namespace {

struct OptionalField {
  const char* key;
  std::optional<double> Run::*member;
};

constexpr OptionalField kOptionalFields[] = {
    {"mean_ms", &Run::mean_ms}, {"p50_ms", &Run::p50_ms},   {"p95_ms", &Run::p95_ms},
    {"p99_ms", &Run::p99_ms},   {"p999_ms", &Run::p999_ms}, {"client_cpu", &Run::client_cpu},
    {"osd_cpu", &Run::osd_cpu}, {"job_cpu", &Run::job_cpu},
};

double amount(Fields* fields, const std::string& key) {
  const double value = fields->number(key);
  if (value < 0)
    throw Error(ErrorKind::kInput, fmt::format("{}.{}: {} is negative", fields->where(), key, value));
  return value;
}

std::vector<std::string> texts(const Json& json, const std::string& where) {
  std::vector<std::string> result;
  if (!json.is_array()) throw Error(ErrorKind::kInput, where + ": expected a list of strings");
  for (const auto& item : json) {
    if (!item.is_string()) throw Error(ErrorKind::kInput, where + ": expected a list of strings");
    result.push_back(item.get<std::string>());
  }
  return result;
}

}  // namespace

Json to_json(const Run& run) {
  Json json = {{"workload", run.workload},
               {"iops", run.iops},
               {"bandwidth", run.bandwidth},
               {"runtime_s", run.runtime_s}};
  for (const auto& field : kOptionalFields)
    if (run.*field.member) json[field.key] = *(run.*field.member);
  if (!run.stage_us.empty()) json["stage_us"] = run.stage_us;
  if (!run.warnings.empty()) json["warnings"] = run.warnings;
  return json;
}

Run run_from_json(const Json& json, const std::string& where) {
  Fields fields(json, where);
  Run run{.workload = fields.text("workload"),
          .iops = amount(&fields, "iops"),
          .bandwidth = amount(&fields, "bandwidth"),
          .runtime_s = amount(&fields, "runtime_s")};
  for (const auto& field : kOptionalFields)
    if (fields.find(field.key) != nullptr) run.*field.member = amount(&fields, field.key);
  if (const Json* found = fields.find("stage_us")) {
    Fields stages(*found, where + ".stage_us");
    for (const auto& [stage, value] : found->items()) run.stage_us[stage] = amount(&stages, stage);
  }
  if (const Json* found = fields.find("warnings")) run.warnings = texts(*found, where + ".warnings");
  fields.finish();
  return run;
}

}  // namespace osdtune
