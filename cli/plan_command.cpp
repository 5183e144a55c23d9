// SPDX-License-Identifier: Apache-2.0
// osdtune plan: what a sweep would do and cost; changes nothing.
#include <fmt/format.h>

#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <memory>

#include "cli/context.hpp"
#include "cli/plan_report.hpp"
#include "cli/target_option.hpp"
#include "search/resolve.hpp"
#include "search/target.hpp"

namespace osdtune {
namespace {

struct Options {
  std::string plan;
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

void run(const Options& options, Context& context) {
  const Plan plan = load_plan(options.plan);
  const Resolved resolved = resolve(plan, options);
  for (const auto& note : resolved.notes) context.console.note(note);
  report_plan(plan, resolved.space, context.json);
}

}  // namespace

void add_plan_command(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "plan", "Show what a sweep would do: settings, trials, restarts, redeploys, time. Changes nothing.");
  command->add_option("PLAN", options->plan, "plan file (JSON)")->required();
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
      "ceph:/etc/ceph/ceph.conf\n\n" +
      exit_codes_help({0, 2, 3, 4}));
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace osdtune
