// SPDX-License-Identifier: Apache-2.0
// The options --on and --name, which several commands share.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace osdtune {

struct TargetOption {
  std::string on = "lab";
  std::string client = "client.admin";
};

void add_target_option(CLI::App& command, TargetOption& target);

}  // namespace osdtune
