// SPDX-License-Identifier: Apache-2.0
// A throw-away cluster on this host: a real monitor, manager and OSDs on loopback, in one folder.
#pragma once

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/progress.hpp"
#include "search/cluster/cluster.hpp"
#include "search/cluster/lab_logs.hpp"
#include "search/cluster/lab_place.hpp"
#include "search/cluster/lab_state.hpp"
#include "search/cluster/rados_client.hpp"

namespace osdtune {

/// A lab that is up, and control over its OSDs. While it lives it keeps the logs small (LogTrimmer); the log
/// of an OSD starts anew with every restart.
class Lab : public OsdControl {
 public:
  Lab(std::filesystem::path directory, LabState state);
  Lab(Lab&&) noexcept;
  ~Lab() override;

  const std::filesystem::path& directory() const { return directory_; }
  std::filesystem::path conf() const { return lab_conf_path(directory_); }
  const LabState& state() const { return state_; }

  /// Fast shutdown, a new start, "up" in the OSD map, and active+clean said by statistics newer than the
  /// restart.
  void restart_osds() override;
  /// Throws Error{kCluster} if there are pools other than Ceph's own, TrialError if the devices are too small
  /// for that.
  void redeploy(int osds_per_device) override;
  int osds_per_device() override { return state_.osds_per_device; }
  std::vector<pid_t> osd_pids() override;
  /// CPUs of the OSDs ("" for all), from the next restart on.
  void set_cpus(const std::string& cpus);

 private:
  RadosClient& client();

  std::filesystem::path directory_;
  LabState state_;
  std::unique_ptr<RadosClient> client_;
  std::unique_ptr<LogTrimmer> trimmer_;
};

/// Makes a lab and waits until it is healthy. Refuses if there is one in that folder. Whatever ends it early,
/// an error or a stop (Error{kInterrupted}), leaves neither processes nor files.
Lab lab_up(const LabOptions& options, Progress& progress, std::stop_token stop);

/// The lab in that folder. Throws Error with a hint if there is none or it does not run.
Lab open_lab(const std::filesystem::path& directory);

enum class LabCondition {
  kStarting,    ///< another process is bringing it up
  kRunning,     ///< all daemons run
  kPartly,      ///< some daemons are gone
  kLeftBehind,  ///< none runs
  kBroken,      ///< its lab.json cannot be read
};

std::string to_text(LabCondition condition);

struct LabStatus {
  std::filesystem::path directory;
  LabCondition condition = LabCondition::kRunning;
  LabState state;
  std::vector<std::string> gone;  ///< daemons that should run and do not
};

/// Every lab of this user: in the usual folders, in folders given by --dir, and after a crash.
std::vector<LabStatus> find_labs();

/// Throws Error with a hint if there is no lab in that folder.
LabStatus lab_status(const std::filesystem::path& directory);

/// Ends the lab's own processes, waits for them and removes the folder. Throws Error if the folder is not a
/// lab.
void lab_down(const std::filesystem::path& directory, Progress& progress);

}  // namespace osdtune
