// SPDX-License-Identifier: Apache-2.0
// Reads answers of Ceph 16 to 20; where releases differ, both shapes are accepted.
#include "search/cluster/rados_replies.hpp"

#include <fmt/format.h>

#include <sstream>

#include "core/error.hpp"

namespace osdtune {
namespace {

constexpr int kErasurePool = 3;  ///< "type" in `osd dump`

/// Runs `read`; a missing key or a wrong type becomes an error that names the command.
template <class Read>
auto read_answer(const char* command, Read read) {
  try {
    return read();
  } catch (const nlohmann::json::exception& e) {
    throw Error(ErrorKind::kCluster,
                fmt::format("the answer to '{}' is not as expected: {}", command, e.what()),
                "is the cluster older than 16.2 or newer than this program knows?");
  }
}

/// Values come as strings, numbers or booleans, depending on option and release.
std::string scalar_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump();
}

std::map<int, std::string> device_classes(const Json& tree) {
  std::map<int, std::string> classes;
  for (const char* list : {"nodes", "stray"})
    if (tree.contains(list))
      for (const Json& node : tree.at(list))
        if (node.at("type") == "osd") classes[node.at("id").get<int>()] = node.value("device_class", "");
  return classes;
}

std::map<int, std::string> host_names(const Json& metadata) {
  std::map<int, std::string> hosts;
  for (const Json& osd : metadata) hosts[osd.at("id").get<int>()] = osd.value("hostname", "");
  return hosts;
}

}  // namespace

std::string parse_release(const Json& versions) {
  return read_answer("versions", [&] {
    const Json& osd = versions.at("osd");
    if (osd.empty()) throw Error(ErrorKind::kCluster, "no OSD is up", "start the OSDs first");
    std::set<std::string> releases;
    for (const auto& [text, count] : osd.items()) {
      std::istringstream words(text);  // "ceph version 16.2.15 (618f...) pacific (stable)"
      std::string skipped, release;
      words >> skipped >> skipped >> release;
      releases.insert(release.substr(0, release.find('-')));
    }
    if (releases.size() > 1)
      throw Error(
          ErrorKind::kCluster,
          fmt::format("the OSDs run different releases: {} and {}", *releases.begin(), *releases.rbegin()),
          "finish the upgrade first: results of different releases cannot be compared");
    return *releases.begin();
  });
}

Health parse_health(const Json& health) {
  return read_answer("health", [&] {
    Health result{.status = health.at("status").get<std::string>(), .checks = {}};
    if (health.contains("checks"))
      for (const auto& [code, check] : health.at("checks").items())
        result.checks[code] = check.at("summary").at("message").get<std::string>();
    return result;
  });
}

std::int64_t parse_osd_map_epoch(const Json& stat) {
  return read_answer("osd stat", [&] { return stat.at("epoch").get<std::int64_t>(); });
}

std::vector<std::string> parse_mon_names(const Json& dump) {
  return read_answer("mon dump", [&] {
    std::vector<std::string> names;
    for (const Json& mon : dump.at("mons")) names.push_back(mon.at("name").get<std::string>());
    return names;
  });
}

std::vector<Osd> parse_osds(const Json& dump, const Json& tree, const Json& metadata) {
  return read_answer("osd dump", [&] {
    const auto classes = device_classes(tree);
    const auto hosts = host_names(metadata);
    std::vector<Osd> osds;
    for (const Json& entry : dump.at("osds")) {
      Osd osd{.id = entry.at("osd").get<int>(),
              .up = entry.at("up").get<int>() == 1,
              .in = entry.at("in").get<int>() == 1,
              .device_class = {},
              .host = {}};
      if (const auto found = classes.find(osd.id); found != classes.end()) osd.device_class = found->second;
      if (const auto found = hosts.find(osd.id); found != hosts.end()) osd.host = found->second;
      osds.push_back(osd);
    }
    return osds;
  });
}

PgStates parse_pg_states(const Json& stat) {
  return read_answer("pg stat", [&] {
    const Json& summary = stat.contains("pg_summary") ? stat.at("pg_summary") : stat;
    PgStates states;
    for (const Json& state : summary.at("num_pg_by_state"))
      states[state.at("name").get<std::string>()] += state.at("num").get<int>();
    return states;
  });
}

std::vector<Pool> parse_pools(const Json& dump) {
  return read_answer("osd dump", [&] {
    std::vector<Pool> pools;
    for (const Json& pool : dump.at("pools"))
      pools.push_back({.id = pool.at("pool").get<std::int64_t>(),
                       .name = pool.at("pool_name").get<std::string>(),
                       .autoscale_mode = pool.value("pg_autoscale_mode", ""),
                       .size = pool.at("size").get<int>(),
                       .pg_num = pool.at("pg_num").get<int>(),
                       .min_size = pool.value("min_size", 0),
                       .erasure = pool.value("type", 1) == kErasurePool});
    return pools;
  });
}

std::set<std::string> parse_flags(const Json& dump) {
  return read_answer("osd dump", [&] {
    std::set<std::string> flags;
    if (dump.contains("flags_set")) {
      for (const Json& flag : dump.at("flags_set")) flags.insert(flag.get<std::string>());
      return flags;
    }
    std::istringstream words(dump.at("flags").get<std::string>());
    for (std::string flag; std::getline(words, flag, ',');) flags.insert(flag);
    return flags;
  });
}

OptionHelp parse_option_help(const Json& help) {
  return read_answer("config help", [&] {
    OptionHelp option;
    option.name = help.at("name").get<std::string>();
    option.type = help.at("type").get<std::string>();
    const std::string daemon = help.contains("daemon_default") ? scalar_text(help.at("daemon_default")) : "";
    option.default_value = daemon.empty() ? scalar_text(help.at("default")) : daemon;
    if (help.contains("min")) option.min = scalar_text(help.at("min"));
    if (help.contains("max")) option.max = scalar_text(help.at("max"));
    for (const char* key : {"enum_values", "enum_allowed"})
      if (help.contains(key))
        for (const Json& value : help.at(key)) option.enum_values.push_back(scalar_text(value));
    option.runtime_claimed = help.at("can_update_at_runtime").get<bool>();
    return option;
  });
}

std::vector<StoredOption> parse_stored_options(const Json& dump) {
  return read_answer("config dump", [&] {
    std::vector<StoredOption> options;
    for (const Json& entry : dump)
      options.push_back({.section = entry.at("section").get<std::string>(),
                         .mask = entry.value("mask", ""),
                         .name = entry.at("name").get<std::string>(),
                         .value = scalar_text(entry.at("value"))});
    return options;
  });
}

std::map<std::string, std::string> parse_running_values(const Json& show,
                                                        const std::set<std::string>& names) {
  return read_answer("config show", [&] {
    std::map<std::string, std::string> values;
    for (const std::string& name : names)
      if (show.contains(name)) values[name] = scalar_text(show.at(name));
    return values;
  });
}

std::map<std::string, LatencySum> parse_latencies(const Json& dump) {
  return read_answer("perf dump", [&] {
    std::map<std::string, LatencySum> out;
    for (const char* group : {"osd", "bluestore"})
      for (const auto& [name, value] : dump.at(group).items())
        if (value.is_object() && value.contains("avgcount"))
          out[fmt::format("{}.{}", group, name)] = {.count = value.at("avgcount").get<double>(),
                                                    .seconds = value.at("sum").get<double>()};
    return out;
  });
}

std::string section_text(const StoredOption& option) {
  return option.mask.empty() ? option.section : option.section + "/" + option.mask;
}

}  // namespace osdtune
