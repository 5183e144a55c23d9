// SPDX-License-Identifier: Apache-2.0
// Export as a fragment of ceph.conf.
#include <fmt/format.h>

#include <map>

#include "advisor/export.hpp"

namespace osdtune {
namespace {

std::string commented(const std::string& lines) {
  std::string out;
  for (std::size_t at = 0; at < lines.size();) {
    const auto end = lines.find('\n', at);
    out += "#   " + lines.substr(at, end - at) + "\n";
    at = end == std::string::npos ? lines.size() : end + 1;
  }
  return out;
}

/// A value with # or ; would end in a comment, one with blanks at its ends would lose them.
std::string quoted(const std::string& value) {
  const bool plain = value.find_first_of("#;\"\\") == std::string::npos &&
                     value == value.substr(value.find_first_not_of(' ')) && value.back() != ' ';
  return plain ? value : fmt::format("\"{}\"", value);
}

const Setting* find_setting(const Space& space, const std::string& name) {
  for (const auto& setting : space.settings)
    if (setting.name == name) return &setting;
  return nullptr;
}

std::string remark(const Export& what, const std::string& name) {
  const auto* setting = find_setting(what.header.space, name);
  if (setting == nullptr)
    return "part of debug_levels=off; as found: the release's default; takes effect at once when set at "
           "runtime";
  return fmt::format("as found: {}; takes effect {}", to_text(setting->default_value),
                     setting->change == Change::kRestart
                         ? "after an OSD restart"
                         : "at once when set at runtime, here at the next start");
}

}  // namespace

std::string ceph_conf_text(const Export& what) {
  std::string out = fmt::format("# ceph.conf fragment by osdtune {}: {} of {}{}\n", what.header.tool_version,
                                what.origin, what.study, what.header.simulated ? " (SIMULATED)" : "");
  out += fmt::format("# measured on Ceph {}, {}, {}\n", what.header.release, what.header.target,
                     what.header.created);
  const bool relaid =
      what.settings.osds_per_device && Value(std::int64_t{*what.settings.osds_per_device}) !=
                                           find_setting(what.header.space, kOsdsPerDevice)->default_value;
  if (what.settings.options.empty() && !relaid)
    return out + "# nothing to change: the configuration as found is kept\n";
  if (!what.effect.empty()) out += "# effect (95 % interval):\n" + commented(what.effect);
  std::map<std::string, std::string> sections;
  for (const auto& [name, entry] : what.settings.options) {
    std::string& section = sections[entry.section];
    section += name.starts_with("debug_") && find_setting(what.header.space, name) == nullptr
                   ? ""
                   : fmt::format("# {}\n", remark(what, name));
    section += fmt::format("{} = {}\n", name, quoted(entry.value));
  }
  for (const auto& [section, lines] : sections) out += fmt::format("\n[{}]\n{}", section, lines);
  if (relaid)
    out += fmt::format(
        "\n# osds_per_device = {}: not an option of ceph.conf; create the OSDs anew, e.g. ceph-volume lvm "
        "batch --osds-per-device {}\n",
        *what.settings.osds_per_device, *what.settings.osds_per_device);
  if (what.restart) out += "\n# The OSDs have to be restarted.\n";
  return out;
}

}  // namespace osdtune
