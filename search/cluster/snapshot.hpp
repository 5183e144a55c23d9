// SPDX-License-Identifier: Apache-2.0
// Everything a sweep may change on a cluster, as it was found, and how it differs from what is there now.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "search/cluster/cluster.hpp"

namespace osdtune {

struct Snapshot {
  std::set<std::string> names;       ///< options the sweep may touch
  std::vector<StoredOption> stored;  ///< all entries for those names, at every section and mask, sorted
  std::map<int, std::map<std::string, std::string>> running;  ///< per OSD: value by name
  std::set<std::string> flags;  ///< of those in kQuietFlags, the ones that were set
  bool balancer = false;
  bool balancer_stored = false;  ///< "balancer on/off" leaves an entry in the store; was there one?
  std::map<std::string, std::string> autoscale;  ///< mode by pool
  std::optional<int> osds_per_device;            ///< where the target can redeploy
};

/// Flags set for the duration of a sweep.
extern const std::set<std::string> kQuietFlags;

Snapshot take_snapshot(Cluster& cluster, OsdControl* control, const std::set<std::string>& names);

/// The store's entry that switches the balancer, or nullopt.
std::optional<StoredOption> balancer_entry(Cluster& cluster);

/// One sentence per difference that would mean "not as it was"; empty if all is as before.
std::vector<std::string> differences(const Snapshot& before, const Snapshot& now);

/// "8" and "8.000000", "20" and "20/20", "true" and "1" are the same to Ceph.
bool same_value(const std::string& a, const std::string& b);

/// "osd/class:ssd osd_memory_target = 4294967296"
std::string to_text(const StoredOption& option);

Json to_json(const std::vector<StoredOption>& options);
std::vector<StoredOption> stored_from_json(const Json& json, const std::string& where);
Json to_json(const Snapshot& snapshot);
Snapshot snapshot_from_json(const Json& json, const std::string& where);

}  // namespace osdtune
