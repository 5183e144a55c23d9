// SPDX-License-Identifier: Apache-2.0
// osdtune advise: what is wrong with this configuration, cluster or host.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>

#include "advisor/advise.hpp"
#include "advisor/advise_live.hpp"
#include "cli/context.hpp"
#include "core/error.hpp"
#include "search/target.hpp"

namespace osdtune {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string on;
  std::string client = "client.admin";
  std::string release;
  std::string fail_on;
  std::string plan;
  bool host = false;
};

/// Interrupts per second over a quarter of a second.
void sample_interrupts(HostFacts* host) {
  constexpr std::chrono::milliseconds kInterval(250);
  const auto before = interrupt_count();
  std::this_thread::sleep_for(kInterval);
  const auto after = interrupt_count();
  if (before && after && *after >= *before) host->interrupts_per_s = (*after - *before) * 4;
}

void add_this_host(Facts* facts) {
  HostFacts host = collect_host_facts();
  sample_interrupts(&host);
  const std::string name = host.name.value_or("this host");
  facts->hosts[name] = std::move(host);
}

Facts collect(const Options& options) {
  Facts facts;
  if (!options.on.empty()) {
    const Target target = open_target(options.on, options.client);
    facts = facts_of_cluster(*target.cluster);
    for (const std::string& difference : catalogue_differences(*target.cluster, facts))
      facts.notes.push_back("this cluster differs from the catalogue: " + difference);
  }
  for (const std::string& file : options.files) add_file(file, &facts);
  if (options.host) add_this_host(&facts);
  if (!options.release.empty()) facts.release = to_text(parse_release(options.release));
  return facts;
}

void run(const Options& options, Context& context) {
  if (options.files.empty() && options.on.empty() && !options.host)
    throw Error(ErrorKind::kUsage, "advise needs something to look at",
                "name files, or use --on lab, --on ceph:/etc/ceph/ceph.conf or --host");
  const bool has_limit = !options.fail_on.empty();
  const Severity limit = has_limit ? parse_severity(options.fail_on) : Severity::kDanger;
  const Facts facts = collect(options);
  const Advice advice = advise(facts);
  if (context.json)
    print_json(to_json(advice));
  else
    fmt::print("{}", advice_text(advice, context.verbose));
  if (!options.plan.empty()) {
    save_text(options.plan, sweep_plan(advice, facts).dump(2) + "\n");
    context.console.note(fmt::format("plan written to {}", options.plan));
  }
  if (has_limit && worst(advice) >= std::optional(limit)) context.exit_code = 3;
}

}  // namespace

void add_advise_command(CLI::App& app, Context& context) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("advise", "say what is wrong with a configuration, and what is worth trying");
  command->add_option(
      "files", options->files,
      "ceph.conf files, fio jobs, and output of ceph commands saved as JSON (config dump, config show, "
      "osd metadata, osd df, osd tree, osd dump, status, report)");
  command->add_option("--on", options->on,
                      "look at a running cluster: lab[:DIR], ceph:CONF or sim:FILE.json");
  command->add_option("--name", options->client, "Ceph client to connect as")->capture_default_str();
  command->add_flag("--host", options->host, "look at this host too");
  command->add_option("--release", options->release, "release the configuration is for, as 18.2.7 or reef");
  command->add_option("--fail-on", options->fail_on,
                      "exit with 3 if a finding is at least: info, advice, warning, danger");
  command->add_option("--write-plan", options->plan, "write the settings worth a sweep as a plan");
  command->footer(
      "Examples:\n"
      "  osdtune advise /etc/ceph/ceph.conf --release 18.2.7\n"
      "  osdtune advise config-dump.json osd-metadata.json --fail-on warning\n"
      "  osdtune advise --on ceph:/etc/ceph/ceph.conf --host --verbose\n" +
      exit_codes_help({0, 2, 3, 4}));
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace osdtune
