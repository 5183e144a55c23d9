// SPDX-License-Identifier: Apache-2.0
// What is known of options before a sweep: from a live cluster corrected by the catalogue, or from the
// catalogue alone.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "knowledge/catalogue.hpp"
#include "search/cluster/cluster.hpp"

namespace osdtune {

/// The host that all OSDs of a lab share.
struct OsdHost {
  int osds = 0;
  std::optional<double> cpus;  ///< hardware threads
  std::optional<double> memory_bytes;
};

/// Where the facts about options come from: a live cluster corrected by the catalogue, or the catalogue
/// alone.
struct OptionSource {
  std::string release;
  std::function<std::optional<Option>(const std::string&)>
      option;                                            ///< nullopt: no such option in this release
  std::function<std::string(const std::string&)> found;  ///< the value OSDs run with (0 = by device resolved)
  std::vector<std::string> names;                        ///< for "did you mean"
  std::vector<std::string> debug_names;                  ///< debug_* of every subsystem an OSD uses
  std::optional<int> osds_per_device;                    ///< none: the target cannot redeploy
  bool can_restart = false;
  std::optional<OsdHost> host;  ///< none: on hosts that are not known from here
};

OptionSource live_source(const Catalogue& catalogue, Cluster& cluster, OsdControl* control);

/// For planning without a cluster: release defaults of an SSD, a target that can restart and redeploy.
OptionSource catalogue_source(const Catalogue& catalogue, const std::string& release);

/// What this cluster says of an option against the catalogue: "NAME: default 8 here, 5 in the catalogue", or
/// that it does not know the option. nullopt: they agree, or the catalogue does not describe it.
std::optional<std::string> catalogue_difference(const Catalogue& catalogue, Cluster& cluster,
                                                const std::string& release, const std::string& name);

/// A decimal number, or nullopt.
std::optional<double> to_number(const std::string& text);

}  // namespace osdtune
