// SPDX-License-Identifier: Apache-2.0
// The options --on and --name, which several commands share.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace osdtune {

struct TargetOption {
  std::string on = "lab";
  std::string client = "client.admin";
};

inline void add_target_option(CLI::App& command, TargetOption& target) {
  command.add_option("--on", target.on, "lab[:DIR], ceph:CONF or sim:FILE.json")->capture_default_str();
  command.add_option("--name", target.client, "Ceph client to connect as")->capture_default_str();
}

}  // namespace osdtune
