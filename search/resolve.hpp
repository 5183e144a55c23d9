// SPDX-License-Identifier: Apache-2.0
// From a plan's words to a space of settings with types, ranges and prices, and from a configuration to what
// a cluster is told.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "search/cluster/session.hpp"
#include "search/option_source.hpp"
#include "search/plan.hpp"
#include "search/space.hpp"

namespace osdtune {

struct Resolved {
  Space space;
  std::vector<std::string> notes;  ///< what the user should know about it
};

/// Throws Error{kInput}: unknown option (with the nearest name), wrong type, out of range, dangerous, or a
/// change that the target cannot make.
Resolved resolve_space(const Plan& plan, const OptionSource& source);

/// What a configuration means on a cluster. A value as found stays untouched.
Settings settings_for(const Config& config, const Space& space, const std::vector<std::string>& debug_names);

/// Every option that some configuration of the space touches, and those of them that need an OSD restart.
std::set<std::string> touched_options(const Space& space, const std::vector<std::string>& debug_names);
std::set<std::string> restart_options(const Space& space);

/// "osd" or "client": the section of the configuration that reads the option.
std::string section_of(const std::string& option);

inline constexpr const char* kDebugLevels = "debug_levels";
inline constexpr const char* kOsdsPerDevice = "osds_per_device";

}  // namespace osdtune
