// SPDX-License-Identifier: Apache-2.0
// osdtune explain: what an option does, what it moves and what overrides it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <memory>

#include "advisor/explain.hpp"
#include "advisor/stages.hpp"
#include "cli/context.hpp"
#include "core/error.hpp"
#include "core/process.hpp"

namespace osdtune {
namespace {

struct Options {
  std::string option;
  std::string release;
  std::string graph;
  std::string study;
  std::optional<int> trial;
};

/// DOT text as is, or drawn by Graphviz where the file is to be SVG.
void write_graph(const std::string& name, const std::string& path) {
  const std::string dot = explanation_dot(name);
  if (!path.ends_with(".svg")) return save_text(path, dot);
  save_text(path + ".dot", dot);
  const ProcessResult drawn = osdtune::run({.argv = {"dot", "-Tsvg", "-o", path, path + ".dot"}});
  std::filesystem::remove(path + ".dot");
  if (!drawn.ok())
    throw Error(ErrorKind::kInput, "Graphviz could not draw the graph: " + drawn.err,
                "write it as FILE.dot instead");
}

void run_stages(const Options& options, Context& context) {
  const Study study = load_study(options.study);
  const Stages told = stages(study, options.trial);
  if (study.header->simulated)
    context.console.warn(options.study + " is simulated: no number in it was measured");
  if (context.json) return print_json(to_json(told));
  fmt::print("{}", to_text(told));
}

void run(const Options& options, Context& context) {
  if (!options.study.empty()) return run_stages(options, context);
  if (options.option.empty() && options.graph.empty())
    throw Error(ErrorKind::kUsage, "nothing to explain",
                "name an option, as osd_op_num_shards, or draw everything: --graph FILE.svg");
  if (!options.graph.empty()) {
    write_graph(options.option, options.graph);
    context.console.note(fmt::format("graph written to {}", options.graph));
    if (options.option.empty()) return;
  }
  const Explanation explanation = explain_option(options.option, options.release, collect_host_facts());
  if (context.json)
    print_json(to_json(explanation));
  else
    fmt::print("{}", explanation_text(explanation));
}

}  // namespace

void add_explain_command(CLI::App& app, Context& context) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("explain", "say what an option does, what it moves and what overrides it");
  CLI::Option* option = command->add_option("option", options->option, "name of a Ceph option");
  CLI::Option* study =
      command->add_option("--study", options->study, "explain where the time of a trial of this study went")
          ->excludes(option);
  command
      ->add_option("--trial", options->trial,
                   "with --study: this trial instead of the configuration as found")
      ->needs(study);
  command->add_option("--release", options->release, "release to describe it for, as 18.2.7 or reef");
  command->add_option(
      "--graph", options->graph,
      "write what surrounds it, or without an option all that is known, as FILE.dot or FILE.svg");
  command->footer(
      "Examples:\n"
      "  osdtune explain osd_op_num_shards\n"
      "  osdtune explain osd_max_backfills --release 18.2.7 --graph backfills.svg\n"
      "  osdtune explain --graph everything.svg\n"
      "  osdtune explain --study night.jsonl --trial 7\n" +
      exit_codes_help({0, 2, 3}));
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace osdtune
