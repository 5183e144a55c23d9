// SPDX-License-Identifier: Apache-2.0
// osdtune size: how many hosts of a kind a demand needs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "advisor/size.hpp"
#include "cli/context.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "search/host_study.hpp"

namespace osdtune {
namespace {

struct Options {
  std::string host, iops, p99, bs = "4k", rw = "randwrite";
  int rwmixread = 70;
  std::vector<std::string> studies;
};

Demand demand_of(const Options& options) {
  const bool mixed = options.rw == "rw" || options.rw == "randrw";
  WorkloadSpec workload{.rw = options.rw, .bs = parse_size(options.bs, "--bs")};
  if (mixed) workload.rwmixread = options.rwmixread;
  const HostLoad load = host_load(workload);
  Demand demand{.iops = parse_count(options.iops, "--iops"),
                .read_share = load.read_share,
                .block_kib = load.block_kib};
  if (!options.p99.empty()) demand.p99_us = 1e6 * parse_duration_s(options.p99, "--p99");
  return demand;
}

HostFit fit_of(const std::vector<std::string>& studies, Context& context) {
  std::vector<HostObservation> observations;
  for (const std::string& path : studies) {
    const Study study = load_study(path);
    if (!study.header) throw Error(ErrorKind::kInput, path + ": the study is empty");
    if (study.header->simulated) context.console.warn(path + " is simulated: no number in it was measured");
    const auto seen = host_observations(study, study_host(*study.header, {}));
    observations.insert(observations.end(), seen.begin(), seen.end());
  }
  return studies.empty() ? uncalibrated() : calibrate(observations);
}

void run(const Options& options, Context& context) {
  const SizeAnswer answer =
      size(demand_of(options), load_host(options.host), fit_of(options.studies, context));
  if (context.json) return print_json(to_json(answer));
  fmt::print("{}", to_text(answer));
}

}  // namespace

void add_size_command(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("size", "How many hosts of a kind a demand needs, and what limits them.");
  command->add_option("--host", options->host, "host file, see examples/hosts")->required();
  command->add_option("--iops", options->iops, "all clients together, e.g. 400k")->required();
  command->add_option("--p99", options->p99, "latency that 99 % must stay below, e.g. 5ms");
  command->add_option("--rw", options->rw, "as fio names it")
      ->check(CLI::IsMember({"randread", "randwrite", "randrw", "read", "write", "rw"}));
  command->add_option("--rwmixread", options->rwmixread, "per cent of reads, for rw and randrw")
      ->check(CLI::Range(0, 100));
  command->add_option("--bs", options->bs, "block size");
  command->add_option("--study", options->studies, "studies to calibrate the costs of an operation on");
  command->footer(
      "Examples:\n  osdtune size --iops 400k --p99 5ms --rw randwrite --host "
      "examples/hosts/one-socket-16-core.json\n"
      "  osdtune size --iops 1.2M --rw randread --host my-host.json --study night.jsonl\n\n" +
      exit_codes_help({0, 2, 3}));
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace osdtune
