// SPDX-License-Identifier: Apache-2.0
// Any bytes as a ceph.conf: never a crash, every setting has a name and a line, every problem a place and
// words.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "knowledge/ceph_conf.hpp"
#include "knowledge/option_value.hpp"
#include "knowledge/rocksdb_options.hpp"

using namespace osdtune;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const CephConf conf = read_ceph_conf(text, "fuzz");
  for (const ConfSetting& setting : conf.settings) {
    require(!setting.name.empty() && setting.line > 0);
    for (const char* type : {"size", "int", "uint", "float", "bool", "str", "debug", "secs"}) {
      const OptionValue read = read_option_value({.name = setting.name, .type = type}, setting.value);
      require(read.value.has_value() == read.problem.empty());
    }
    for (const auto& [key, value] : parse_rocksdb_options(setting.value)) require(!key.empty());
  }
  for (const ConfProblem& problem : conf.problems)
    require(problem.line > 0 && problem.column > 0 && !problem.text.empty());
  return 0;
}
