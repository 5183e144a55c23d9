// SPDX-License-Identifier: Apache-2.0
// Taking, comparing and storing snapshots.
#include "search/cluster/snapshot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/error.hpp"

namespace osdtune {

const std::set<std::string> kQuietFlags = {"noout", "noscrub", "nodeep-scrub"};

namespace {

std::optional<double> number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// "20" means log level 20 and memory level 20; the words of a boolean become one of each.
std::string canonical(const std::string& text) {
  const auto slash = text.find('/');
  if (slash != std::string::npos && text.substr(0, slash) == text.substr(slash + 1))
    return text.substr(0, slash);
  if (text == "true" || text == "yes" || text == "on") return "1";
  if (text == "false" || text == "no" || text == "off") return "0";
  return text;
}

std::vector<StoredOption> entries_for(std::vector<StoredOption> all, const std::set<std::string>& names) {
  std::erase_if(all, [&](const StoredOption& option) { return !names.contains(option.name); });
  std::sort(all.begin(), all.end(), [](const StoredOption& a, const StoredOption& b) {
    return std::tie(a.name, a.section, a.mask) < std::tie(b.name, b.section, b.mask);
  });
  return all;
}

const StoredOption* find_twin(const std::vector<StoredOption>& options, const StoredOption& wanted) {
  for (const auto& option : options)
    if (option.section == wanted.section && option.mask == wanted.mask && option.name == wanted.name)
      return &option;
  return nullptr;
}

void compare_stored(const Snapshot& before, const Snapshot& now, std::vector<std::string>& found) {
  for (const auto& option : before.stored) {
    const auto* twin = find_twin(now.stored, option);
    if (twin == nullptr)
      found.push_back(fmt::format("stored option {} is gone", to_text(option)));
    else if (!same_value(twin->value, option.value))
      found.push_back(fmt::format("stored option {} was {}", to_text(*twin), option.value));
  }
  for (const auto& option : now.stored)
    if (find_twin(before.stored, option) == nullptr)
      found.push_back(fmt::format("stored option {} was not there", to_text(option)));
}

void compare_running(const Snapshot& before, const Snapshot& now, std::vector<std::string>& found) {
  for (const auto& [osd, values] : before.running) {
    const auto current = now.running.find(osd);
    if (current == now.running.end()) {
      found.push_back(fmt::format("osd.{} does not answer", osd));
      continue;
    }
    for (const auto& [name, value] : values) {
      const auto it = current->second.find(name);
      if (it == current->second.end() || !same_value(it->second, value))
        found.push_back(fmt::format("osd.{} runs with {} = {}, was {}", osd, name,
                                    it == current->second.end() ? "nothing" : it->second, value));
    }
  }
}

}  // namespace

bool same_value(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const std::string left = canonical(a), right = canonical(b);
  if (left == right) return true;
  const auto x = number(left), y = number(right);
  return x && y && std::abs(*x - *y) <= 1e-6 * std::max(std::abs(*x), std::abs(*y));
}

std::string to_text(const StoredOption& option) {
  return fmt::format("{}{}{} {} = {}", option.section, option.mask.empty() ? "" : "/", option.mask,
                     option.name, option.value);
}

std::optional<StoredOption> balancer_entry(Cluster& cluster) {
  for (const auto& option : cluster.stored_options())
    if (option.name == "mgr/balancer/active") return option;
  return std::nullopt;
}

Snapshot take_snapshot(Cluster& cluster, OsdControl* control, const std::set<std::string>& names) {
  Snapshot snapshot{.names = names, .stored = entries_for(cluster.stored_options(), names)};
  for (const auto& osd : cluster.osds())
    if (osd.up) snapshot.running[osd.id] = cluster.running_values(osd.id, names);
  for (const auto& flag : cluster.flags())
    if (kQuietFlags.contains(flag)) snapshot.flags.insert(flag);
  snapshot.balancer = cluster.balancer_active();
  snapshot.balancer_stored = balancer_entry(cluster).has_value();
  for (const auto& pool : cluster.pools()) snapshot.autoscale[pool.name] = pool.autoscale_mode;
  if (control != nullptr) snapshot.osds_per_device = control->osds_per_device();
  return snapshot;
}

std::vector<std::string> differences(const Snapshot& before, const Snapshot& now) {
  std::vector<std::string> found;
  compare_stored(before, now, found);
  compare_running(before, now, found);
  for (const auto& flag : kQuietFlags)
    if (before.flags.contains(flag) != now.flags.contains(flag))
      found.push_back(fmt::format("the flag {} {}", flag,
                                  now.flags.contains(flag) ? "is set, was not" : "is not set, was"));
  if (before.balancer != now.balancer)
    found.push_back(fmt::format("the balancer is {}", now.balancer ? "on, was off" : "off, was on"));
  if (before.balancer_stored != now.balancer_stored)
    found.push_back(
        fmt::format("the store {} an entry for the balancer", now.balancer_stored ? "has" : "lacks"));
  for (const auto& [pool, mode] : before.autoscale) {
    const auto it = now.autoscale.find(pool);
    if (it != now.autoscale.end() && it->second != mode)
      found.push_back(fmt::format("pool {} has autoscale mode {}, was {}", pool, it->second, mode));
  }
  if (before.osds_per_device != now.osds_per_device)
    found.push_back(fmt::format("devices carry {} OSDs each, was {}", now.osds_per_device.value_or(0),
                                before.osds_per_device.value_or(0)));
  return found;
}

Json to_json(const std::vector<StoredOption>& options) {
  Json list = Json::array();
  for (const auto& option : options)
    list.push_back(
        {{"section", option.section}, {"mask", option.mask}, {"name", option.name}, {"value", option.value}});
  return list;
}

std::vector<StoredOption> stored_from_json(const Json& json, const std::string& where) {
  std::vector<StoredOption> options;
  for (const auto& item : json) {
    Fields fields(item, where);
    options.push_back({.section = fields.text("section"),
                       .mask = fields.text("mask"),
                       .name = fields.text("name"),
                       .value = fields.text("value")});
    fields.finish();
  }
  return options;
}

Json to_json(const Snapshot& snapshot) {
  Json running = Json::object();
  for (const auto& [osd, values] : snapshot.running) running[std::to_string(osd)] = Json(values);
  Json json = {{"names", Json(snapshot.names)},
               {"stored", to_json(snapshot.stored)},
               {"running", running},
               {"flags", Json(snapshot.flags)},
               {"balancer", snapshot.balancer},
               {"balancer_stored", snapshot.balancer_stored},
               {"autoscale", Json(snapshot.autoscale)}};
  if (snapshot.osds_per_device) json["osds_per_device"] = *snapshot.osds_per_device;
  return json;
}

Snapshot snapshot_from_json(const Json& json, const std::string& where) {
  try {
    Snapshot snapshot;
    snapshot.names = json.at("names").get<std::set<std::string>>();
    snapshot.stored = stored_from_json(json.at("stored"), where);
    for (const auto& [osd, values] : json.at("running").items())
      snapshot.running[std::stoi(osd)] = values.get<std::map<std::string, std::string>>();
    snapshot.flags = json.at("flags").get<std::set<std::string>>();
    snapshot.balancer = json.at("balancer");
    snapshot.balancer_stored = json.at("balancer_stored");
    snapshot.autoscale = json.at("autoscale").get<std::map<std::string, std::string>>();
    if (json.contains("osds_per_device")) snapshot.osds_per_device = json.at("osds_per_device").get<int>();
    return snapshot;
  } catch (const std::exception& e) {
    throw Error(ErrorKind::kInput,
                fmt::format("{}: the state of the cluster cannot be read: {}", where, e.what()));
  }
}

}  // namespace osdtune
