// SPDX-License-Identifier: Apache-2.0
// The recommended configuration against the one as found, measured side by side: the last word before anyone
// relies on it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/stats.hpp"
#include "search/sweep.hpp"

namespace osdtune {

/// Trials of the given configuration and of the one as found in turns, `pairs` times, the order within a pair
/// changing (AB BA AB ...), so that drift touches both alike. An unfinished verification of the same
/// configuration at the end of the study is continued.
Schedule verify_schedule(const Study& study, const Config& config, int pairs);

/// What the verification at the end of a study says.
struct Verification {
  Config config;
  int pairs = 0;                        ///< both members of which have values
  int failed = 0;                       ///< trials of the configuration that were infeasible
  std::vector<std::string> objectives;  ///< "rw4k.iops", "rw4k.p99_ms"
  std::vector<std::optional<Interval>>
      gain;  ///< per objective: +0.12 = 12 % better; none: fewer than 2 pairs
  /// The gain of at least one objective excludes zero, none is credibly worse, no trial failed.
  bool confirmed = false;
};

/// nullopt: the study does not end with a verification.
std::optional<Verification> verification_of(const Study& study);

}  // namespace osdtune
