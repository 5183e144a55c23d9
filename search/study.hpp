// SPDX-License-Identifier: Apache-2.0
// The record of a sweep: everything measured, in the order of measuring, one JSON line per event, never
// rewritten.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "search/cluster/cluster.hpp"
#include "search/plan.hpp"
#include "search/planner.hpp"
#include "search/space.hpp"

namespace osdtune {

/// What the study was measured on; written once, at its beginning.
struct StudyHeader {
  Plan plan;
  Space space;         ///< as resolved against the cluster, with the values found there
  std::string target;  ///< "lab:/dev/shm/...", "ceph:/etc/ceph/ceph.conf", "sim:file.json"
  bool simulated = false;
  std::string fsid;
  std::string release;  ///< of the OSDs, "16.2.15"
  std::string tool_version;
  std::string created;                   ///< UTC, ISO 8601
  std::vector<std::string> debug_names;  ///< options that "debug_levels" stands for on this cluster
  std::vector<StoredOption> stored;      ///< entries of the searched options in the monitors' store, as found
  Json facts = Json::object();           ///< host, OSDs, device class, pool: for people and for later advice
};

/// One run with its place in the trial.
struct TrialRun {
  Run run;
  bool counted = true;
  std::string why_not;  ///< "first run after an OSD start", "an OSD went down during the run", ...
  double at = 0;        ///< end of the run, seconds since the epoch
};

/// A run that gave no numbers.
struct LostRun {
  std::string workload;
  std::string why;
  double at = 0;
};

/// How a trial ended.
struct TrialVerdict {
  bool feasible = true;
  std::string reason;                     ///< of an infeasible one
  std::map<std::string, double> seconds;  ///< spent on this trial, by phase
};

struct Trial {
  int id = 0;
  Config config;
  std::string reason;  ///< "baseline", "initial", "replicate", "model", "control", "confirm", "verify"
  std::optional<double> promise;  ///< of a "model" trial, see Suggestion
  double at = 0;                  ///< start, seconds since the epoch
  std::vector<TrialRun> runs;
  std::vector<LostRun> lost;
  std::optional<TrialVerdict> verdict;  ///< none: interrupted
};

struct Study {
  std::optional<StudyHeader> header;  ///< none: an empty file
  std::vector<Trial> trials;
  std::map<std::string, double>
      seconds;  ///< spent outside trials (prefill, restore, ...), by phase, over all sessions
};

/// Reads the events. Throws Error{kInput} naming the line for an unknown format version or an event out of
/// place.
Study study_from_lines(const std::vector<Json>& lines, const std::string& name);

/// Reads a study without changing it. `torn`, if given, receives the text of a torn last line.
Study load_study(const std::filesystem::path& path, std::string* torn = nullptr);

/// Appends events; each is on disk when the call returns.
class StudyFile {
 public:
  explicit StudyFile(const std::filesystem::path& path);
  const Study& study() const { return study_; }
  const std::string& torn() const { return lines_.torn(); }
  std::string name() const { return lines_.path().string(); }

  void begin(const StudyHeader& header);
  /// Starts a trial and returns its number.
  int add_trial(const Suggestion& suggestion, double at);
  void add_run(const TrialRun& run);
  void add_lost_run(const LostRun& run);
  void add_verdict(const TrialVerdict& verdict);
  void add_seconds(const std::map<std::string, double>& seconds);

 private:
  void append(const Json& event);
  JsonLines lines_;
  Study study_;
};

/// Throws Error{kInput} if measurements of this plan on this cluster may not be mixed with those of the
/// study.
void check_same_experiment(const StudyHeader& study, const StudyHeader& now);

/// Counted runs of one workload.
std::vector<Run> counted_runs(const Trial& trial, const std::string& workload);

Json to_json(const Space& space);
Space space_from_json(const Json& json, const std::string& where);

}  // namespace osdtune
