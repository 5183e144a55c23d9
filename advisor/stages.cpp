// SPDX-License-Identifier: Apache-2.0
// Residence times of the host model for one trial, and their wording.
#include "advisor/stages.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "advisor/recommend.hpp"
#include "core/error.hpp"
#include "core/stats.hpp"
#include "core/units.hpp"
#include "search/host_study.hpp"

namespace osdtune {

namespace {

const Trial& chosen(const Study& study, std::optional<int> id) {
  const Config found = default_config(study.header->space);
  for (const Trial& trial : study.trials) {
    const bool finished = trial.verdict && trial.verdict->feasible;
    if (finished && (id ? trial.id == *id : trial.config == found)) return trial;
  }
  throw Error(ErrorKind::kInput,
              id ? fmt::format("the study has no finished trial {}", *id)
                 : "the study has no finished trial of the configuration as found",
              fmt::format("its trials are 0 to {}", static_cast<int>(study.trials.size()) - 1));
}

/// The study with this trial alone, so that its own observations come out.
std::vector<HostObservation> observations_of(const Study& study, const Trial& trial, const StudyHost& host) {
  Study one = study;
  one.trials = {trial};
  return host_observations(one, host);
}

/// Means over the counted runs.
std::map<std::string, double> mean_stages(const Trial& trial, const std::string& workload) {
  std::map<std::string, std::vector<double>> all;
  for (const Run& run : counted_runs(trial, workload))
    for (const auto& [stage, us] : run.stage_us) all[stage].push_back(us);
  std::map<std::string, double> out;
  for (const auto& [stage, values] : all) out[stage] = *mean(values);
  return out;
}

/// Marks the bottleneck, where one is busy enough to be called that.
const char* mark(const Station& station, const HostPrediction& told) {
  constexpr double kBusy = 0.5;
  return station.name == told.bottleneck && station.utilisation >= kBusy ? "  <- limits" : "";
}

double stage_time(const HostPrediction& told) {
  double sum = 0;
  for (const Station& station : told.stations)
    if (station.name != "processor") sum += station.residence_us;  // a part of the others
  return sum;
}

}  // namespace

Stages stages(const Study& study, std::optional<int> trial_id) {
  if (!study.header)
    throw Error(ErrorKind::kInput, "the study is empty", "run 'osdtune sweep PLAN.json --study FILE' first");
  const StudyHost host = study_host(*study.header, {});
  const Trial& trial = chosen(study, trial_id);
  const auto own = observations_of(study, trial, host);
  if (own.empty())
    throw Error(ErrorKind::kInput,
                fmt::format("trial {} changes a setting that the host model does not contain", trial.id),
                "it knows shards, threads per shard, messenger threads and OSDs per device");
  if (own.size() != study.header->plan.workloads.size())
    throw Error(ErrorKind::kInput, fmt::format("trial {} lacks counted runs of a workload", trial.id),
                "choose another trial");
  const HostFit fit = calibrate(host_observations(study, host));
  Stages out{.trial = trial.id,
             .changes = changed_settings(trial.config, study.header->space),
             .iops_sd = fit.iops_sd};
  for (std::size_t i = 0; i < own.size(); ++i) {
    const HostObservation& seen = own[i];
    StageReport report{.workload = study.header->plan.workloads[i].name,
                       .customers = seen.load.customers,
                       .iops = *seen.iops,
                       .mean_us = 1e6 * seen.load.customers / *seen.iops,
                       .osd_cores = seen.cores_used,
                       .told = predict(seen.host, seen.osds, fit.costs, seen.load)};
    report.measured_us = mean_stages(trial, report.workload);
    report.elsewhere_us = std::max(0.0, report.told.mean_us - stage_time(report.told));
    out.workloads.push_back(std::move(report));
  }
  return out;
}

std::string to_text(const Stages& stages) {
  std::string out = fmt::format(
      "Trial {} ({}): where an operation's time goes, by the host model (IOPS within {:.0f} % on this "
      "study)\n",
      stages.trial, stages.changes.empty() ? "as found" : to_text(stages.changes), 100 * stages.iops_sd);
  for (const StageReport& report : stages.workloads) {
    out += fmt::format("\n{}: {:g} in flight, measured {} IOPS and {} us, model {} IOPS and {} us\n",
                       report.workload, report.customers, format_number(report.iops),
                       format_number(report.mean_us), format_number(report.told.iops),
                       format_number(report.told.mean_us));
    if (report.osd_cores)
      out += fmt::format("  OSDs of a host used {:.2f} cores, model {:.2f}\n", *report.osd_cores,
                         report.told.cores_used);
    out += fmt::format("  {:<26} {:>10} {:>8} {:>10}\n", "", "time us", "share", "busy");
    for (const Station& station : report.told.stations) {
      if (station.name == "processor") continue;
      out += fmt::format("  {:<26} {:>10.0f} {:>6.0f} % {:>8.0f} %{}\n", station.name, station.residence_us,
                         100 * station.residence_us / report.told.mean_us, 100 * station.utilisation,
                         mark(station, report.told));
    }
    out += fmt::format("  {:<26} {:>10.0f} {:>6.0f} %\n", "client, round trip, commit", report.elsewhere_us,
                       100 * report.elsewhere_us / report.told.mean_us);
    const Station& processor = report.told.stations.front();
    out += fmt::format("  {:<26} {:>10.0f} {:>8} {:>8.0f} %{}\n", "of this, waiting for a core",
                       processor.residence_us, "", 100 * processor.utilisation, mark(processor, report.told));
    if (!report.measured_us.empty()) out += "  counted by the OSDs themselves (perf dump):\n";
    for (const auto& [stage, us] : report.measured_us)
      out += fmt::format("    {:<34} {:>10.0f} us\n", stage, us);
  }
  return out;
}

Json to_json(const Stages& stages) {
  Json workloads = Json::array();
  for (const StageReport& report : stages.workloads) {
    Json stations = Json::object();
    for (const Station& station : report.told.stations)
      stations[station.name] = {{"residence_us", station.residence_us}, {"utilisation", station.utilisation}};
    Json one = {{"workload", report.workload},
                {"in_flight", report.customers},
                {"measured_iops", report.iops},
                {"measured_mean_us", report.mean_us},
                {"model_iops", report.told.iops},
                {"model_mean_us", report.told.mean_us},
                {"stations", stations},
                {"elsewhere_us", report.elsewhere_us},
                {"model_osd_cores", report.told.cores_used},
                {"bottleneck", report.told.bottleneck}};
    if (!report.measured_us.empty()) one["measured_stages_us"] = report.measured_us;
    if (report.osd_cores) one["measured_osd_cores"] = *report.osd_cores;
    workloads.push_back(std::move(one));
  }
  return {{"trial", stages.trial}, {"changes", to_json(stages.changes)}, {"workloads", workloads}};
}

}  // namespace osdtune
