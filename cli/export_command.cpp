// SPDX-License-Identifier: Apache-2.0
// osdtune export: the recommendation, or one trial, as something to apply.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "advisor/export.hpp"
#include "advisor/recommend.hpp"
#include "cli/context.hpp"
#include "core/error.hpp"

namespace osdtune {
namespace {

struct Options {
  std::string study;
  std::string format = "ceph-conf";
  std::string output;
  std::optional<int> trial;
  bool force = false;
};

const std::map<std::string, std::function<std::string(const Export&)>>& formats() {
  static const std::map<std::string, std::function<std::string(const Export&)>> kFormats = {
      {"ceph-conf", ceph_conf_text},
      {"commands", commands_text},
      {"undo", undo_text},
      {"osd-spec", osd_spec_text}};
  return kFormats;
}

const Trial& find_trial(const Study& study, int id, const std::string& name) {
  const auto it = std::find_if(study.trials.begin(), study.trials.end(),
                               [&](const Trial& trial) { return trial.id == id; });
  if (it == study.trials.end())
    throw Error(ErrorKind::kUsage, fmt::format("{} has no trial {}", name, id),
                fmt::format("its trials are 0 to {}", static_cast<int>(study.trials.size()) - 1));
  if (!it->verdict || !it->verdict->feasible)
    throw Error(ErrorKind::kInput,
                fmt::format("trial {} is not feasible: {}", id,
                            it->verdict ? it->verdict->reason : "it was interrupted"),
                "choose another trial");
  return *it;
}

Export choose(const Options& options, const Study& study) {
  if (options.trial)
    return make_export(study, options.study, fmt::format("trial {}", *options.trial),
                       find_trial(study, *options.trial, options.study).config, {});
  const Prediction choice = recommend(study, {}).conclusion.choice;
  return make_export(study, options.study, "the recommendation", choice.config, choice);
}

void run(const Options& options, Context& context) {
  const Study study = load_study(options.study);
  if (study.header && study.header->simulated && !options.force)
    throw Error(ErrorKind::kInput,
                fmt::format("{} is simulated: nothing in it was measured on a cluster", options.study),
                "--force writes it all the same, marked as simulated");
  const Export what = choose(options, study);
  const std::string text = formats().at(options.format)(what);
  if (!options.output.empty()) {
    save_text(options.output, text);
    context.console.note(fmt::format("written to {}", options.output));
  }
  if (context.json)
    return print_json({{"format", options.format},
                       {"config", to_json(what.config)},
                       {"restart", what.restart},
                       {"text", text}});
  if (options.output.empty()) fmt::print("{}", text);
}

}  // namespace

void add_export_command(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "export",
      "Write the recommendation as a ceph.conf fragment, commands, their undo, or an OSD service spec.");
  command->add_option("STUDY", options->study, "study file (JSON Lines)")->required();
  std::vector<std::string> names;
  for (const auto& [name, format] : formats()) names.push_back(name);
  command->add_option("--format", options->format, "ceph-conf, commands, undo or osd-spec")
      ->check(CLI::IsMember(names))
      ->capture_default_str();
  command->add_option("--trial", options->trial, "this trial instead of the recommendation");
  command->add_flag("--force", options->force, "even of a simulated study");
  command->add_option("-o,--output", options->output, "write to this file");
  command->footer(
      "Examples:\n  osdtune export quick.jsonl --format ceph-conf -o fragment.conf\n"
      "  osdtune export quick.jsonl --format commands --trial 7\n\n" +
      exit_codes_help({0, 2, 3}));
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace osdtune
