// SPDX-License-Identifier: Apache-2.0
// From the JSON that monitors, manager and OSDs answer with to plain structs.
#pragma once

#include <string>
#include <vector>

#include "search/cluster/cluster.hpp"

namespace osdtune {

/// All throw Error{kCluster} naming the command if the answer lacks what it should have.

/// `versions`: the one release all OSDs run. Error{kCluster} if they differ or none is up.
std::string parse_release(const Json& versions);
Health parse_health(const Json& health);
/// From `osd dump`, `osd tree` (device class) and `osd metadata` (host name).
std::int64_t parse_osd_map_epoch(const Json& stat);
std::vector<std::string> parse_mon_names(const Json& dump);
std::vector<Osd> parse_osds(const Json& dump, const Json& tree, const Json& metadata);
/// `pg stat`.
PgStates parse_pg_states(const Json& stat);
/// `osd dump`.
std::vector<Pool> parse_pools(const Json& dump);
std::set<std::string> parse_flags(const Json& dump);
/// `config help`.
OptionHelp parse_option_help(const Json& help);
/// `config dump`.
std::vector<StoredOption> parse_stored_options(const Json& dump);
/// `config show` as a daemon answers it, for the names asked for.
std::map<std::string, std::string> parse_running_values(const Json& show, const std::set<std::string>& names);

/// `perf dump`: the averages among the counters of the OSD and of its store.
std::map<std::string, LatencySum> parse_latencies(const Json& dump);

/// "osd", "osd/class:ssd": the `who` of `config set`.
std::string section_text(const StoredOption& option);

}  // namespace osdtune
