// SPDX-License-Identifier: Apache-2.0
// Entry point: reads the command line, runs one command, turns every failure into one message and an exit
// code.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/context.hpp"
#include "cli/interrupt.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"

namespace osdtune {
namespace {

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return 2;
    case ErrorKind::kInput:
      return 3;
    case ErrorKind::kCluster:
      return 4;
    case ErrorKind::kInterrupted:
      return 130;
  }
  return 1;
}

int run_command(CLI::App& app, int argc, char** argv, Context& context) {
  try {
    app.parse(argc, argv);
    return context.exit_code;
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : exit_code(ErrorKind::kUsage);
  } catch (const Error& e) {
    context.console.error(e.what(), e.hint());
    return exit_code(e.kind());
  } catch (const TrialError& e) {
    context.console.error(e.what(), "");
    return exit_code(ErrorKind::kCluster);
  } catch (const RollbackError& e) {
    context.console.error(fmt::format("THE CLUSTER IS NOT AS IT WAS: {}", e.what()),
                          "correct the cause, then run 'osdtune rollback'");
    return 5;
  } catch (const std::exception& e) {
    context.console.error(fmt::format("unexpected failure, please report it: {}", e.what()), "");
    return 1;
  }
}

}  // namespace
}  // namespace osdtune

int main(int argc, char** argv) {
  using namespace osdtune;
  keep_freed_memory();
  const Interrupt interrupt;
  Context context;
  context.stop = interrupt.token();
  CLI::App app{
      "osdtune measures Ceph OSD settings and recommends the best IOPS/latency trade-off for your cores."};
  app.set_version_flag("--version", OSDTUNE_VERSION);
  app.add_flag("--json", context.json, "machine-readable output on stdout");
  app.add_flag("-v,--verbose", context.verbose, "say more");
  app.require_subcommand(1);
  app.fallthrough();
  app.footer(
      "Start here:\n"
      "  osdtune lab up                                    a throw-away cluster on this host\n"
      "  osdtune sweep examples/quick.json --on lab --study quick.jsonl\n"
      "  osdtune recommend quick.jsonl\n"
      "  osdtune export quick.jsonl --format ceph-conf\n"
      "  osdtune lab down\n"
      "'osdtune COMMAND --help' has examples and exit codes.");
  add_lab_command(app, context);
  add_plan_command(app, context);
  add_sweep_command(app, context);
  add_recommend_command(app, context);
  add_model_command(app, context);
  add_verify_command(app, context);
  add_export_command(app, context);
  add_rollback_command(app, context);
  add_ask_command(app, context);
  add_tell_command(app, context);
  add_advise_command(app, context);
  add_explain_command(app, context);
  add_size_command(app, context);
  return run_command(app, argc, argv, context);
}
