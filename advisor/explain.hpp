// SPDX-License-Identifier: Apache-2.0
// What an option does, what it moves and by which path, what overrides it, and what it is on this host.
#pragma once

#include <optional>
#include <string>

#include "core/json_file.hpp"
#include "knowledge/catalogue.hpp"
#include "knowledge/graph.hpp"
#include "knowledge/host_facts.hpp"

namespace osdtune {

/// Everything known of one option.
struct Explanation {
  Option option;
  std::string release;  ///< it is described for
  std::vector<std::pair<std::string, std::string>>
      defaults;  ///< first release with it, and the default from there on
  std::optional<std::string> default_hdd, default_ssd;  ///< where they differ from the plain default
  std::vector<std::vector<GraphEdge>> ways;             ///< to the metrics it moves
  std::vector<std::string> interacts;                   ///< options to be searched together with it
  std::string safe_range;                               ///< for this host, in words; "" if nothing is known
};

/// `release` "" stands for the newest the catalogue has. Throws Error{kInput} with the nearest name for an
/// unknown option.
Explanation explain_option(const std::string& name, const std::string& release, const HostFacts& host);

std::string explanation_text(const Explanation& explanation);
Json to_json(const Explanation& explanation);

/// Graphviz text of what surrounds the option.
std::string explanation_dot(const std::string& name);

}  // namespace osdtune
