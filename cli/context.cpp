// SPDX-License-Identifier: Apache-2.0
// Output shared by the commands.
#include "cli/context.hpp"

#include <fmt/format.h>

#include <map>

namespace osdtune {

void print_json(const Json& document) {
  fmt::print("{}\n", document.dump(2, ' ', false, Json::error_handler_t::replace));
}

std::string exit_codes_help(const std::vector<int>& codes) {
  static const std::map<int, const char*> kMeaning = {
      {0, "done"},
      {1, "a bug in osdtune"},
      {2, "wrong command line"},
      {3, "an input file is broken or does not fit"},
      {4, "the cluster or the load generator did not do what was asked"},
      {5, "the cluster could NOT be put back; run 'osdtune rollback'"},
      {130, "interrupted; settings restored"}};
  std::string out = "Exit codes:\n";
  for (const int code : codes) out += fmt::format("  {:>3}  {}\n", code, kMeaning.at(code));
  return out;
}

}  // namespace osdtune
