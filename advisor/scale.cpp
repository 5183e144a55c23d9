// SPDX-License-Identifier: Apache-2.0
// Carrying a study over to other hosts.
#include "advisor/scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.hpp"
#include "core/units.hpp"
#include "search/host_study.hpp"
#include "search/observe.hpp"

namespace osdtune {

namespace {

constexpr double kNormal95 = 1.96;
constexpr double kEqual = 0.01;  ///< utilities closer than this count as equal
constexpr std::size_t kShownTradeOffs = 3;

const WorkloadSpec& workload_named(const Plan& plan, const std::string& name) {
  return *std::find_if(plan.workloads.begin(), plan.workloads.end(),
                       [&](const WorkloadSpec& workload) { return workload.name == name; });
}

std::string device_class(const StudyHeader& header) {
  return header.facts.value("osd_host", Json::object()).value("device_class", "");
}

void check_alike(const std::vector<Study>& studies) {
  for (const Study& study : studies) {
    if (!study.header) throw Error(ErrorKind::kInput, "a study is empty", "run a sweep into it first");
    if (study.header->release != studies.front().header->release)
      throw Error(ErrorKind::kInput,
                  fmt::format("the studies come from Ceph {} and {}: releases are not mixed in one model",
                              studies.front().header->release, study.header->release));
    if (device_class(*study.header) != device_class(*studies.front().header))
      throw Error(ErrorKind::kInput,
                  "the studies come from different classes of drives: they are not mixed in one model");
  }
}

double log_sd(const Interval& interval) {
  return std::log(interval.high / interval.low) / (2 * kNormal95);
}

Interval around(double value, double sd) {
  return {value, value * std::exp(-kNormal95 * sd), value * std::exp(kNormal95 * sd)};
}

/// What one objective of the response model becomes on other hosts.
Interval carried(const Interval& response, double ratio, const Interval& told) {
  return around(response.value * ratio, std::hypot(log_sd(response), log_sd(told)));
}

/// Values of a setting to try in the host model: all that are listed, else a few across the range.
std::vector<Value> tried_values(const Setting& setting) {
  if (!setting.values.empty()) return setting.values;
  if (setting.kind != SettingKind::kInteger) return {setting.default_value};
  std::set<std::int64_t> values;
  constexpr int kSteps = 8;
  for (int i = 0; i <= kSteps; ++i) {
    const double share = static_cast<double>(i) / kSteps;
    const double value = setting.log ? setting.low * std::pow(setting.high / setting.low, share)
                                     : setting.low + share * (setting.high - setting.low);
    values.insert(std::llround(value));
  }
  return {values.begin(), values.end()};
}

/// Everything the answer is computed from.
class Carrier {
 public:
  Carrier(const Study& study, const Conclusion& conclusion, const StudyHost& from, const ScaleWish& hosts,
          HostFit fit)
      : header_(*study.header),
        conclusion_(conclusion),
        from_(from),
        to_(from.host),
        fit_(std::move(fit)),
        weights_(preference_weights(header_.plan.goal.prefer)) {
    to_.cores = hosts.cores;
    if (hosts.devices) to_.devices = *hosts.devices;
    load_ = host_load(workload_named(header_.plan, header_.plan.goal.maximize.workload));
    quiet_ = host_load(workload_named(header_.plan, header_.plan.goal.minimize.workload));
  }

  const HostShape& host() const { return to_; }

  ScaledConfig carry(const std::string& origin, const Config& config, const Prediction& response) const {
    const OsdShape osds = osd_shape(from_, config);
    const HostOutlook there = outlook(fit_, to_, osds, load_);
    ScaledConfig out{.origin = origin, .config = config};
    const double here = predict(from_.host, osds, fit_.costs, load_).iops;
    out.iops =
        carried({response.mean[0], response.low[0], response.high[0]}, there.at.iops / here, there.iops);
    out.bottleneck = there.at.bottleneck;
    out.osds = to_.devices * osds.osds_per_device;
    out.threads = there.at.threads;
    out.cores_used = there.at.cores_used;
    out.doublings = there.doublings;
    out.utility = weights_[0] * std::log(out.iops.value);
    if (response.mean.size() > 1 && header_.plan.goal.minimize.name == "p99_ms") {
      const HostOutlook late = outlook(fit_, to_, osds, quiet_);
      const double before = predict(from_.host, osds, fit_.costs, quiet_).p99_us;
      out.p99_ms = carried({response.mean[1], response.low[1], response.high[1]}, late.at.p99_us / before,
                           late.p99_us);
      out.utility -= weights_[1] * std::log(out.p99_ms->value);
    }
    return out;
  }

