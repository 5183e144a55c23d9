// SPDX-License-Identifier: Apache-2.0
// One sweep's hold on a cluster: every change goes through here, after the journal has what was there before.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/progress.hpp"
#include "search/cluster/cluster.hpp"
#include "search/cluster/journal.hpp"

namespace osdtune {

/// What a trial wants of the cluster. Options of the journal that are not named are as they were found.
struct Settings {
  struct Entry {
    std::string section;  ///< "osd" or "client"
    std::string value;
  };
  std::map<std::string, Entry> options;
  std::optional<int> osds_per_device;  ///< none: as found
};

/// The pool and images that load runs on.
struct LoadImages {
  std::string pool;
  int pg_num = 32;
  int pool_size = 0;
  std::vector<std::string> images;
  std::int64_t image_bytes = 0;
};

class Session {
 public:
  /// `control` is null where OSDs cannot be restarted by us. `journal` has begun.
  Session(Cluster& cluster, OsdControl* control, Journal journal, Progress& progress, std::stop_token stop);

  /// Marks the cluster as ours; sets noout, noscrub and nodeep-scrub; balancer and autoscaler off.
  void quiet();
  /// Makes the pool and fully written images; also again after a redeploy.
  void prepare(const LoadImages& load);
  /// Makes the cluster run with exactly these settings: stores them, restarts or redeploys if that is needed,
  /// waits until all PGs are active+clean, reads the running values back from every OSD. Throws TrialError if
  /// the cluster does not run with them, with the reason. Returns true if OSDs were started.
  bool apply(const Settings& settings);
  /// Brings OSDs that died back. Throws TrialError if they do not come.
  void revive();
  /// After a crash nobody knows whether the OSDs were restarted since the last change: restore() then
  /// restarts them.
  void assume_restart_due() { restart_due_ = !journal_.content().restart_names.empty(); }
  /// Puts everything back, proves it by reading, closes the journal. Throws RollbackError.
  void restore();

 private:
  bool store(const Settings& settings);
  void redeploy(int osds_per_device);
  void verify_running(const Settings& settings);
  std::string not_running(const Settings& settings);
  void restore_layout();
  void restore_quiet();
  void check_stop() const;

  Cluster& cluster_;
  OsdControl* control_;
  Journal journal_;
  Progress& progress_;
  std::stop_token stop_;
  std::optional<LoadImages> load_;
  bool restart_due_ = false;  ///< a stored option waits for a restart, or the last restart failed
};

/// Throws Error{kCluster} if another sweep has marked the cluster as its own, or if a pool with the name of
/// ours is there that no journal of ours speaks of: it is somebody's data. To be asked before anything is
/// changed.
void refuse_if_taken(Cluster& cluster, const std::string& pool);

/// Runs `body`; whatever way it ends, the session is restored before this returns or throws.
void with_rollback(Session& session, const std::function<void()>& body);

/// Waits until every PG is active+clean and every OSD up. Throws TrialError after `bound`, saying what is
/// not.
void wait_clean(Cluster& cluster, std::chrono::seconds bound, const std::stop_token& stop);

}  // namespace osdtune
