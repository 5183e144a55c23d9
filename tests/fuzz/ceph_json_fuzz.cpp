// SPDX-License-Identifier: Apache-2.0
// Any bytes as JSON that a ceph command printed: refused with words, or facts that hold together.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/error.hpp"
#include "knowledge/facts.hpp"

using namespace osdtune;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    Facts facts;
    add_json(parse_json(text, "osd.1.json"), "osd.1.json", &facts);
    const SettingIndex index(facts);
    for (const int id : osd_ids(facts)) index.effective(id, "osd_memory_target");
    for (const auto& [id, osd] : facts.osds)
      if (id < 0 || osd.id != id) std::abort();
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::kInput || e.what()[0] == '\0') std::abort();
  }
  return 0;
}
