// SPDX-License-Identifier: Apache-2.0
// What makes a run count: judged from its numbers and from what the cluster and the client looked like around
// it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "search/workload/workload.hpp"

namespace osdtune {

/// A run shorter than this shows caches rather than the cluster, and is marked (seeds: a run lasts ten
/// minutes).
inline constexpr double kQuickBelowS = 60;

/// Facts around a run; whoever made it fills them in. PG states seen through the manager are up to five
/// seconds old.
struct RunContext {
  WorkloadSpec spec;
  RunLength length;                                       ///< as asked for
  std::map<std::string, int> pgs_before, pgs_after;       ///< PGs per state, "active+clean": 32
  std::set<int> up_before, up_after;                      ///< ids of the OSDs that were up
  std::optional<std::int64_t> epoch_before, epoch_after;  ///< of the OSD map
  std::optional<double> client_cores;                     ///< CPUs that the load generator may use
};

/// Whether a run counts, and everything there is to say about it in words.
struct RunVerdict {
  std::vector<std::string> reasons;   ///< why it does not count; empty: it counts
  std::vector<std::string> warnings;  ///< what to keep in mind although it counts
  bool client_bound = false;          ///< the load generator was the limit; also among the reasons
  bool quick = false;                 ///< too short to speak of the steady state
  bool counts() const { return reasons.empty(); }
  bool operator==(const RunVerdict&) const = default;
};

/// Judges one run. Rules, each with its reason in the .cpp: there was I/O for the time asked for; operations
/// in flight agree with jobs x depth; the client had CPU to spare; every PG was active+clean and the same
/// OSDs were up before and after.
RunVerdict judge(const Run& run, const RunContext& context);

}  // namespace osdtune
