// SPDX-License-Identifier: Apache-2.0
// What a lab remembers of itself in lab.json: enough to use it, and to clear it after a crash.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/json_file.hpp"
#include "core/process.hpp"

namespace osdtune {

/// One OSD of a lab.
struct LabOsd {
  int id = 0;
  int device = 0;    ///< its share lies in the folder dev<device>
  std::string uuid;  ///< of its store
  bool operator==(const LabOsd&) const = default;
};

struct LabState {
  std::string fsid;
  int mon_port = 0;
  int devices = 0;
  int osds_per_device = 0;
  std::int64_t device_bytes = 0;
  int replicas = 0;
  std::string cpus;  ///< CPUs of the OSDs, as taskset reads them; "" for all
  std::vector<LabOsd> osds;
  std::map<std::string, ProcessId> daemons;  ///< by name: "mon.a", "mgr.x", "osd.0"
  ProcessId maker;                           ///< the process that is bringing the lab up; pid 0 once it is
  bool operator==(const LabState&) const = default;
};

Json to_json(const LabState& state);
/// Throws Error{kInput} for unknown, missing or wrong fields; `where` names the file.
LabState lab_state_from_json(const Json& json, const std::string& where);

std::filesystem::path lab_state_path(const std::filesystem::path& lab);
std::filesystem::path lab_conf_path(const std::filesystem::path& lab);
/// Throws Error{kInput} with a hint if there is no lab in that folder or lab.json is broken.
LabState load_lab_state(const std::filesystem::path& lab);
void save_lab_state(const std::filesystem::path& lab, const LabState& state);

}  // namespace osdtune
