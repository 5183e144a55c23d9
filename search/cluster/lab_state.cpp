// SPDX-License-Identifier: Apache-2.0
// lab.json, written in whole on every change.
#include "search/cluster/lab_state.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace osdtune {
namespace fs = std::filesystem;
namespace {

Json process_json(const ProcessId& id) {
  return {{"pid", id.pid}, {"start_ticks", id.start_ticks}};
}

ProcessId process_from_json(const Json& json, const std::string& where) {
  Fields fields(json, where);
  const ProcessId id{.pid = static_cast<pid_t>(fields.integer("pid")),
                     .start_ticks = static_cast<std::uint64_t>(fields.integer("start_ticks"))};
  fields.finish();
  return id;
}

LabOsd osd_from_json(const Json& json, const std::string& where) {
  Fields fields(json, where);
  LabOsd osd{.id = static_cast<int>(fields.integer("id")),
             .device = static_cast<int>(fields.integer("device")),
             .uuid = fields.text("uuid")};
  fields.finish();
  return osd;
}

}  // namespace

Json to_json(const LabState& state) {
  Json osds = Json::array(), daemons = Json::object();
  for (const LabOsd& osd : state.osds)
    osds.push_back({{"id", osd.id}, {"device", osd.device}, {"uuid", osd.uuid}});
  for (const auto& [name, id] : state.daemons) daemons[name] = process_json(id);
  return {{"fsid", state.fsid},
          {"mon_port", state.mon_port},
          {"devices", state.devices},
          {"osds_per_device", state.osds_per_device},
          {"device_bytes", state.device_bytes},
          {"replicas", state.replicas},
          {"cpus", state.cpus},
          {"osds", osds},
          {"daemons", daemons},
          {"maker", process_json(state.maker)}};
}

LabState lab_state_from_json(const Json& json, const std::string& where) {
  Fields fields(json, where);
  LabState state{.fsid = fields.text("fsid"),
                 .mon_port = static_cast<int>(fields.integer("mon_port")),
                 .devices = static_cast<int>(fields.integer("devices")),
                 .osds_per_device = static_cast<int>(fields.integer("osds_per_device")),
                 .device_bytes = fields.integer("device_bytes"),
                 .replicas = static_cast<int>(fields.integer("replicas")),
                 .cpus = fields.text("cpus"),
                 .osds = {},
                 .daemons = {},
                 .maker = process_from_json(fields.require("maker"), where + ": maker")};
  for (const Json& osd : fields.require("osds")) state.osds.push_back(osd_from_json(osd, where + ": osds"));
  for (const auto& [name, id] : fields.require("daemons").items())
    state.daemons[name] = process_from_json(id, fmt::format("{}: daemons.{}", where, name));
  fields.finish();
  return state;
}

fs::path lab_state_path(const fs::path& lab) {
  return lab / "lab.json";
}

fs::path lab_conf_path(const fs::path& lab) {
  return lab / "ceph.conf";
}

LabState load_lab_state(const fs::path& lab) {
  const fs::path path = lab_state_path(lab);
  if (!fs::exists(path))
    throw Error(ErrorKind::kInput, fmt::format("there is no lab in {}", lab.string()),
                "'osdtune lab up' makes one; 'osdtune lab status' lists those there are");
  return lab_state_from_json(load_json(path), path.string());
}

void save_lab_state(const fs::path& lab, const LabState& state) {
  save_text(lab_state_path(lab), to_json(state).dump(2) + "\n");
}

}  // namespace osdtune
