// SPDX-License-Identifier: Apache-2.0
// osdtune model: can the response model of a study be believed?
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "advisor/model_report.hpp"
#include "advisor/scale.hpp"
#include "cli/context.hpp"

namespace osdtune {

void add_model_command(CLI::App& app, Context& context) {
  auto path = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(
      "model", "Check the response model of a study: leave-one-out errors, coverage, noise, drift.");
  command->add_option("STUDY", *path, "study file (JSON Lines)")->required();
  command->footer("Examples:\n  osdtune model quick.jsonl\n  osdtune model quick.jsonl --verbose\n\n" +
                  exit_codes_help({0, 2, 3}));
  command->callback([path, &context] {
    const Study study = load_study(*path);
    const auto checks = check_study(study);
    if (context.json) return print_json(to_json(checks));
    fmt::print("{}{}", to_text(checks, context.verbose), host_model_text(study, context.verbose));
  });
}

}  // namespace osdtune
