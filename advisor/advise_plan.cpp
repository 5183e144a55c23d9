// SPDX-License-Identifier: Apache-2.0
// A sweep's plan from advice: settings worth it, bounded by the cores and the memory there are.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "advisor/advise.hpp"

namespace osdtune {
namespace {

struct Room {
  std::optional<double> threads_per_osd;
  std::optional<double> memory_per_osd;
};

/// The tightest host decides.
Room room_of(const Facts& facts) {
  std::map<std::string, double> osds;
  for (const auto& [id, osd] : facts.osds)
    if (osd.host) osds[*osd.host] += 1;
  Room room;
  const auto tighten = [](std::optional<double>* least, double value) {
    *least = std::min(least->value_or(value), value);
  };
  for (const auto& [name, host] : facts.hosts) {
    const double number = osds.contains(name) ? osds.at(name) : 1;
    if (host.threads) tighten(&room.threads_per_osd, *host.threads / number);
    if (host.memory_bytes) tighten(&room.memory_per_osd, *host.memory_bytes * 0.8 / number);
  }
  return room;
}

/// Highest value worth trying of a setting that makes threads.
double most_threads(const std::string& name, const Room& room, double high) {
  if (!room.threads_per_osd) return high;
  const double threads = std::max(1.0, *room.threads_per_osd);
  if (name.starts_with("osd_op_num_shards")) return std::clamp(std::ceil(threads), 2.0, high);
  if (name == "ms_async_op_threads") return std::clamp(std::ceil(threads), 3.0, high);
  return high;
}

Json range_of(const Option& option, const Room& room) {
  const SearchRange& search = *option.search;
  if (!search.values.empty()) {
    Json values = Json::array();
    for (const Value& value : search.values) values.push_back(to_json(value));
    return values;
  }
  double high = most_threads(option.name, room, search.high);
  if (option.name == "osd_memory_target" && room.memory_per_osd) high = std::min(high, *room.memory_per_osd);
  if (high <= search.low) return Json();
  Json range = {{"low", static_cast<std::int64_t>(search.low)}, {"high", static_cast<std::int64_t>(high)}};
  if (search.log) range["scale"] = "log";
  return range;
}

/// Settings named by findings, then those every NVMe sweep starts from.
std::vector<std::string> settings_for(const Advice& advice) {
  std::vector<std::string> names = advice.sweep;
  for (const char* name :
       {"osd_op_num_shards", "osd_op_num_threads_per_shard", "ms_async_op_threads", "debug_levels"})
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

}  // namespace

Json sweep_plan(const Advice& advice, const Facts& facts) {
  const Catalogue catalogue = load_catalogue();
  const Room room = room_of(facts);
  Json space = Json::object();
  for (const std::string& name : settings_for(advice)) {
    if (name == "debug_levels") space[name] = {"default", "off"};
    if (name == "osds_per_device") space[name] = {1, 2};
    const auto option =
        facts.release ? find_option(catalogue, name, *facts.release) : find_option_anywhere(catalogue, name);
    if (!option || !option->search || !is_searchable(*option) || name.starts_with("rbd_")) continue;
    const Json range = range_of(*option, room);
    if (!range.is_null()) space[name] = range;
  }
  return {{"space", space},
          {"workloads",
           {{{"name", "rw4k"}, {"rw", "randwrite"}, {"bs", "4k"}, {"iodepth", 16}},
            {{"name", "qd1"}, {"rw", "randwrite"}, {"bs", "4k"}, {"iodepth", 1}}}},
          {"goal", {{"maximize", "rw4k.iops"}, {"minimize", "qd1.p99_ms"}, {"prefer", "balanced"}}},
          {"measure", {{"ramp_s", 60}, {"runtime_s", 600}, {"repeats", 3}}},
          {"budget", {{"trials", 40}}},
          {"seed", 1}};
}

}  // namespace osdtune
