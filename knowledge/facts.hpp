// SPDX-License-Identifier: Apache-2.0
// One plain description of a cluster, its daemons and its hosts, whatever it was collected from. Absent means
// unknown.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/json_file.hpp"
#include "knowledge/ceph_conf.hpp"
#include "knowledge/host_facts.hpp"
#include "knowledge/release.hpp"

namespace osdtune {

/// Where a value was found: a file and a line, or a dump without lines.
struct Place {
  std::string file;
  int line = 0;
  bool operator==(const Place&) const = default;
};

std::string to_text(const Place& place);  ///< "ceph.conf:12" or "dump.json"

/// One value somebody has set.
struct FoundSetting {
  std::string section;  ///< global, osd, osd.3, client, mon, ...
  std::string mask;     ///< "class:ssd", "host:a" or ""
  std::string name;
  std::string value;
  bool stored = false;  ///< in the monitors; otherwise in a file, which wins over the monitors
  Place place;
  bool operator==(const FoundSetting&) const = default;
};

/// One OSD.
struct OsdFacts {
  int id = 0;
  std::optional<std::string> host;
  std::optional<std::string> device_class;
  std::optional<bool> rotational;     ///< of the main device, as the OSD itself sees it
  std::optional<bool> db_rotational;  ///< of the database's device
  std::optional<bool> dedicated_db;   ///< the database has a device of its own
  std::optional<bool> up;
  std::optional<std::string> release;
  std::optional<std::string> objectstore;
  std::optional<std::string> drives;  ///< kernel names, comma-separated: "nvme0n1"
  std::optional<double> pgs;
  std::optional<double> bytes;
  std::optional<double> used_ratio;
  std::map<std::string, std::string> running;  ///< values the daemon runs with
  std::map<std::string, double> counters;      ///< of `perf dump`: "bluestore.kv_sync_lat" (mean of averages)
  bool operator==(const OsdFacts&) const = default;
};

struct PoolFacts {
  std::string name;
  std::optional<double> size, min_size, pg_num;
  std::optional<std::string> autoscale;  ///< on, warn, off
  std::optional<bool> erasure;
  bool operator==(const PoolFacts&) const = default;
};

/// A benchmark somebody ran or plans: a fio job, or what a load generator printed.
struct LoadFacts {
  std::string name;
  std::map<std::string, std::string>
      options;  ///< fio's words: rw, bs, iodepth, runtime, ioengine, direct, ...
  Place place;
  bool operator==(const LoadFacts&) const = default;
};

/// Everything known.
struct Facts {
  std::optional<std::string> release;           ///< of the cluster; of the OSDs where they agree
  std::optional<std::string> health;            ///< HEALTH_OK, ...
  std::optional<double> misplaced_or_degraded;  ///< PGs that are not active+clean
  std::optional<double> pgs_total;
  std::optional<std::vector<std::string>> flags;  ///< of the OSD map
  std::vector<FoundSetting> settings;
  std::map<int, OsdFacts> osds;
  std::map<std::string, HostFacts> hosts;
  std::vector<PoolFacts> pools;
  std::vector<LoadFacts> loads;
  std::vector<CephConf> files;     ///< with their problems
  std::vector<std::string> notes;  ///< what of the input was not used, and why
};

/// Adds the settings of a ceph.conf. A file without sections and with hundreds of names is a dump of running
/// values: those go to a daemon of their own, not to what somebody has set.
void add_conf(CephConf conf, Facts* facts);

/// Adds a JSON document: `config dump`, `config show`, `osd metadata`, `osd df`, `osd tree`, `osd dump`,
/// `perf dump`, `status`, `report`, `osd pool ls detail`, host facts of ours. Returns the kind it was taken
/// for, or "" (and a note) if it is none of them. Never throws for missing or unexpected fields.
std::string add_json(const Json& json, const std::string& file, Facts* facts);

/// Adds a file of any of these kinds, or a fio job. Throws Error{kInput} only if it cannot be read at all.
void add_file(const std::filesystem::path& path, Facts* facts);

/// The value an OSD runs with, and where it comes from.
struct EffectiveValue {
  std::string value;
  std::string section;                    ///< "running", or the section it was found in
  const FoundSetting* setting = nullptr;  ///< none if only the running value is known
};

/// Finds the value in force among many settings. Keeps pointers into `facts`, which must outlive it
/// unchanged.
class SettingIndex {
 public:
  explicit SettingIndex(const Facts& facts);
  /// For `osd` (-1: any OSD without a section of its own): running value, else file before monitors, narrower
  /// section before wider, mask before none, last before first.
  std::optional<EffectiveValue> effective(int osd, const std::string& name) const;
  /// What is set, leaving aside what runs.
  const FoundSetting* set_for(int osd, const std::string& name) const;
  /// As set for clients: sections [client] and [global].
  const FoundSetting* set_for_client(const std::string& name) const;

 private:
  const FoundSetting* best_of(const std::vector<std::string>& sections, int osd,
                              const std::string& name) const;
  const Facts& facts_;
  std::unordered_map<std::string, std::unordered_map<std::string, std::vector<const FoundSetting*>>> by_name_;
};

/// True if the setting counts for this OSD, by section and mask.
bool applies_to(const FoundSetting& setting, const Facts& facts, int osd);

/// The ids of OSDs that are known, or named in a section; {-1} if there are none.
std::vector<int> osd_ids(const Facts& facts);

}  // namespace osdtune
