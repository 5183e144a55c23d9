// SPDX-License-Identifier: Apache-2.0
// osdtune recommend: the trade-off and one choice from a saved study, without any cluster.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <memory>
#include <optional>

#include "advisor/recommend.hpp"
#include "advisor/scale.hpp"
#include "cli/context.hpp"
#include "core/error.hpp"
#include "core/units.hpp"

namespace osdtune {
namespace {

struct Options {
  std::vector<std::string> studies;
  std::string prefer;
  std::string max_p99;
  std::optional<double> cores, devices, measured_cores;
  std::string memory;
};

RecommendWish wish_of(const Options& options) {
  RecommendWish wish;
  if (!options.prefer.empty()) wish.prefer = parse_preference(options.prefer, "--prefer");
  if (!options.max_p99.empty()) wish.max_p99_ms = 1e3 * parse_duration_s(options.max_p99, "--max-p99");
  if (wish.max_p99_ms && *wish.max_p99_ms <= 0)
    throw Error(ErrorKind::kUsage, "--max-p99: expected more than zero");
  return wish;
}

Study load(const std::string& path, Context& context) {
  std::string torn;
  Study study = load_study(path, &torn);
  if (!torn.empty()) context.console.warn(fmt::format("{}: the last line is torn and left out", path));
  return study;
}

/// For other hosts than the measured ones.
void run_scale(const Options& options, Context& context) {
  std::vector<Study> studies;
  for (const std::string& path : options.studies) studies.push_back(load(path, context));
  ScaleWish hosts{
      .cores = *options.cores, .devices = options.devices, .measured_cores = options.measured_cores};
  if (!options.memory.empty())
    hosts.memory_bytes = static_cast<double>(parse_size(options.memory, "--memory"));
  const ScaleAnswer answer = scale(studies, wish_of(options), hosts);
  if (context.json) return print_json(to_json(answer));
  fmt::print("{}{}", to_text(answer, studies.front()), context.verbose ? "\n" + to_text(answer.fit) : "");
}

void run(const Options& options, Context& context) {
  if (options.cores) return run_scale(options, context);
  if (options.studies.size() > 1 || options.devices || options.measured_cores || !options.memory.empty())
    throw Error(ErrorKind::kUsage,
                "several studies, --devices, --memory and --measured-cores are for --cores N",
                "add --cores N, the hardware threads of the hosts you ask about");
  const Study study = load(options.studies.front(), context);
  const Recommendation recommendation = recommend(study, wish_of(options));
  if (context.json) return print_json(to_json(recommendation, study));
  fmt::print("{}", to_text(recommendation, study, true));
}

}  // namespace

void add_recommend_command(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("recommend", "Pareto front and one recommendation from a study; needs no cluster.");
  command->add_option("STUDY", options->studies, "study file (JSON Lines); with --cores also several")
      ->required();
  command->add_option("--prefer", options->prefer,
                      "iops, balanced or latency, instead of the plan's preference");
  command->add_option("--max-p99", options->max_p99,
                      "only configurations whose p99 latency stays below, e.g. 5ms");
  command->add_option("--cores", options->cores, "answer for OSD hosts with this many hardware threads")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--devices", options->devices,
                   "with --cores: drives of one host; as measured if not given")
      ->check(CLI::PositiveNumber);
  command->add_option("--memory", options->memory, "with --cores: memory of one host, e.g. 128G");
  command
      ->add_option("--measured-cores", options->measured_cores,
                   "with --cores: hardware threads of one measured OSD host, where the study does not know")
      ->check(CLI::PositiveNumber);
  command->footer(
      "Examples:\n  osdtune recommend quick.jsonl\n  osdtune recommend night.jsonl --prefer latency "
      "--max-p99 5ms --json\n  osdtune recommend lab8.jsonl lab16.jsonl --cores 32 --devices 4\n\n" +
      exit_codes_help({0, 2, 3}));
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace osdtune
