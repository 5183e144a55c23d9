// SPDX-License-Identifier: Apache-2.0
// Restoring from a journal alone.
#include "search/rollback.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "search/cluster/journal.hpp"
#include "search/cluster/session.hpp"
#include "search/target.hpp"

namespace osdtune {
namespace {

/// A lab whose folder is gone took every change with it.
bool target_is_gone(const std::string& target) {
  constexpr std::string_view kLab = "lab:";
  return target.starts_with(kLab) && !std::filesystem::exists(target.substr(kLab.size()));
}

}  // namespace

std::string rollback(const std::filesystem::path& path, Progress& progress) {
  Journal journal = Journal::open(path);
  const JournalHeader header = journal.content().header;
  if (journal.content().closed) {
    journal.close();
    return fmt::format("{} was put back already", header.target);
  }
  if (target_is_gone(header.target)) {
    journal.close();
    return fmt::format("{} does not exist any more; nothing is left to put back", header.target);
  }
  if (header.target.starts_with("sim:")) {
    journal.close();
    return fmt::format("{} is a simulation; its changes ended with it", header.target);
  }
  Target target = open_target(header.target, header.client);
  if (target.cluster->fsid() != header.fsid)
    throw Error(ErrorKind::kCluster,
                fmt::format("{} is another cluster now (fsid {}, the journal is for {})", header.target,
                            target.cluster->fsid(), header.fsid),
                fmt::format("if the old one is gone for good, remove {}", path.string()));
  Session session(*target.cluster, target.control.get(), std::move(journal), progress, {});
  session.assume_restart_due();
  session.restore();
  return fmt::format("{} is as it was before {}", header.target, header.started);
}

}  // namespace osdtune
