// SPDX-License-Identifier: Apache-2.0
// Reads a ceph.conf as Ceph does, but goes on where Ceph gives up, and says where that is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace osdtune {

/// One "name = value" of a ceph.conf.
struct ConfSetting {
  std::string section;  ///< as written: "global", "osd", "osd.3", "client"; "global" before the first header
  std::string name;     ///< with underscores
  std::string value;    ///< without quotes, escapes and comments
  int line = 0;
  bool operator==(const ConfSetting&) const = default;
};

/// What Ceph makes of a line that is not as it should be.
enum class ConfProblemKind {
  kRefused,    ///< Ceph refuses the whole file because of it
  kIgnored,    ///< Ceph reads the file and nobody reads this
  kDuplicate,  ///< set twice in one section, the last one counts
  kNote,       ///< Ceph reads it, perhaps not as meant
};

struct ConfProblem {
  ConfProblemKind kind = ConfProblemKind::kNote;
  int line = 0;
  int column = 1;
  std::string text;  ///< what was expected or is wrong, and what was used
};

/// One file.
struct CephConf {
  std::string file;
  std::vector<ConfSetting> settings;  ///< in the order of the file
  std::vector<ConfProblem> problems;
  bool has_sections = false;
};

/// Never throws: what cannot be read is a problem with its line and column, and the rest is used.
/// The rules are those of Octopus and later, checked against ceph-conf 16.2.15.
CephConf read_ceph_conf(std::string_view text, const std::string& file);

/// "osd max backfills", "osd-max-backfills": the name with underscores and in lower case.
std::string normal_option_name(std::string_view name);

/// True for a section some daemon or client reads: global, a type, or type.id.
bool is_section(std::string_view section);

}  // namespace osdtune
