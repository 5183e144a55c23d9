// SPDX-License-Identifier: Apache-2.0
// osdtune recommend: the trade-off and one choice from a saved study, without any cluster.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <memory>

#include "advisor/recommend.hpp"
#include "cli/context.hpp"
#include "core/error.hpp"
#include "core/units.hpp"

namespace osdtune {
namespace {

struct Options {
  std::string study;
  std::string prefer;
  std::string max_p99;
};

RecommendWish wish_of(const Options& options) {
  RecommendWish wish;
  if (!options.prefer.empty()) wish.prefer = parse_preference(options.prefer, "--prefer");
  if (!options.max_p99.empty()) wish.max_p99_ms = 1e3 * parse_duration_s(options.max_p99, "--max-p99");
  if (wish.max_p99_ms && *wish.max_p99_ms <= 0)
    throw Error(ErrorKind::kUsage, "--max-p99: expected more than zero");
  return wish;
}

void run(const Options& options, Context& context) {
  std::string torn;
  const Study study = load_study(options.study, &torn);
  if (!torn.empty())
    context.console.warn(fmt::format("{}: the last line is torn and left out", options.study));
  const Recommendation recommendation = recommend(study, wish_of(options));
  if (context.json) return print_json(to_json(recommendation, study));
  fmt::print("{}", to_text(recommendation, study, true));
}

}  // namespace

void add_recommend_command(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("recommend", "Pareto front and one recommendation from a study; needs no cluster.");
  command->add_option("STUDY", options->study, "study file (JSON Lines)")->required();
  command->add_option("--prefer", options->prefer,
                      "iops, balanced or latency, instead of the plan's preference");
  command->add_option("--max-p99", options->max_p99,
                      "only configurations whose p99 latency stays below, e.g. 5ms");
  command->footer(
      "Examples:\n  osdtune recommend quick.jsonl\n  osdtune recommend night.jsonl --prefer latency "
      "--max-p99 5ms --json\n\n" +
      exit_codes_help({0, 2, 3}));
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace osdtune
