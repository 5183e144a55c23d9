// SPDX-License-Identifier: Apache-2.0
// Declaring --on and --name.
#include "cli/target_option.hpp"

#include <CLI/CLI.hpp>

namespace osdtune {

void add_target_option(CLI::App& command, TargetOption& target) {
  command.add_option("--on", target.on, "lab[:DIR], ceph:CONF or sim:FILE.json")->capture_default_str();
  command.add_option("--name", target.client, "Ceph client to connect as")->capture_default_str();
}

}  // namespace osdtune