  /// The configuration the host model likes best on the new hosts; its response is that of the one as found,
  /// times what the model says of the difference.
  ScaledConfig proposed() const {
    std::vector<Config> configs = {default_config(header_.space)};
    for (const Setting& setting : header_.space.settings) {
      if (!in_host_model(setting.name)) continue;
      std::vector<Config> more;
      for (const Config& config : configs)
        for (const Value& value : tried_values(setting)) {
          more.push_back(config);
          more.back()[setting.name] = value;
        }
      configs = std::move(more);
    }
    std::optional<ScaledConfig> best;
    for (const Config& config : configs) {
      ScaledConfig one = carry("host model", config, guessed(config));
      if (!best || one.utility > best->utility + kEqual) best = std::move(one);
    }
    return *best;
  }

 private:
  /// The response where nothing was measured: that of the configuration as found, moved by the host model.
  Prediction guessed(const Config& config) const {
    Prediction response = conclusion_.baseline;
    const OsdShape osds = osd_shape(from_, config), found = from_.osds;
    const double iops = predict(from_.host, osds, fit_.costs, load_).iops /
                        predict(from_.host, found, fit_.costs, load_).iops;
    const double p99 = predict(from_.host, osds, fit_.costs, quiet_).p99_us /
                       predict(from_.host, found, fit_.costs, quiet_).p99_us;
    for (double* value : {&response.mean[0], &response.low[0], &response.high[0]}) *value *= iops;
    if (response.mean.size() > 1)
      for (double* value : {&response.mean[1], &response.low[1], &response.high[1]}) *value *= p99;
    return response;
  }

