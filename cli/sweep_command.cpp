// SPDX-License-Identifier: Apache-2.0
// osdtune sweep: the automated tuning sweep.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <memory>

#include "advisor/recommend.hpp"
#include "cli/context.hpp"
#include "cli/plan_report.hpp"
#include "cli/target_option.hpp"
#include "cli/time_report.hpp"
#include "search/cluster/journal.hpp"
#include "search/resolve.hpp"
#include "search/rollback.hpp"
#include "search/sweep.hpp"

namespace osdtune {
namespace {

struct Options {
  std::string plan;
  std::string study;
  TargetOption target;
  bool dry_run = false;
  bool rollback_first = false;
};

void finish_crashed_sweep(const Target& target, Context& context) {
  const auto journal = journal_path(target.cluster->fsid());
  if (std::filesystem::exists(journal)) context.console.note(rollback(journal, context.console));
}

void print_result(const StudyFile& study, Context& context) {
  const Recommendation recommendation = recommend(study.study(), {});
  if (context.json) {
    Json document = to_json(recommendation, study.study());
    document["seconds"] = time_by_phase(study.study());
    return print_json(document);
  }
  fmt::print("{}\n{}", to_text(recommendation, study.study(), context.verbose), time_text(study.study()));
  fmt::print("\nThe study is in {}. Next: osdtune export {} --format ceph-conf\n", study.name(),
             study.name());
}

void run(const Options& options, Context& context) {
  const Plan plan = load_plan(options.plan);
  Target target = open_target(options.target.on, options.target.client);
  if (options.dry_run)
    return report_plan(plan, describe_experiment(plan, target, context.console).space, context.json);
  if (options.rollback_first) finish_crashed_sweep(target, context);
  StudyFile study(options.study);
  if (!study.torn().empty())
    context.console.warn(fmt::format("{}: the last line was torn by a crash and is dropped", study.name()));
  const Schedule schedule = search_schedule(plan, [&] { return target.cluster->now(); });
  sweep(plan, target, study, schedule, context.console, context.stop);
  print_result(study, context);
}

}  // namespace

void add_sweep_command(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "sweep", "Measure configurations of a plan on a target; an existing study is continued.");
  command->add_option("PLAN", options->plan, "plan file (JSON)")->required();
  command->add_option("--study", options->study, "study file (JSON Lines), made or continued")->required();
  add_target_option(*command, options->target);
  command->add_flag("--dry-run", options->dry_run, "show what would be done on this target; change nothing");
  command->add_flag("--rollback-first", options->rollback_first,
                    "put the cluster back first if an earlier sweep died on it");
  command->footer(
      "The cluster is put back at the end, on errors and on Ctrl-C. After a crash: osdtune rollback.\n\n"
      "Examples:\n"
      "  osdtune sweep examples/quick.json --on lab --study quick.jsonl\n"
      "  osdtune sweep night.json --on ceph:/etc/ceph/ceph.conf --study night.jsonl --dry-run\n\n" +
      exit_codes_help({0, 2, 3, 4, 5, 130}));
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace osdtune
