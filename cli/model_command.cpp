// SPDX-License-Identifier: Apache-2.0
// osdtune model: can the response model of a study be believed?
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "advisor/model_report.hpp"
#include "advisor/scale.hpp"
#include "cli/context.hpp"

namespace osdtune {

namespace {

struct Options {
  std::string study;
  std::string host;
};

void run(const Options& options, Context& context) {
  const Study study = load_study(options.study);
  if (study.header && study.header->simulated)
    context.console.warn(options.study + " is simulated: no number in it was measured");
  if (!options.host.empty()) {
    const HostFile host = load_host(options.host);
    const std::vector<WhatIf> answers = what_if(study, host);
    if (context.json) return print_json(to_json(answers));
    return fmt::print("{}", to_text(answers, host));
  }
  const auto checks = check_study(study);
  if (context.json) return print_json(to_json(checks));
  fmt::print("{}{}", to_text(checks, context.verbose), host_model_text(study, context.verbose));
}

}  // namespace

void add_model_command(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "model", "Check the models of a study: leave-one-out errors, coverage, noise, drift; the host model.");
  command->add_option("STUDY", options->study, "study file (JSON Lines)")->required();
  command->add_option("--host", options->host, "what its workloads would do on the hosts of this file");
  command->footer(
      "Examples:\n  osdtune model quick.jsonl\n  osdtune model quick.jsonl --verbose\n"
      "  osdtune model quick.jsonl --host examples/hosts/dense-64-core.json\n\n" +
      exit_codes_help({0, 2, 3}));
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace osdtune
