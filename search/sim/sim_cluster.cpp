// SPDX-License-Identifier: Apache-2.0
// The rules of the simulated cluster.
#include "search/sim/sim_cluster.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace osdtune {
namespace {

constexpr double kPrefillBytesPerSecond = 300e6;

bool same_place(const StoredOption& a, const StoredOption& b) {
  return a.name == b.name && a.section == b.section && a.mask == b.mask;
}

}  // namespace

SimCluster::SimCluster(std::string release, int osds, std::vector<SimOption> options)
    : release_(std::move(release)), devices_(osds), options_(std::move(options)) {
  take_effect(true);
}

void SimCluster::wait(std::chrono::milliseconds time) {
  pass(std::chrono::duration<double>(time).count());
  take_effect(false);
}

void SimCluster::change(const std::string& line) {
  if (before_call) before_call(line);
  calls.push_back(line);
}

const SimOption* SimCluster::find(const std::string& name) const {
  const auto it = std::find_if(options_.begin(), options_.end(),
                               [&](const SimOption& option) { return option.help.name == name; });
  return it == options_.end() ? nullptr : &*it;
}

std::string SimCluster::stored_value(const std::string& name) const {
  std::string value = find(name)->help.default_value;
  for (const auto& option : stored_)
    if (option.name == name && (option.section == "global" || option.section == "osd")) value = option.value;
  return value;
}

void SimCluster::take_effect(bool restarted) {
  for (const auto& option : options_) {
    const std::string& name = option.help.name;
    if ((restarted || !option.needs_restart) && (!stubborn.contains(name) || !running_.contains(name)))
      running_[name] = stored_value(name);
  }
}

std::vector<Osd> SimCluster::osds() {
  std::vector<Osd> out;
  for (int id = 0; id < devices_ * osds_per_device_; ++id)
    out.push_back({.id = id,
                   .up = up_,
                   .in = true,
                   .device_class = "ssd",
                   .host = fmt::format("sim{}", id / osds_per_device_ % hosts)});
  return out;
}

Json SimCluster::osd_metadata() {
  Json out = Json::array();
  for (const auto& osd : osds())
    out.push_back({{"id", osd.id}, {"hostname", osd.host}, {"rotational", "0"}, {"device_class", "ssd"}});
  return out;
}

PgStates SimCluster::pg_states() {
  int pgs = 0;
  for (const auto& pool : pools_) pgs += pool.pg_num;
  return pgs == 0 ? PgStates{} : PgStates{{up_ ? "active+clean" : "stale", pgs}};
}

std::vector<std::string> SimCluster::option_names() {
  std::vector<std::string> names;
  for (const auto& option : options_) names.push_back(option.help.name);
  return names;
}

OptionHelp SimCluster::option_help(const std::string& name) {
  const auto* option = find(name);
  if (option == nullptr) throw Error(ErrorKind::kInput, fmt::format("unrecognized option '{}'", name));
  return option->help;
}

std::map<std::string, std::string> SimCluster::running_values(int osd, const std::set<std::string>& names) {
  if (!up_) throw Error(ErrorKind::kCluster, fmt::format("osd.{} is down", osd));
  std::map<std::string, std::string> out;
  for (const auto& [name, value] : running_)
    if (names.contains(name)) out[name] = value;
  return out;
}

void SimCluster::set_options(const std::vector<StoredOption>& options) {
  for (const auto& option : options) {
    change(fmt::format("set {} {} = {}", option.section, option.name, option.value));
    std::erase_if(stored_, [&](const StoredOption& other) { return same_place(option, other); });
    stored_.push_back(option);
  }
  if (!slow) take_effect(false);
}

void SimCluster::remove_options(const std::vector<StoredOption>& options) {
  for (const auto& option : options) {
    change(fmt::format("rm {} {}", option.section, option.name));
    std::erase_if(stored_, [&](const StoredOption& other) { return same_place(option, other); });
  }
  if (!slow) take_effect(false);
}

void SimCluster::set_flag(const std::string& flag, bool on) {
  if (flags_.contains(flag) == on) return;
  change(fmt::format("flag {} {}", flag, on ? "on" : "off"));
  if (on)
    flags_.insert(flag);
  else
    flags_.erase(flag);
}

void SimCluster::set_balancer(bool active) {
  if (balancer_ == active) return;
  change(fmt::format("balancer {}", active ? "on" : "off"));
  balancer_ = active;
}

void SimCluster::set_autoscale(const std::string& name, const std::string& mode) {
  for (auto& pool : pools_) {
    if (pool.name != name || pool.autoscale_mode == mode) continue;
    change(fmt::format("autoscale {} {}", name, mode));
    pool.autoscale_mode = mode;
  }
}

void SimCluster::create_pool(const std::string& name, int pg_num, int size) {
  change(fmt::format("create pool {}", name));
  pools_.push_back({.id = static_cast<std::int64_t>(pools_.size()) + 1,
                    .name = name,
                    .autoscale_mode = "off",
                    .size = size,
                    .pg_num = pg_num});
}

void SimCluster::remove_pool(const std::string& name) {
  change(fmt::format("remove pool {}", name));
  std::erase_if(pools_, [&](const Pool& pool) { return pool.name == name; });
}

std::string SimCluster::config_key(const std::string& key) {
  const auto it = keys_.find(key);
  return it == keys_.end() ? "" : it->second;
}

void SimCluster::set_config_key(const std::string& key, const std::string& value) {
  change(fmt::format("key {}", key));
  keys_[key] = value;
}

void SimCluster::remove_config_key(const std::string& key) {
  change(fmt::format("rm key {}", key));
  keys_.erase(key);
}

void SimCluster::create_image(const std::string& pool, const std::string& name, std::int64_t bytes) {
  pass(static_cast<double>(bytes) / kPrefillBytesPerSecond);
  change(fmt::format("create image {}/{}", pool, name));
}

void SimCluster::restart_osds() {
  change("restart");
  pass(restart_s);
  up_ = false;
  for (const auto& option : options_)
    if (deadly.contains(option.help.name + "=" + stored_value(option.help.name)))
      throw TrialError(fmt::format("osd.0 did not come back: it ended after its start ({}={})",
                                   option.help.name, stored_value(option.help.name)));
  up_ = true;
  ++epoch_;
  take_effect(true);
}

void SimCluster::redeploy(int osds_per_device) {
  change(fmt::format("redeploy {}", osds_per_device));
  pass(redeploy_s);
  osds_per_device_ = osds_per_device;
  ++epoch_;
  up_ = true;
  take_effect(true);
}

}  // namespace osdtune
