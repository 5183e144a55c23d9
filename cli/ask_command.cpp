// SPDX-License-Identifier: Apache-2.0
// osdtune ask and tell: the planner for people with a harness of their own.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <memory>

#include "advisor/recommend.hpp"
#include "cli/context.hpp"
#include "cli/run_words.hpp"
#include "cli/target_option.hpp"
#include "core/error.hpp"
#include "search/own_harness.hpp"

namespace osdtune {
namespace {

struct AskOptions {
  std::string study;
  std::string plan;
  std::string release;
  TargetOption target;
  CLI::Option* on = nullptr;
};

struct TellOptions {
  std::string study;
  std::vector<std::string> runs;
  std::vector<std::string> fio;
  std::string infeasible;
};

StudyHeader header_of_new_study(const AskOptions& options, Context& context) {
  if (options.plan.empty())
    throw Error(ErrorKind::kUsage, fmt::format("{} does not exist yet", options.study),
                "begin it with --plan PLAN.json and --release or --on");
  const Plan plan = load_plan(options.plan);
  if (options.on->count() > 0) {
    Target target = open_target(options.target.on, options.target.client);
    return describe_experiment(plan, target, context.console);
  }
  if (options.release.empty())
    throw Error(ErrorKind::kUsage, "the release decides on options and defaults",
                "give --release 18.2.7, or --on to read them from a cluster");
  return describe_own_harness(plan, options.release);
}

void run_ask(const AskOptions& options, Context& context) {
  StudyFile study(options.study);
  if (!study.study().header) study.begin(header_of_new_study(options, context));
  const StudyHeader& header = *study.study().header;
  const Trial* trial = ask(study, search_schedule(header.plan));
  if (context.json)
    return print_json(trial == nullptr
                          ? Json{{"trial", nullptr}}
                          : Json{{"trial", trial->id},
                                 {"reason", trial->reason},
                                 {"config", to_json(trial->config)},
                                 {"changes", to_json(changed_settings(trial->config, header.space))}});
  if (trial == nullptr) return fmt::print("Enough is measured. Next: osdtune recommend {}\n", options.study);
  fmt::print("trial {} ({}): {}\n", trial->id, trial->reason, to_text(trial->config));
}

void run_tell(const TellOptions& options, Context& context) {
  std::vector<Run> runs;
  for (const auto& words : options.runs) runs.push_back(run_from_words(words));
  for (const auto& words : options.fio) runs.push_back(run_from_fio(words));
  if (runs.empty() == options.infeasible.empty())
    throw Error(ErrorKind::kUsage, "give the runs of the trial (--run, --fio), or --infeasible WHY");
  load_study(options.study);  // an error if there is none, before the file is made
  StudyFile study(options.study);
  tell(study, runs, options.infeasible);
  const auto& trials = study.study().trials;
  if (context.json) return print_json({{"trial", trials.back().id}, {"trials", trials.size()}});
  fmt::print("trial {} is in the study\n", trials.back().id);
}

}  // namespace

void add_ask_command(CLI::App& app, Context& context) {
  auto options = std::make_shared<AskOptions>();
  CLI::App* command = app.add_subcommand(
      "ask", "The configuration to measure next, for a harness of your own; 'tell' takes the result.");
  command->add_option("STUDY", options->study, "study file (JSON Lines), made if it is not there")
      ->required();
  command->add_option("--plan", options->plan, "plan file of a new study");
  command->add_option("--release", options->release, "release of your cluster, for a new study: 18.2.7");
  options->on = command->add_option("--on", options->target.on,
                                    "read options and defaults of a new study from this target instead");
  command->add_option("--name", options->target.client, "Ceph client to connect as")->capture_default_str();
  command->footer(
      "Asking again before telling gives the same answer.\n\n"
      "Examples:\n  osdtune ask own.jsonl --plan night.json --release 18.2.7\n  osdtune ask own.jsonl "
      "--json\n\n" +
      exit_codes_help({0, 2, 3, 4}));
  command->callback([options, &context] { run_ask(*options, context); });
}

void add_tell_command(CLI::App& app, Context& context) {
  auto options = std::make_shared<TellOptions>();
  CLI::App* command = app.add_subcommand("tell", "What came out of the configuration that 'ask' gave.");
  command->add_option("STUDY", options->study, "study file (JSON Lines)")->required();
  command->add_option("--run", options->runs, "one run: WORKLOAD:iops=N,p99_ms=N[,...]; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--fio", options->fio, "one run: WORKLOAD=FILE, a JSON result of fio; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--infeasible", options->infeasible, "why the configuration could not be measured");
  command->footer(
      "Examples:\n  osdtune tell own.jsonl --run rw4k:iops=21000,p99_ms=3.1 --run "
      "rw4k:iops=20500,p99_ms=3.3\n"
      "  osdtune tell own.jsonl --fio rw4k=out1.json --fio rw4k=out2.json\n"
      "  osdtune tell own.jsonl --infeasible 'osd.3 did not come back'\n\n" +
      exit_codes_help({0, 2, 3, 4}));
  command->callback([options, &context] { run_tell(*options, context); });
}

}  // namespace osdtune
