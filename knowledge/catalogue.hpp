// SPDX-License-Identifier: Apache-2.0
// The option catalogue: every known option with its history over the releases, and what we know of its
// effect.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/json_file.hpp"
#include "knowledge/option.hpp"
#include "knowledge/release.hpp"

namespace osdtune {

/// The data files of knowledge/data/options, indexed by option name. Options are put together when asked for.
struct Catalogue {
  std::map<std::string, Json> facts;         ///< type, default, range, and how they changed
  std::map<std::string, Json> descriptions;  ///< effect, cost, truth about taking effect, safety, relations
  std::map<std::string, Json> subsystems;    ///< of the log: name without "debug_", default levels
  std::vector<std::string> elsewhere;        ///< real options that no OSD or rbd client reads, sorted
};

/// Reads the data compiled into the program.
Catalogue load_catalogue();

/// The option as that release has it, `debug_*` levels included; nullopt if the release does not have it.
std::optional<Option> find_option(const Catalogue& catalogue, const std::string& name,
                                  const Release& release);
std::optional<Option> find_option(const Catalogue& catalogue, const std::string& name,
                                  const std::string& release);

/// The newest known form of an option that at least one release has.
std::optional<Option> find_option_anywhere(const Catalogue& catalogue, const std::string& name);

/// True if any part of any known release reads an option of that name.
bool is_known(const Catalogue& catalogue, const std::string& name);

/// Every name in the catalogue that the release has.
std::vector<std::string> option_names(const Catalogue& catalogue, const Release& release);

/// Options with a description of effect and cost, by name.
std::vector<std::string> described_options(const Catalogue& catalogue);

/// The default an OSD on such a device ends up with: where the option is 0 and a `_hdd`/`_ssd` pair exists,
/// that of the pair. `device_class` is "hdd", "ssd" or "nvme"; nullopt if the release does not have the
/// option.
std::optional<std::string> default_for(const Catalogue& catalogue, const std::string& name,
                                       const Release& release, const std::string& device_class);

/// "debug_osd", "debug_bluestore", ...: every log subsystem an OSD of this release uses.
std::vector<std::string> debug_subsystems(const Catalogue& catalogue, const Release& release);
std::vector<std::string> debug_subsystems(const Catalogue& catalogue, const std::string& release);

}  // namespace osdtune
