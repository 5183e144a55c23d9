// SPDX-License-Identifier: Apache-2.0
// Reading hosts, settings and results of a study for the host model.
#include "search/host_study.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.hpp"
#include "core/stats.hpp"
#include "knowledge/catalogue.hpp"

namespace osdtune {

namespace {

/// A setting the host model knows, and the option whose default holds where it is not searched.
struct ModelledSetting {
  const char* name;
  double OsdShape::*field;
};

/// In the order in which Ceph lets one override the other: the plain option wins over its pair.
constexpr ModelledSetting kModelled[] = {
    {"osd_op_num_shards_hdd", &OsdShape::shards},
    {"osd_op_num_shards_ssd", &OsdShape::shards},
    {"osd_op_num_shards", &OsdShape::shards},
    {"osd_op_num_threads_per_shard_hdd", &OsdShape::threads_per_shard},
    {"osd_op_num_threads_per_shard_ssd", &OsdShape::threads_per_shard},
    {"osd_op_num_threads_per_shard", &OsdShape::threads_per_shard},
    {"ms_async_op_threads", &OsdShape::messenger_threads},
    {"osds_per_device", &OsdShape::osds_per_device},
};

std::optional<double> number_of(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

std::string text_at(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : "";
}

/// Ceph's own defaults for the settings that the plan does not search.
void set_defaults(OsdShape& osds, const StudyHeader& header) {
  const std::string device_class =
      header.facts.value("osd_host", Json::object()).value("device_class", "ssd");
  const Catalogue catalogue = load_catalogue();
  const Release release = parse_release(header.release);
  for (const ModelledSetting& setting : kModelled)
    if (const auto text = default_for(catalogue, setting.name, release, device_class))
      if (const double value = std::atof(text->c_str()); value > 0) osds.*setting.field = value;
}

std::optional<double> client_host_threads(const StudyHeader& header) {
  const Json host = header.facts.value("client_host", Json::object());
  return host.contains("threads") ? std::optional(host.at("threads").get<double>()) : std::nullopt;
}

std::optional<double> mean_of(const Trial& trial, const std::string& workload,
                              std::optional<double> Run::*member) {
  std::vector<double> values;
  for (const Run& run : counted_runs(trial, workload))
    if (const auto& value = run.*member; value && *value > 0) values.push_back(*value);
  return mean(values);
}

std::optional<double> kv_us(const Trial& trial, const std::string& workload) {
  std::vector<double> values;
  for (const Run& run : counted_runs(trial, workload)) {
    const auto queued = run.stage_us.find("bluestore.state_kv_queued_lat");
    const auto committing = run.stage_us.find("bluestore.state_kv_commiting_lat");
    if (queued != run.stage_us.end() && committing != run.stage_us.end())
      values.push_back(queued->second + committing->second);
  }
  return mean(values);
}

std::optional<double> centre(const Trial& trial, const std::string& workload, const std::string& metric) {
  std::vector<double> values;
  for (const Run& run : counted_runs(trial, workload))
    if (const auto value = metric_of(run, metric)) values.push_back(*value);
  const auto middle = median(values);
  return middle && *middle > 0 ? middle : std::nullopt;
}

bool only_modelled(const Space& space, const Config& config) {
  return std::all_of(space.settings.begin(), space.settings.end(), [&](const Setting& setting) {
    return in_host_model(setting.name) || config.at(setting.name) == setting.default_value;
  });
}

/// The model knows one throughput, and the mean and the tail of latencies.
double modelled(const HostPrediction& told, const std::string& metric) {
  if (metric == "iops" || metric == "bandwidth") return told.iops;
  return metric == "mean_ms" || metric == "p50_ms" ? told.mean_us : told.p99_us;
}

/// More OSDs per device may allow more copies; fewer may not have room for all.
void fit_replicas(const HostShape& host, OsdShape& osds) {
  osds.replicas = std::min(osds.replicas, host.hosts * host.devices * osds.osds_per_device);
}

Trend trend_of(const Study& study, const StudyHost& host) {
  const Plan& plan = study.header->plan;
  const auto load_of = [&](const Metric& metric) {
    const auto at = std::find_if(plan.workloads.begin(), plan.workloads.end(),
                                 [&](const WorkloadSpec& spec) { return spec.name == metric.workload; });
    return host_load(*at);
  };
  const auto observations = host_observations(study, host);
  const OsdCosts costs = observations.empty() ? typical_costs() : calibrate(observations).costs;
  return [host, costs, goal = plan.goal, more = load_of(plan.goal.maximize),
          less = load_of(plan.goal.minimize)](const Config& config) {
    OsdShape osds = osd_shape(host, config);
    fit_replicas(host.host, osds);
    const double gained = modelled(predict(host.host, osds, costs, more), goal.maximize.name);
    const double paid = modelled(predict(host.host, osds, costs, less), goal.minimize.name);
    return std::vector<double>{-std::log(gained), std::log(paid)};
  };
}

}  // namespace

Trend host_trend(const Study& study) {
  const auto& settings = study.header->space.settings;
  const bool modelled_any = std::any_of(settings.begin(), settings.end(),
                                        [](const Setting& setting) { return in_host_model(setting.name); });
  if (!modelled_any) return {};
  try {
    return trend_of(study, study_host(*study.header, std::nullopt));
  } catch (const Error&) {
    return {};  // hosts that nobody described: the search does without
  }
}

bool in_host_model(const std::string& setting) {
  return std::any_of(std::begin(kModelled), std::end(kModelled),
                     [&](const ModelledSetting& modelled) { return setting == modelled.name; });
}

OsdShape osd_shape(const StudyHost& host, const Config& config) {
  OsdShape osds = host.osds;
  for (const ModelledSetting& setting : kModelled)
    if (const auto it = config.find(setting.name); it != config.end())
      if (const auto value = number_of(it->second); value && *value > 0) osds.*setting.field = *value;
  osds.pgs_per_osd *= host.osds.osds_per_device / osds.osds_per_device;
  return osds;
}

StudyHost study_host(const StudyHeader& header, std::optional<double> cores) {
  StudyHost out;
  const Json list = header.facts.value("osds", Json::array());
  if (list.empty())
    throw Error(ErrorKind::kInput,
                "the study does not know its OSDs and hosts, as one driven by another harness does not",
                "only studies of 'osdtune sweep' can be carried over to other hosts");
  std::set<std::string> hosts;
  for (const Json& osd : list) hosts.insert(text_at(osd, "hostname"));
  set_defaults(out.osds, header);
  const Json known = header.facts.value("osd_host", Json::object());
  if (!cores && known.contains("cores")) cores = known.at("cores").get<double>();
  if (!cores)
    throw Error(ErrorKind::kInput, "the study does not say how many cores its OSD hosts have",
                "say it: --measured-cores N, hardware threads of one host");
  out.osds.osds_per_device = known.value("osds_per_device", 1.0);
  out.host.hosts = std::max<double>(1, static_cast<double>(hosts.size()));
  out.host.cores = *cores;
  out.host.devices =
      std::max(1.0, static_cast<double>(list.size()) / (out.host.hosts * out.osds.osds_per_device));
  const double osds = std::max<double>(1, static_cast<double>(list.size()));
  out.osds.replicas = std::min(known.value("replicas", out.osds.replicas), osds);
  out.osds.pgs_per_osd = header.plan.load.pg_num * out.osds.replicas / osds;
  out.osds = osd_shape(out, default_config(header.space));
  return out;
}

std::vector<HostObservation> host_observations(const Study& study, const StudyHost& host) {
  const StudyHeader& header = *study.header;
  const std::optional<double> threads =
      header.target.starts_with("lab:") ? client_host_threads(header) : std::nullopt;
  std::vector<HostObservation> out;
  for (const Trial& trial : study.trials) {
    if (!only_modelled(header.space, trial.config)) continue;
    for (const WorkloadSpec& workload : header.plan.workloads) {
      HostObservation seen{
          .host = host.host, .osds = osd_shape(host, trial.config), .load = host_load(workload)};
      if (threads)  // what the load generator leaves, where it shares the host
        seen.host.cores =
            std::min(host.host.cores,
                     std::max(0.5, *threads - mean_of(trial, workload.name, &Run::client_cpu).value_or(0)));
      seen.kv_us = kv_us(trial, workload.name);
      seen.cores_used = mean_of(trial, workload.name, &Run::osd_cpu);
      seen.iops = centre(trial, workload.name, "iops");
      if (const auto p99 = centre(trial, workload.name, "p99_ms")) seen.p99_us = 1e3 * *p99;
      if (seen.iops) out.push_back(seen);
    }
  }
  return out;
}

}  // namespace osdtune
