// SPDX-License-Identifier: Apache-2.0
// Entry point: reads the command line, runs one command, turns every failure into one message and an exit
// code.
#include <CLI/CLI.hpp>

int main(int argc, char** argv) {
  CLI::App app{"osdtune"};
  CLI11_PARSE(app, argc, argv);
  return 0;
}
