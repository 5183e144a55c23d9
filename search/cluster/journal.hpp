// SPDX-License-Identifier: Apache-2.0
// The undo journal: what a cluster was like, on disk before the first change, until the cluster is proven to
// be so again.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "search/cluster/snapshot.hpp"

namespace osdtune {

/// Who changes which cluster.
struct JournalHeader {
  std::string fsid;
  std::string target;  ///< as given to --on
  std::string client;
  std::string study;
  std::string host;
  int pid = 0;
  std::string started;  ///< UTC
};

/// What a journal says.
struct JournalContent {
  JournalHeader header;
  Snapshot before;
  std::set<std::string> restart_names;  ///< options of `before.names` that need an OSD restart to take effect
  std::vector<std::string> pools;       ///< made by us
  bool closed = false;
};

/// An open journal. It holds a lock, so that there is one per cluster on this host.
class Journal {
 public:
  /// Takes the journal of a cluster before anything else is done. Throws Error{kCluster} naming the other
  /// sweep if one holds it, or if an unfinished journal is there (its sweep died: roll back first).
  static Journal claim(const std::filesystem::path& path);
  /// Opens an unfinished one for rollback. Throws Error if it is locked (its sweep still runs) or broken.
  static Journal open(const std::filesystem::path& path);
  ~Journal();
  Journal(Journal&&) noexcept;
  Journal& operator=(Journal&&) = delete;

  const JournalContent& content() const { return content_; }
  /// What the cluster is like, on disk and synced when this returns: nothing may be changed before.
  void begin(const JournalContent& content);
  /// Before the pool is made.
  void add_pool(const std::string& pool);
  /// The cluster is as it was: the journal is marked and set aside as NAME.closed.
  void close();

 private:
  explicit Journal(const std::filesystem::path& path);
  std::filesystem::path path_;
  int lock_fd_ = -1;
  std::unique_ptr<JsonLines> lines_;
  JournalContent content_;
};

/// Folder of journals: $OSDTUNE_STATE_DIR, else $XDG_STATE_HOME/osdtune, else ~/.local/state/osdtune. Created
/// if missing.
std::filesystem::path state_directory();
std::filesystem::path journal_path(const std::string& fsid);
/// Unfinished journals in the state folder, oldest first.
std::vector<std::filesystem::path> unfinished_journals();
/// What a journal says, without taking it. Throws Error{kInput}.
JournalContent read_journal(const std::filesystem::path& path);

}  // namespace osdtune
