// SPDX-License-Identifier: Apache-2.0
// One Ceph option as it is in one release: type, range, default, when a change takes effect in truth, and
// what it costs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/value.hpp"

namespace osdtune {

/// When a changed value reaches the code that uses it, by rising price. Not what the flags claim: what the
/// code does.
enum class TakesEffect { kLive, kNewConnections, kImageReopen, kRestart, kRecreate };

/// What a wrong value puts at risk. Everything but kNone and kMemory is never searched.
enum class Safety { kNone, kMemory, kDiagnosis, kSecurity, kData };

std::string to_text(
    TakesEffect takes_effect);       ///< "live", "new connections", "image reopen", "restart", "recreate"
std::string to_text(Safety safety);  ///< "none", "memory", "diagnosis", "security", "data"

/// Where a search for better values may look.
struct SearchRange {
  double low = 0;
  double high = 0;
  bool log = false;
  std::vector<Value> values;  ///< the only values worth trying; low and high are then unused
};

/// How another option matters to this one.
struct OptionRelation {
  std::string kind;    ///< "requires", "overridden by", "conflicts", "shadowed by", "interacts"
  std::string option;  ///< the other one
  std::string why;
};

/// One option of one release.
struct Option {
  std::string name;
  std::string type;           ///< str, int, uint, float, bool, size, secs, millisecs, addr, uuid, debug
  std::string level;          ///< basic, advanced, dev
  std::string default_value;  ///< as a daemon prints it: sizes in bytes, booleans true/false
  std::optional<double> min, max;
  std::vector<std::string> enum_values;
  std::vector<std::string> flags;
  std::vector<std::string> see_also;
  bool runtime_claimed = false;             ///< what `can_update_at_runtime` of this release answers
  std::optional<TakesEffect> takes_effect;  ///< none: nobody has looked; see `takes_effect_or_restart`
  Safety safety = Safety::kNone;
  std::string unit;    ///< "bytes", "IOPS", "s", ...; "" if it has none
  std::string effect;  ///< what raising or changing it does; "" if not described
  std::string cost;    ///< what that costs or risks
  std::optional<SearchRange> search;
  std::vector<OptionRelation> relations;
  std::vector<std::string> sources;
  std::string since, removed;  ///< first release with it (of those known), first without it; "" if none
};

/// The truth where known, else restart: the only assumption that is always safe.
TakesEffect takes_effect_or_restart(const Option& option);

/// True if a search may change it: no risk to data, security or diagnosis.
bool is_searchable(const Option& option);

}  // namespace osdtune
