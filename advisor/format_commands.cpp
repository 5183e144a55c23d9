// SPDX-License-Identifier: Apache-2.0
// Export as `ceph config set` commands with the steps that make them effective.
#include <fmt/format.h>

#include "advisor/export.hpp"
#include "knowledge/graph.hpp"

namespace osdtune {
namespace {

std::string place(const StoredOption& option) {
  return option.mask.empty() ? option.section : option.section + "/" + option.mask;
}

/// In single quotes for a POSIX shell.
std::string shell_word(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// What another setting requires comes before it.
std::vector<std::string> in_order(const Settings& settings) {
  std::vector<std::string> names;
  for (const auto& [name, entry] : settings.options) names.push_back(name);
  return KnowledgeGraph(load_catalogue()).order_of_application(names);
}

}  // namespace

std::string commands_text(const Export& what) {
  std::string out = fmt::format("#!/bin/sh -e\n# osdtune {}: {} of {}{}\n", what.header.tool_version,
                                what.origin, what.study, what.header.simulated ? " (SIMULATED)" : "");
  out += fmt::format("# measured on Ceph {}, {}, {}\n", what.header.release, what.header.target,
                     what.header.created);
  if (what.settings.options.empty()) out += "# nothing to change: the configuration as found is kept\n";
  for (const auto& stored : what.header.stored) {
    const auto it = what.settings.options.find(stored.name);
    if (it != what.settings.options.end() && (stored.section != it->second.section || !stored.mask.empty()))
      out += fmt::format("ceph config rm {} {}  # would shadow the value below or be left behind\n",
                         place(stored), stored.name);
  }
  for (const auto& name : in_order(what.settings)) {
    const auto& entry = what.settings.options.at(name);
    out += fmt::format("ceph config set {} {} {}\n", entry.section, name, shell_word(entry.value));
  }
  if (what.restart) {
    out += "\n# restart the OSDs host by host, waiting for active+clean in between:\n";
    out +=
        "#   ceph osd set noout\n#   systemctl restart ceph-osd.target        (on each host)\n#   ceph osd "
        "unset noout\n";
    out += "# on a cluster run by cephadm: ceph orch restart osd.SERVICE\n";
  }
  return out;
}

std::string undo_text(const Export& what) {
  std::string out =
      fmt::format("#!/bin/sh -e\n# undoes the commands for {} of {}: back to the configuration as found\n",
                  what.origin, what.study);
  for (const auto& [name, entry] : what.settings.options)
    out += fmt::format("ceph config rm {} {}\n", entry.section, name);
  for (const auto& stored : what.header.stored)
    if (what.settings.options.contains(stored.name))
      out += fmt::format("ceph config set {} {} {}\n", place(stored), stored.name, shell_word(stored.value));
  if (what.restart) out += "# restart the OSDs afterwards, host by host\n";
  return out;
}

}  // namespace osdtune
