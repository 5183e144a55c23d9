// SPDX-License-Identifier: Apache-2.0
// Takes facts from what Ceph's commands print as JSON, of whatever release, and from files of any known kind.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "core/error.hpp"
#include "knowledge/facts.hpp"
#include "knowledge/fio_job.hpp"

namespace osdtune {
namespace {

const Json* member(const Json& json, const char* key) {
  if (!json.is_object()) return nullptr;
  const auto found = json.find(key);
  return found == json.end() ? nullptr : &*found;
}

bool has(const Json& json, const char* key) {
  return member(json, key) != nullptr;
}

std::optional<std::string> text_of(const Json& json, const char* key) {
  const Json* value = member(json, key);
  if (!value) return std::nullopt;
  if (value->is_string()) return value->get<std::string>();
  if (value->is_boolean() || value->is_number()) return value->dump();
  return std::nullopt;
}

std::optional<double> number_of(const Json& json, const char* key) {
  const Json* value = member(json, key);
  if (!value) return std::nullopt;
  if (value->is_number()) return value->get<double>();
  if (!value->is_string()) return std::nullopt;
  const std::string text = value->get<std::string>();
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != '\0') return std::nullopt;
  return number;
}

std::optional<bool> flag_of(const Json& json, const char* key) {
  const std::optional<std::string> text = text_of(json, key);
  if (!text) return std::nullopt;
  return *text == "1" || *text == "true";
}

const Json& list_of(const Json& json, const char* key) {
  static const Json kEmpty = Json::array();
  const Json* value = member(json, key);
  return value && value->is_array() ? *value : kEmpty;
}

bool is_list_with(const Json& json, std::initializer_list<const char*> keys) {
  if (!json.is_array() || json.empty()) return false;
  for (const char* key : keys)
    if (!has(json.front(), key)) return false;
  return true;
}

template <class T>
void keep(std::optional<T>* known, const std::optional<T>& found) {
  if (found) *known = found;
}

OsdFacts* osd_of(const Json& json, const char* key, Facts* facts) {
  const std::optional<double> id = number_of(json, key);
  if (!id || *id < 0 || *id > 1e7) return nullptr;
  OsdFacts& osd = facts->osds[static_cast<int>(*id)];
  osd.id = static_cast<int>(*id);
  return &osd;
}

/// `config dump`: what the monitors store.
void add_config_dump(const Json& json, const std::string& file, Facts* facts) {
  for (const Json& each : json) {
    const auto section = text_of(each, "section");
    const auto name = text_of(each, "name");
    const auto value = text_of(each, "value");
    if (!section || !name || !value) continue;
    facts->settings.push_back(
        {*section, text_of(each, "mask").value_or(""), *name, *value, true, Place{file, 0}});
  }
}

/// The id in a file name such as "osd.12.json" or "config-show-osd.3.json"; 0 if there is none.
int osd_in_name(const std::string& file) {
  const auto at = file.rfind("osd.");
  int id = 0;
  if (at != std::string::npos) std::from_chars(file.data() + at + 4, file.data() + file.size(), id);
  return std::max(id, 0);
}

/// `config show` (a list) or the daemon's own `config show` (one object): values it runs with.
void add_config_show(const Json& json, const std::string& file, Facts* facts) {
  const std::string daemon = text_of(json, "name").value_or("");  // it says itself who it is
  const int id = osd_in_name(daemon.starts_with("osd.") ? daemon : file);
  OsdFacts& osd = facts->osds[id];
  osd.id = id;
  if (json.is_object()) {
    for (const auto& [name, value] : json.items())
      if (value.is_string()) osd.running[name] = value.get<std::string>();
    return;
  }
  for (const Json& each : json) {
    const auto name = text_of(each, "name");
    const auto value = text_of(each, "value");
    if (name && value) osd.running[*name] = *value;
  }
}

/// Facts of the OSD's host that its metadata carries.
void add_metadata_host(const Json& each, const std::string& name, Facts* facts) {
  HostFacts& host = facts->hosts[name];
  host.name = name;
  keep(&host.cpu_model, text_of(each, "cpu"));
  keep(&host.kernel, text_of(each, "kernel_version"));
  const auto system = text_of(each, "distro_description");
  if (system) host.system = *system;
  if (const auto kib = number_of(each, "mem_total_kb")) host.memory_bytes = *kib * 1024;
}

void add_metadata(const Json& json, Facts* facts) {
  for (const Json& each : json) {
    OsdFacts* osd = osd_of(each, "id", facts);
    if (!osd) continue;
    keep(&osd->host, text_of(each, "hostname"));
    keep(&osd->objectstore, text_of(each, "osd_objectstore"));
    keep(&osd->device_class, text_of(each, "default_device_class"));
    keep(&osd->drives, text_of(each, "devices"));
    keep(&osd->rotational, flag_of(each, "rotational"));
    keep(&osd->rotational, flag_of(each, "bluestore_bdev_rotational"));
    keep(&osd->db_rotational, flag_of(each, "bluefs_db_rotational"));
    keep(&osd->dedicated_db, flag_of(each, "bluefs_dedicated_db"));
    keep(&osd->bytes, number_of(each, "bluestore_bdev_size"));
    if (const auto version = text_of(each, "ceph_version_short"))
      osd->release = *version;
    else
      keep(&osd->release, text_of(each, "ceph_version"));
    if (osd->host) add_metadata_host(each, *osd->host, facts);
  }
}

/// Nodes of `osd tree` and `osd df`: hosts with their children, OSDs with class and use.
void add_nodes(const Json& nodes, Facts* facts) {
  for (const Json& node : nodes) {
    if (text_of(node, "type") == "host")
      for (const Json& child : list_of(node, "children"))
        if (child.is_number_integer() && child.get<int>() >= 0) {
          OsdFacts& osd = facts->osds[child.get<int>()];
          osd.id = child.get<int>();
          osd.host = text_of(node, "name");
        }
    if (text_of(node, "type") != "osd") continue;
    OsdFacts* osd = osd_of(node, "id", facts);
    if (!osd) continue;
    if (const auto device_class = text_of(node, "device_class"); device_class && !device_class->empty())
      osd->device_class = device_class;
    keep(&osd->pgs, number_of(node, "pgs"));
    if (const auto status = text_of(node, "status")) osd->up = *status == "up";
    if (const auto kib = number_of(node, "kb")) osd->bytes = *kib * 1024;
    if (const auto percent = number_of(node, "utilization")) osd->used_ratio = *percent / 100;
  }
}

void add_pools(const Json& pools, Facts* facts) {
  for (const Json& each : pools) {
    const auto name = text_of(each, "pool_name");
    if (!name) continue;
    PoolFacts pool{.name = *name,
                   .size = number_of(each, "size"),
                   .min_size = number_of(each, "min_size"),
                   .pg_num = number_of(each, "pg_num"),
                   .autoscale = text_of(each, "pg_autoscale_mode")};
    if (const auto type = number_of(each, "type")) pool.erasure = *type == 3;
    std::erase_if(facts->pools, [&](const PoolFacts& known) { return known.name == pool.name; });
    facts->pools.push_back(pool);
  }
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    if (end > at) parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

void add_osd_map(const Json& map, Facts* facts) {
  add_pools(list_of(map, "pools"), facts);
  if (const auto flags = text_of(map, "flags")) facts->flags = split(*flags);
  for (const Json& each : list_of(map, "osds")) {
    OsdFacts* osd = osd_of(each, "osd", facts);
    if (osd) keep(&osd->up, flag_of(each, "up"));
  }
}

void add_pg_states(const Json& pgmap, Facts* facts) {
  double other = 0, total = 0;
  for (const Json& each : list_of(pgmap, "pgs_by_state")) {
    const double count = number_of(each, "count").value_or(0);
    total += count;
    if (text_of(each, "state_name") != "active+clean") other += count;
  }
  if (total == 0) return;
  facts->misplaced_or_degraded = other;
  facts->pgs_total = total;
}

void add_status(const Json& json, Facts* facts) {
  if (const Json* health = member(json, "health")) keep(&facts->health, text_of(*health, "status"));
  if (const Json* pgmap = member(json, "pgmap")) add_pg_states(*pgmap, facts);
}

/// Mean of a counter that carries a sum and a count, or its plain value.
std::optional<double> counter_value(const Json& counter) {
  if (counter.is_number()) return counter.get<double>();
  const auto count = number_of(counter, "avgcount");
  const auto sum = number_of(counter, "sum");
  if (!count || !sum || *count == 0) return std::nullopt;
  return *sum / *count;
}

/// `perf dump`, or `counter dump` of 18.2 and later, where each group is a list by labels.
void add_perf_dump(const Json& json, const std::string& file, Facts* facts) {
  OsdFacts& osd = facts->osds[osd_in_name(file)];
  osd.id = osd_in_name(file);
  const auto add = [&](const std::string& group, const Json& counters) {
    if (!counters.is_object()) return;
    for (const auto& [name, counter] : counters.items())
      if (const auto value = counter_value(counter)) osd.counters[group + "." + name] = *value;
  };
  for (const auto& [group, counters] : json.items()) {
    add(group, counters);
    if (!counters.is_array()) continue;
    for (const Json& each : counters) {
      const Json* labels = member(each, "labels");
      const Json* inside = member(each, "counters");
      if (labels && inside && labels->empty()) add(group, *inside);
    }
  }
}

/// `report`: the whole cluster in one document.
void add_report(const Json& json, const std::string& file, Facts* facts) {
  keep(&facts->release, text_of(json, "version"));
  if (const Json* health = member(json, "health")) keep(&facts->health, text_of(*health, "status"));
  if (const Json* map = member(json, "osdmap")) add_osd_map(*map, facts);
  add_metadata(list_of(json, "osd_metadata"), facts);
  if (const Json* crush = member(json, "crushmap")) {
    for (const Json& device : list_of(*crush, "devices")) {
      OsdFacts* osd = osd_of(device, "id", facts);
      const auto device_class = text_of(device, "class");
      if (osd && device_class) osd->device_class = device_class;
    }
  }
  add_config_dump(list_of(json, "config"), file, facts);
  for (const Json& each : list_of(json, "num_pg_by_osd"))
    if (OsdFacts* osd = osd_of(each, "osd", facts)) keep(&osd->pgs, number_of(each, "num_acting_pg"));
  const double states = list_of(json, "num_pg_by_state").size();
  if (states == 0) return;
  double other = 0, total = 0;
  for (const Json& each : list_of(json, "num_pg_by_state")) {
    const double count = number_of(each, "num").value_or(0);
    total += count;
    if (text_of(each, "state") != "active+clean") other += count;
  }
  facts->misplaced_or_degraded = other;
  facts->pgs_total = total;
}

std::string add_list(const Json& json, const std::string& file, Facts* facts) {
  if (json.empty()) return "config dump";
  if (is_list_with(json, {"section", "name", "value"}))
    return add_config_dump(json, file, facts), "config dump";
  if (is_list_with(json, {"name", "value"})) return add_config_show(json, file, facts), "config show";
  if (is_list_with(json, {"id", "osd_objectstore"}) || is_list_with(json, {"id", "ceph_version"}))
    return add_metadata(json, facts), "osd metadata";
  if (is_list_with(json, {"pool_name"})) return add_pools(json, facts), "osd pool ls detail";
  return "";
}

std::string add_object(const Json& json, const std::string& file, Facts* facts) {
  if (has(json, "osdmap") && has(json, "crushmap")) return add_report(json, file, facts), "report";
  if (has(json, "pgmap") && has(json, "health")) return add_status(json, facts), "status";
  if (has(json, "id") && has(json, "hostname"))
    return add_metadata(Json::array({json}), facts), "osd metadata";
  if (has(json, "nodes")) return add_nodes(json.at("nodes"), facts), "osd tree or osd df";
  if (has(json, "pools") && has(json, "osds")) return add_osd_map(json, facts), "osd dump";
  if (has(json, "bluestore") && has(json, "osd")) return add_perf_dump(json, file, facts), "perf dump";
  if (has(json, "fio version")) return add_fio_result(json, file, facts), "fio result";
  if (has(json, "osd_op_num_shards") || has(json, "osd_memory_target"))
    return add_config_show(json, file, facts), "config show";
  if (has(json, "threads") && has(json, "memory_bytes")) {
    HostFacts host = host_facts_from_json(json, file);
    const std::string name = host.name.value_or(file);
    facts->hosts[name] = std::move(host);
    return "host facts";
  }
  return "";
}

bool looks_like_json(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  if (text[first] == '{') return true;
  // A ceph.conf may start with "[global]", a JSON list with "[{", "[]" or a value.
  const auto second = text.find_first_not_of(" \t\r\n", first + 1);
  return text[first] == '[' && second != std::string_view::npos &&
         (text[second] == '{' || text[second] == ']');
}

/// The release all OSDs agree on, where nothing said it for the cluster.
void settle_release(Facts* facts) {
  if (facts->release) return;
  std::optional<std::string> common;
  for (const auto& [id, osd] : facts->osds) {
    if (!osd.release) continue;
    if (common && *common != *osd.release) return;
    common = osd.release;
  }
  facts->release = common;
}

}  // namespace

std::string add_json(const Json& json, const std::string& file, Facts* facts) {
  const std::string kind = json.is_array()    ? add_list(json, file, facts)
                           : json.is_object() ? add_object(json, file, facts)
                                              : "";
  if (kind.empty())
    facts->notes.push_back(
        file +
        ": not used, it is none of config dump, config show, osd metadata, osd df, osd tree, osd "
        "dump, perf dump, status, report, pool list, fio result or host facts");
  settle_release(facts);
  return kind;
}

namespace {

/// Where JSON begins behind lines that a program wrote before it, as fio does; npos: there is none.
std::size_t json_behind_words(const std::string& text) {
  const auto at = text.find("\n{");
  return at != std::string::npos && text.find_last_not_of(" \t\r\n") == text.rfind('}') ? at + 1
                                                                                        : std::string::npos;
}

/// Throws where most of a file is nothing that Ceph would read: its other problems would be nonsense.
CephConf conf_of(const std::string& text, const std::string& file) {
  CephConf conf = read_ceph_conf(text, file);
  const auto refused = std::count_if(conf.problems.begin(), conf.problems.end(), [](const ConfProblem& each) {
    return each.kind == ConfProblemKind::kRefused;
  });
  constexpr long kFew = 2;
  if (refused > kFew && refused > static_cast<long>(conf.settings.size()))
    throw Error(ErrorKind::kInput,
                fmt::format("{}: {} lines are no settings: this is no ceph.conf", file, refused),
                "advise reads ceph.conf files, fio jobs, and JSON saved from Ceph (-f json) or fio");
  return conf;
}

}  // namespace

void add_file(const std::filesystem::path& path, Facts* facts) {
  const std::string text = load_text(path);
  const std::string file = path.string();
  if (looks_like_json(text))
    add_json(parse_json(text, file), file, facts);
  else if (looks_like_fio_job(text))
    add_fio_job(text, file, facts);
  else if (const auto at = json_behind_words(text); at != std::string::npos)
    add_json(parse_json(text.substr(at), file), file, facts);
  else
    add_conf(conf_of(text, file), facts);
}

}  // namespace osdtune
