// SPDX-License-Identifier: Apache-2.0
// osdtune rollback: put a cluster back after a crash.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <memory>

#include "cli/context.hpp"
#include "core/error.hpp"
#include "search/cluster/journal.hpp"
#include "search/rollback.hpp"

namespace osdtune {
namespace {

struct Options {
  std::string journal;
  bool list = false;
};

std::vector<std::filesystem::path> chosen(const Options& options) {
  if (!options.journal.empty()) return {options.journal};
  return unfinished_journals();
}

Json list_json(const std::vector<std::filesystem::path>& journals) {
  Json list = Json::array();
  for (const auto& path : journals) {
    const JournalHeader header = read_journal(path).header;
    list.push_back({{"journal", path.string()},
                    {"target", header.target},
                    {"study", header.study},
                    {"pid", header.pid},
                    {"host", header.host},
                    {"started", header.started}});
  }
  return list;
}

void show(const std::vector<std::filesystem::path>& journals, const Context& context) {
  const Json list = list_json(journals);
  if (context.json) return print_json(list);
  if (list.empty())
    fmt::print("No unfinished journal in {}: nothing to put back.\n", state_directory().string());
  for (const auto& entry : list)
    fmt::print("{}\n  {} changed by process {} on {}, study {}, begun {}\n",
               entry["journal"].get<std::string>(), entry["target"].get<std::string>(),
               entry["pid"].get<int>(), entry["host"].get<std::string>(), entry["study"].get<std::string>(),
               entry["started"].get<std::string>());
}

void run(const Options& options, Context& context) {
  const auto journals = chosen(options);
  if (options.list || journals.empty()) return show(journals, context);
  Json done = Json::array();
  for (const auto& journal : journals) {
    const std::string sentence = rollback(journal, context.console);
    done.push_back({{"journal", journal.string()}, {"result", sentence}});
    if (!context.json) fmt::print("{}\n", sentence);
  }
  if (context.json) print_json(done);
}

}  // namespace

void add_rollback_command(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("rollback", "Put clusters back that a crashed sweep left changed. Safe to repeat.");
  command->add_option("JOURNAL", options->journal,
                      "one undo journal (default: every unfinished one of this user)");
  command->add_flag("--list", options->list, "only list unfinished journals");
  command->footer(
      "Journals are kept in $OSDTUNE_STATE_DIR, else ~/.local/state/osdtune.\n\nExamples:\n  osdtune "
      "rollback\n  osdtune rollback --list\n\n" +
      exit_codes_help({0, 3, 4, 5}));
  command->callback([options, &context] { run(*options, context); });
}

}  // namespace osdtune