  const StudyHeader& header_;
  const Conclusion& conclusion_;
  StudyHost from_;
  HostShape to_;
  HostFit fit_;
  std::vector<double> weights_;
  HostLoad load_, quiet_;
};

double memory_target(const Config& config) {
  constexpr double kCephDefault = 4.0 * 1024 * 1024 * 1024;
  const auto it = config.find("osd_memory_target");
  const auto* bytes = it == config.end() ? nullptr : std::get_if<std::int64_t>(&it->second);
  return bytes ? static_cast<double>(*bytes) : kCephDefault;
}

std::vector<std::string> cautions_of(const ScaleAnswer& answer, const std::vector<Study>& studies,
                                     std::size_t used, std::size_t trials) {
  std::vector<std::string> out;
  if (studies.front().header->simulated) out.push_back("SIMULATED: no number here was measured on a cluster");
  if (!answer.inside())
    out.push_back(fmt::format("extrapolated from {} to {} cores; measure before you rely on it",
                              answer.cores_low == answer.cores_high
                                  ? fmt::format("{:g}", answer.cores_low)
                                  : fmt::format("{:g}-{:g}", answer.cores_low, answer.cores_high),
                              answer.cores));
  if (used < trials)
    out.push_back(fmt::format(
        "the host model knows {} of {} trials: the others change settings that it does not contain", used,
        trials));
  return out;
}

double busiest(const HostPrediction& told) {
  double most = 0;
  for (const Station& station : told.stations) most = std::max(most, station.utilisation);
  return most;
}

std::string interval_text(const Interval& value) {
  return fmt::format("{} ({} .. {})", format_number(value.value), format_number(value.low),
                     format_number(value.high));
}

void keep_best_trade_offs(std::vector<ScaledConfig>* configs) {
  std::size_t seen = 0;
  std::erase_if(*configs, [&](const ScaledConfig& config) {
    return config.origin == "trade-off" && ++seen > kShownTradeOffs;
  });
}

std::string changes_of(const ScaledConfig& config, const Space& space) {
  const Config changed = changed_settings(config.config, space);
  return changed.empty() ? "as found" : to_text(changed);
}

}  // namespace

ScaleAnswer scale(const std::vector<Study>& studies, const RecommendWish& wish, const ScaleWish& hosts) {
  check_alike(studies);
  std::vector<HostObservation> observations;
  std::set<double> cores;
  std::size_t used = 0, trials = 0;
  for (const Study& study : studies) {
    const StudyHost host = study_host(*study.header, hosts.measured_cores);
    const auto seen = host_observations(study, host);
    observations.insert(observations.end(), seen.begin(), seen.end());
    cores.insert(host.host.cores);
    used += seen.size() / study.header->plan.workloads.size();
    trials += study.trials.size();
  }
  ScaleAnswer answer{.cores = hosts.cores, .cores_low = *cores.begin(), .cores_high = *cores.rbegin()};
  answer.fit = calibrate(observations);
  const Study& first = studies.front();
  const Recommendation measured = recommend(first, wish);
  const Carrier carrier(first, measured.conclusion, study_host(*first.header, hosts.measured_cores), hosts,
                        answer.fit);
  answer.host = carrier.host();
  const Conclusion& conclusion = measured.conclusion;
  answer.configs = {carrier.carry("as found", conclusion.baseline.config, conclusion.baseline)};
  const auto add = [&](ScaledConfig config) {
    const bool known = std::any_of(answer.configs.begin(), answer.configs.end(),
                                   [&](const ScaledConfig& other) { return other.config == config.config; });
    if (!known) answer.configs.push_back(std::move(config));
  };
  add(carrier.carry("recommended where measured", conclusion.choice.config, conclusion.choice));
  for (const Prediction& point : conclusion.front) add(carrier.carry("trade-off", point.config, point));
  add(carrier.proposed());
  std::stable_sort(answer.configs.begin() + 1, answer.configs.end(),
                   [](const ScaledConfig& a, const ScaledConfig& b) { return a.utility > b.utility; });
  keep_best_trade_offs(&answer.configs);
  answer.cautions = cautions_of(answer, studies, used, trials);
  if (const double drives = study_host(*first.header, hosts.measured_cores).host.devices;
      answer.host.devices != drives)
    answer.cautions.push_back(fmt::format(
        "extrapolated from {:g} to {:g} drives; measure before you rely on it", drives, answer.host.devices));
  if (hosts.memory_bytes)
    for (const ScaledConfig& config : answer.configs)
      if (const double need = config.osds * memory_target(config.config); need > 0.8 * *hosts.memory_bytes)
        answer.cautions.push_back(
            fmt::format("{}: the memory targets of {:g} OSDs are {}, this host bears {}",
                        changes_of(config, first.header->space), config.osds, format_size(need),
                        format_size(0.8 * *hosts.memory_bytes)));
  return answer;
}

std::string to_text(const ScaleAnswer& answer, const Study& study) {
  const Space& space = study.header->space;
  std::string out = fmt::format("For hosts with {:g} cores and {:g} drives (measured: {:g} cores)\n",
                                answer.cores, answer.host.devices, answer.cores_high);
  for (const std::string& caution : answer.cautions) out += fmt::format("Note: {}.\n", caution);
  const ScaledConfig& found = answer.configs.front();
  const ScaledConfig* best = &found;
  for (const ScaledConfig& config : answer.configs)
    if (config.utility > best->utility + kEqual) best = &config;
  out += fmt::format("\n{:<28} {:<32} {:<26} {:<14} {}\n", "",
                     fmt::format("{} (95 % interval)", to_text(study.header->plan.goal.maximize)),
                     found.p99_ms ? to_text(study.header->plan.goal.minimize) : "", "limited by",
                     "threads, OSDs, cores used");
  for (const ScaledConfig& config : answer.configs)
    out +=
        fmt::format("{:<28} {:<32} {:<26} {:<14} {:.0f} threads, {:g} OSDs, {:.1f} of {:g} cores\n    {}\n",
                    config.origin, interval_text(config.iops),
                    config.p99_ms ? interval_text(*config.p99_ms) : "", config.bottleneck, config.threads,
                    config.osds, config.cores_used, answer.cores, changes_of(config, space));
  const OsdShape osds = osd_shape(study_host(*study.header, answer.cores_high), best->config);
  out += fmt::format("\nBest guess for {:g} cores: {}\n", answer.cores, changes_of(*best, space));
  out += fmt::format(
      "Threads: ({:g} shards x {:g} + {:g} messenger + 1 kv_sync) x {:g} OSDs = {:.0f} on {:g} cores\n",
      osds.shards, osds.threads_per_shard, osds.messenger_threads, best->osds, best->threads, answer.cores);
  return out;
}

std::string to_text(const HostFit& fit) {
  std::string out =
      fmt::format("Host model: IOPS within {:.0f} % and p99 within {:.0f} % (1 sd) of {} measurements\n",
                  100 * fit.iops_sd, 100 * fit.p99_sd, fit.observations.size());
  std::string untold;
  for (const FittedCost& cost : fit.fitted) {
    if (!cost.told_by_data) {
      untold += (untold.empty() ? "" : ", ") + cost.name;
      continue;
    }
    out += fmt::format("  {:<14} {} ({} .. {})\n", cost.name, format_number(cost.value.value),
                       format_number(cost.value.low), format_number(cost.value.high));
  }
  if (!untold.empty())
    out += fmt::format("  not told by these measurements, kept near what is usual: {}\n", untold);
  return out;
}

std::string host_model_text(const Study& study, bool verbose) {
  std::vector<HostObservation> observations;
  try {
    observations = host_observations(study, study_host(*study.header, {}));
  } catch (const Error& e) {
    return fmt::format("Host model: not calibrated: {}\n", e.what());
  }
  if (observations.empty())
    return "Host model: not calibrated: every trial changes a setting that it does not contain\n";
  const HostFit fit = calibrate(observations);
  std::string out = to_text(fit);
  if (!verbose) return out;
  for (const HostObservation& seen : observations) {
    const HostPrediction told = predict(seen.host, seen.osds, fit.costs, seen.load);
    out += fmt::format(
        "    {:g} x {:g} shards, {:g} messenger, {:g} OSDs per device, {:g} in flight: {} IOPS, model "
        "{:+.1f} %; {} {:.0f} %\n",
        seen.osds.shards, seen.osds.threads_per_shard, seen.osds.messenger_threads, seen.osds.osds_per_device,
        seen.load.customers, format_number(*seen.iops), 100 * (told.iops / *seen.iops - 1), told.bottleneck,
        100 * busiest(told));
  }
  return out;
}

Json to_json(const ScaleAnswer& answer) {
  Json configs = Json::array(), costs = Json::array();
  const auto interval = [](const Interval& value) {
    return Json{{"value", value.value}, {"interval", {value.low, value.high}}};
  };
  for (const ScaledConfig& config : answer.configs) {
    configs.push_back({{"origin", config.origin},
                       {"config", to_json(config.config)},
                       {"iops", interval(config.iops)},
                       {"bottleneck", config.bottleneck},
                       {"osds", config.osds},
                       {"threads", config.threads},
                       {"cores_used", config.cores_used},
                       {"doublings", config.doublings}});
    if (config.p99_ms) configs.back()["p99_ms"] = interval(*config.p99_ms);
  }
  for (const FittedCost& cost : answer.fit.fitted)
    costs.push_back({{"name", cost.name},
                     {"value", cost.value.value},
                     {"interval", {cost.value.low, cost.value.high}},
                     {"told_by_data", cost.told_by_data}});
  return {{"cores", answer.cores},
          {"measured_cores", {answer.cores_low, answer.cores_high}},
          {"extrapolated", !answer.inside()},
          {"configs", configs},
          {"costs", costs},
          {"cautions", answer.cautions}};
}

std::vector<WhatIf> what_if(const Study& study, const HostFile& host) {
  const HostFit fit = calibrate(host_observations(study, study_host(*study.header, {})));
  std::vector<WhatIf> out;
  for (const WorkloadSpec& workload : study.header->plan.workloads)
    out.push_back({workload.name, outlook(fit, host.shape, host.osds, host_load(workload))});
  return out;
}

std::string to_text(const std::vector<WhatIf>& answers, const HostFile& host) {
  std::string out = fmt::format("On {:g} x {}, {:g} OSDs per drive, {:g} copies\n", host.shape.hosts,
                                host.name, host.osds.osds_per_device, host.osds.replicas);
  double doublings = 0;
  for (const WhatIf& answer : answers) {
    const HostPrediction& at = answer.outlook.at;
    doublings = std::max(doublings, answer.outlook.doublings);
    out += fmt::format("  {:<16} {} IOPS, p99 {} ms; {:.1f} of {:g} cores, {}\n", answer.workload,
                       interval_text(answer.outlook.iops),
                       interval_text({answer.outlook.p99_us.value / 1e3, answer.outlook.p99_us.low / 1e3,
                                      answer.outlook.p99_us.high / 1e3}),
                       at.cores_used, host.shape.cores, at.bottleneck);
  }
  if (doublings > 0)
    out += fmt::format("Note: {:.1f} doublings away from what was measured; measure before you rely on it.\n",
                       doublings);
  return out;
}

Json to_json(const std::vector<WhatIf>& answers) {
  Json out = Json::array();
  for (const WhatIf& answer : answers)
    out.push_back({{"workload", answer.workload},
                   {"iops", answer.outlook.iops.value},
                   {"iops_interval", {answer.outlook.iops.low, answer.outlook.iops.high}},
                   {"p99_ms", answer.outlook.p99_us.value / 1e3},
                   {"p99_ms_interval", {answer.outlook.p99_us.low / 1e3, answer.outlook.p99_us.high / 1e3}},
                   {"bottleneck", answer.outlook.at.bottleneck},
                   {"cores_used", answer.outlook.at.cores_used},
                   {"doublings", answer.outlook.doublings}});
  return out;
}

}  // namespace osdtune
