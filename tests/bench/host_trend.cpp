// SPDX-License-Identifier: Apache-2.0
// What the host model is worth as knowledge to search with: where reality follows it, partly, not at all, and
// against it. Usage: osdtune_host_trend [SEEDS]; prints the median regret of the candidate per case.
#include <fmt/format.h>

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "core/random.hpp"
#include "core/stats.hpp"
#include "knowledge/host_fit.hpp"
#include "search/host_study.hpp"
#include "search/planner.hpp"

using namespace osdtune;

namespace {

constexpr HostLoad kLoad{.read_share = 0, .block_kib = 4, .customers = 128, .clients = 4};
constexpr int kBudgets[] = {8, 12, 20, 40};
constexpr double kNoise = 0.04;

enum class Reality { kModel, kCliff, kUnrelated, kOpposite };

Setting numbers(const std::string& name, const std::vector<int>& values, int found, Change change) {
  Setting out{.name = name, .default_value = std::int64_t{found}, .change = change};
  for (const int value : values) out.values.emplace_back(std::int64_t{value});
  return out;
}

Task make_task() {
  Task task;
  task.space.settings = {numbers("osd_op_num_shards", {1, 2, 3, 4, 6, 8, 12, 16}, 8, Change::kRestart),
                         numbers("osd_op_num_threads_per_shard", {1, 2, 3, 4}, 2, Change::kRestart),
                         numbers("ms_async_op_threads", {1, 2, 3, 4, 5, 6, 8}, 3, Change::kRestart),
                         numbers("osds_per_device", {1, 2, 4}, 1, Change::kRedeploy),
                         numbers("debug", {0, 1}, 1, Change::kRuntime),
                         numbers("cap", {64, 128, 256, 512}, 256, Change::kRuntime)};
  task.objectives = {{.name = "iops", .maximize = true}, {.name = "p99_ms", .weight = 0.5}};
  task.restart_cost = 0.3;
  task.redeploy_cost = 1;
  return task;
}

double at(const Config& config, const char* name) {
  return static_cast<double>(std::get<std::int64_t>(config.at(name)));
}

/// Natural logarithms: -IOPS and p99.
Eigen::Vector2d modelled(const OsdCosts& costs, const Config& config) {
  const StudyHost host{.host = {.hosts = 3, .cores = 16, .devices = 4}, .osds = {}};
  const HostPrediction told = predict(host.host, osd_shape(host, config), costs, kLoad);
  return {-std::log(told.iops), std::log(told.p99_us)};
}

OsdCosts some_costs(Random& random) {
  OsdCosts out = typical_costs();
  for (const CostPrior& prior : host_costs_prior())
    out.*prior.cost = prior.median * std::exp(prior.sd * random.normal());
  return out;
}

struct World {
  Reality reality;
  OsdCosts costs;
  Eigen::Vector2d found;

  Eigen::Vector2d truth(const Config& config) const {
    Eigen::Vector2d cost = modelled(costs, config);
    const double bonus = at(config, "debug") == 0 ? -0.1 : 0;
    if (reality == Reality::kCliff && at(config, "ms_async_op_threads") > 4) cost.array() += 0.7;
    if (reality == Reality::kOpposite) cost = found - (cost - found);
    if (reality == Reality::kUnrelated)
      cost = found.array() + 0.2 * std::abs(std::log2(at(config, "cap") / 128)) +
             0.1 * at(config, "osd_op_num_threads_per_shard");
    return cost.array() + bonus;
  }
};

double utility(const Eigen::Vector2d& costs) {
  return costs[0] + 0.5 * costs[1];
}

Config anywhere(const Task& task, Random& random) {
  Config out;
  for (const Setting& setting : task.space.settings)
    out[setting.name] = setting.values[random.index(setting.values.size())];
  return out;
}

/// Regret is 0 at the best of many configurations and 1 at their median.
struct Scale {
  double best, middle;
};

Scale scale_of(const Task& task, const World& world, Random& random) {
  std::vector<double> all;
  for (int i = 0; i < 4000; ++i) all.push_back(utility(world.truth(anywhere(task, random))));
  return {*std::min_element(all.begin(), all.end()), *median(all)};
}

enum class Knowledge { kNone, kTypical, kCalibrated };

Trend trend_of(Knowledge knowledge, const std::vector<Observation>& seen) {
  if (knowledge == Knowledge::kNone) return {};
  OsdCosts costs = typical_costs();
  if (knowledge == Knowledge::kCalibrated && !seen.empty()) {
    const StudyHost host{.host = {.hosts = 3, .cores = 16, .devices = 4}, .osds = {}};
    std::vector<HostObservation> observations;
    for (const Observation& one : seen)
      if (at(one.config, "debug") == 1)
        observations.push_back({.host = host.host,
                                .osds = osd_shape(host, one.config),
                                .load = kLoad,
                                .iops = (*one.values)[0],
                                .p99_us = (*one.values)[1],
                                .cores_used = {}});
    costs = calibrate(observations).costs;
  }
  return [costs](const Config& config) {
    const Eigen::Vector2d told = modelled(costs, config);
    return std::vector<double>{told[0], told[1]};
  };
}

std::vector<double> regrets(Reality reality, Knowledge knowledge, std::uint64_t seed) {
  Task task = make_task();
  Random random(seed);
  World world{.reality = reality, .costs = some_costs(random), .found = {}};
  world.found = modelled(world.costs, default_config(task.space));
  const Scale scale = scale_of(task, world, random);
  std::vector<Observation> seen;
  std::vector<double> out;
  for (const int budget : kBudgets) {
    task.budget = budget;
    while (static_cast<int>(seen.size()) < budget) {
      task.trend = trend_of(knowledge, seen);
      const Config next = suggest(task, seen, seed).config;
      const Eigen::Vector2d cost = world.truth(next);
      seen.push_back({.config = next,
                      .values = {{std::exp(-cost[0] + kNoise * random.normal()),
                                  std::exp(cost[1] + kNoise * random.normal())}},
                      .time = static_cast<double>(seen.size() + 1)});
    }
    task.trend = trend_of(knowledge, seen);
    const double reached = utility(world.truth(conclude(task, seen, seed).candidate.config));
    out.push_back((reached - scale.best) / (scale.middle - scale.best));
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const int seeds = argc > 1 ? std::atoi(argv[1]) : 20;
  fmt::print("{:>10} {:>11} {:>27} {:>27}\n", "reality", "knowledge", "median regret 8/12/20/40", "mean");
  const std::pair<Reality, const char*> realities[] = {{Reality::kModel, "as model"},
                                                       {Reality::kCliff, "cliff"},
                                                       {Reality::kUnrelated, "unrelated"},
                                                       {Reality::kOpposite, "opposite"}};
  const std::pair<Knowledge, const char*> known[] = {
      {Knowledge::kNone, "none"}, {Knowledge::kTypical, "typical"}, {Knowledge::kCalibrated, "calibrated"}};
  for (const auto& [reality, name] : realities)
    for (const auto& [knowledge, label] : known) {
      std::vector<double> all[std::size(kBudgets)];
      for (int seed = 0; seed < seeds; ++seed) {
        const auto one = regrets(reality, knowledge, static_cast<std::uint64_t>(seed));
        for (std::size_t i = 0; i < one.size(); ++i) all[i].push_back(one[i]);
      }
      fmt::print("{:>10} {:>11}", name, label);
      for (const auto& each : all) fmt::print(" {:6.3f}", *median(each));
      for (const auto& each : all) fmt::print(" {:6.3f}", *mean(each));
      fmt::print("\n");
      std::fflush(stdout);
    }
}
