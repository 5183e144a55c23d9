// SPDX-License-Identifier: Apache-2.0
// Any bytes as a JSON Lines file: refused with a line number, or all whole lines and the torn rest.
#include <cstdint>
#include <cstdlib>

#include "core/error.hpp"
#include "core/json_file.hpp"

using namespace osdtune;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

std::string one_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    std::string torn;
    std::string again;
    const auto lines = parse_json_lines(text, "fuzz", &torn);
    require(text.ends_with(torn) && torn.find('\n') == std::string::npos);
    for (const auto& line : lines) again += one_line(line);
    std::string rest;
    const auto read_again = parse_json_lines(again, "again", &rest);
    require(rest.empty() && read_again.size() == lines.size());
  } catch (const Error& e) {
    require(e.kind() == ErrorKind::kInput && std::string_view(e.what()).starts_with("fuzz:"));
  }
  return 0;
}
