// SPDX-License-Identifier: Apache-2.0
// osdtune verify: the recommended configuration against the one as found, side by side.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <memory>

#include "advisor/recommend.hpp"
#include "advisor/verify_text.hpp"
#include "cli/context.hpp"
#include "cli/target_option.hpp"
#include "core/error.hpp"

namespace osdtune {
namespace {

struct Options {
  std::string study;
  TargetOption target;
  int pairs = 5;
};

/// What would be recommended, or comes nearest to it.
Config config_to_verify(const Study& study) {
  const Config candidate = recommend(study, {}).conclusion.candidate.config;
  if (changed_settings(candidate, study.header->space).empty())
    throw Error(ErrorKind::kInput, "nothing to verify: no configuration looks better than the one as found");
  return candidate;
}

void run(const Options& options, Context& context) {
  const Study before = load_study(options.study);
  StudyFile study(options.study);
  const auto begun = verification_of(before);
  const bool unfinished = begun && begun->pairs + begun->failed < options.pairs;
  const Config config = unfinished ? begun->config : config_to_verify(before);
  Target target = open_target(options.target.on, options.target.client);
  sweep(before.header->plan, target, study, verify_schedule(before, config, options.pairs), context.console,
        context.stop);
  const Verification verdict = verification_of(study.study()).value();
  if (context.json) return print_json(to_json(verdict));
  fmt::print("{}", to_text(verdict, before.header->space));
}

}  // namespace

void add_verify_command(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "verify", "Measure the recommended configuration against the one as found, in turns, with a verdict.");
  command->add_option("STUDY", options->study, "study file (JSON Lines); the runs are added to it")
      ->required();
  add_target_option(*command, options->target);
  command->add_option("--pairs", options->pairs, "how often both are measured")
      ->check(CLI::Range(2, 100))
      ->capture_default_str();
  command->footer(
      "Measures as the plan in the study says. The cluster is put back at the end, on errors and on Ctrl-C;\n"
      "the same command continues.\n\n"
      "Examples:\n  osdtune verify night.jsonl --on lab\n  osdtune verify night.jsonl --on "
      "ceph:/etc/ceph/ceph.conf --pairs 8\n\n" +
      exit_codes_help({0, 2, 3, 4, 5, 130}));
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace osdtune
