// SPDX-License-Identifier: Apache-2.0
// Reading simulation files.
#include "search/sim/sim_file.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace osdtune {
namespace {

SimOption option_from_json(const Json& json, const std::string& where) {
  Fields fields(json, where);
  SimOption option;
  option.help = {.name = fields.text("name"),
                 .type = fields.text("type"),
                 .default_value = fields.text("default"),
                 .min = fields.text("min", ""),
                 .max = fields.text("max", "")};
  if (const Json* values = fields.find("values"))
    for (const auto& value : *values)
      option.help.enum_values.push_back(to_text(value_from_json(value, where)));
  option.needs_restart = fields.boolean("restart", false);
  fields.finish();
  return option;
}

SimEffect effect_from_json(const Json& json, const std::string& where) {
  Fields fields(json, where);
  SimEffect effect{.option = fields.text("option")};
  effect.at = fields.number("at", effect.at);
  effect.per_doubling = fields.number("per_doubling", effect.per_doubling);
  effect.best = fields.number("best", effect.best);
  if (effect.at <= 0 || effect.per_doubling <= 0 || effect.best <= 0)
    throw Error(ErrorKind::kInput, where + ": at, per_doubling and best are above 0");
  if (const Json* values = fields.find("by_value"))
    for (const auto& [value, factor] : values->items())
      effect.by_value[value] = Fields(*values, where).number(value);
  fields.finish();
  return effect;
}

SimResponse response_from_json(const Json& json, const std::string& where) {
  Fields fields(json, where);
  SimResponse response;
  response.iops = fields.number("iops", response.iops);
  response.noise = fields.number("noise", response.noise);
  response.drift = fields.number("drift", response.drift);
  response.first_run = fields.number("first_run", response.first_run);
  response.outliers = fields.number("outliers", response.outliers);
  response.lost_runs = fields.number("lost_runs", response.lost_runs);
  response.seed = static_cast<std::uint64_t>(fields.integer("seed", 1));
  if (const Json* effects = fields.find("effects"))
    for (const auto& effect : *effects)
      response.effects.push_back(effect_from_json(effect, where + ".effects"));
  fields.finish();
  return response;
}

}  // namespace

Simulation load_simulation(const std::filesystem::path& path) {
  const Json json = load_json(path);
  Fields fields(json, path.string());
  const std::string release = fields.text("release");
  auto osds = static_cast<int>(fields.integer("osds", 2));
  std::vector<SimOption> options;
  for (const auto& option : fields.require("options"))
    options.push_back(option_from_json(option, path.string() + ": options"));
  SimResponse response = response_from_json(fields.require("response"), path.string() + ": response");
  const std::string host = fields.text("host", "");
  const double restart_s = fields.number("restart_s", 8), redeploy_s = fields.number("redeploy_s", 60);
  std::set<std::string> deadly;
  if (const Json* list = fields.find("infeasible"))
    for (const Json& one : *list)
      deadly.insert(to_text(value_from_json(one, path.string() + ": infeasible")));
  fields.finish();
  if (!host.empty()) {
    response.host = load_host(path.parent_path() / host);
    osds = static_cast<int>(response.host->shape.hosts * response.host->shape.devices);
  }
  for (const auto& effect : response.effects) {
    const bool known = std::any_of(options.begin(), options.end(), [&](const SimOption& option) {
      return option.help.name == effect.option;
    });
    if (!known)
      throw Error(ErrorKind::kInput, fmt::format("{}: an effect names the option {}, which is not listed",
                                                 path.string(), effect.option));
  }
  auto cluster = std::make_shared<SimCluster>(release, osds, std::move(options));
  cluster->deadly = std::move(deadly);
  cluster->restart_s = restart_s;
  cluster->redeploy_s = redeploy_s;
  if (response.host) cluster->hosts = static_cast<int>(response.host->shape.hosts);
  return {.cluster = cluster,
          .workload = std::make_shared<SimWorkload>(*cluster, response),
          .osd_cores = response.host ? std::optional(response.host->shape.cores) : std::nullopt};
}

}  // namespace osdtune
