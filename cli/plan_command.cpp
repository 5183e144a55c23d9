// SPDX-License-Identifier: Apache-2.0
// osdtune plan: what a sweep would do and cost, of a plan given or made for the target; changes nothing.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "advisor/advise.hpp"
#include "advisor/advise_live.hpp"
#include "cli/context.hpp"
#include "cli/plan_report.hpp"
#include "cli/target_option.hpp"
#include "core/error.hpp"
#include "knowledge/host_facts.hpp"
#include "search/resolve.hpp"
#include "search/target.hpp"

namespace osdtune {
namespace {

struct Options {
  std::string plan;
  std::string write;
  std::string release;
  TargetOption target;
  CLI::Option* on = nullptr;
};

/// The release of a plan made without a cluster, unless --release names another: the newest that Debian
/// stable has.
constexpr const char* kDefaultRelease = "18.2.7";

Resolved resolve(const Plan& plan, const Options& options) {
  const Catalogue catalogue = load_catalogue();
  if (options.on->count() == 0)
    return resolve_space(
        plan, catalogue_source(catalogue, options.release.empty() ? kDefaultRelease : options.release));
  const Target target = open_target(options.target.on, options.target.client);
  return resolve_space(plan, option_source(catalogue, target));
}

/// What is worth a sweep on the target, or without one on OSDs of this host.
Json default_plan(const Options& options) {
  Facts facts;
  if (options.on->count() > 0) {
    facts = facts_of_cluster(*open_target(options.target.on, options.target.client).cluster);
  } else {
    facts.release = to_text(parse_release(options.release.empty() ? kDefaultRelease : options.release));
    facts.hosts["this host"] = collect_host_facts();
  }
  return sweep_plan(advise(facts), facts);
}

void run(const Options& options, Context& context) {
  if (options.plan.empty() == options.write.empty())
    throw Error(ErrorKind::kUsage, "expected either a plan or --write FILE",
                "--write makes a plan that suits the target");
  if (!options.write.empty()) {
    if (std::filesystem::exists(options.write))
      throw Error(ErrorKind::kInput, fmt::format("{} exists already", options.write), "choose another name");
    save_text(options.write, default_plan(options).dump(2) + "\n");
    context.console.note(
        fmt::format("plan written to {}: edit it as you like, then sweep it", options.write));
  }
  const Plan plan = load_plan(options.plan.empty() ? options.write : options.plan);
  const Resolved resolved = resolve(plan, options);
  for (const auto& note : resolved.notes) context.console.note(note);
  report_plan(plan, resolved.space, context.json);
}

}  // namespace

void add_plan_command(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "plan", "Show what a sweep would do: settings, trials, restarts, redeploys, time. Changes nothing.");
  command->add_option("PLAN", options->plan, "plan file (JSON)");
  command->add_option("--write", options->write,
                      "make a plan that suits the target, or this host without --on");
  options->on =
      command->add_option("--on", options->target.on,
                          "ask this target instead of the catalogue: lab[:DIR], ceph:CONF or sim:FILE.json");
  command->add_option("--name", options->target.client, "Ceph client to connect as")->capture_default_str();
  command
      ->add_option(
          "--release", options->release,
          fmt::format("without --on: release whose options and defaults are taken ({})", kDefaultRelease))
      ->excludes(options->on);
  command->footer(
      "Examples:\n  osdtune plan examples/quick.json\n  osdtune plan examples/quick.json --on "
      "ceph:/etc/ceph/ceph.conf\n  osdtune plan --write my-plan.json --on lab\n\n" +
      exit_codes_help({0, 2, 3, 4}));
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace osdtune
