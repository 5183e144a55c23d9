// SPDX-License-Identifier: Apache-2.0
// What every command is given, and the pattern that every command file follows.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "cli/console.hpp"
#include "core/json_file.hpp"

namespace CLI {
class App;
}

namespace osdtune {

/// Handed to each command by main.
struct Context {
  bool json = false;     ///< --json: one JSON document on stdout and nothing else there
  bool verbose = false;  ///< --verbose
  Console console;       ///< progress and messages, on stderr
  std::stop_token stop;  ///< SIGINT or SIGTERM was received
  int exit_code = 0;     ///< what main returns if the command does not throw
};

/// Prints `document` on stdout, indented.
void print_json(const Json& document);

/// Exit codes for the end of a command's help: those that it can return.
std::string exit_codes_help(const std::vector<int>& codes);

// One function per command: it adds the subcommand with its options and a callback that runs it.
void add_lab_command(CLI::App& app, Context& context);
void add_plan_command(CLI::App& app, Context& context);
void add_sweep_command(CLI::App& app, Context& context);
void add_recommend_command(CLI::App& app, Context& context);
void add_verify_command(CLI::App& app, Context& context);
void add_ask_command(CLI::App& app, Context& context);
void add_tell_command(CLI::App& app, Context& context);
void add_model_command(CLI::App& app, Context& context);
void add_export_command(CLI::App& app, Context& context);
void add_rollback_command(CLI::App& app, Context& context);
void add_advise_command(CLI::App& app, Context& context);
void add_explain_command(CLI::App& app, Context& context);
void add_size_command(CLI::App& app, Context& context);

}  // namespace osdtune
