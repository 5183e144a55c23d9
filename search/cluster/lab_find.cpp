// SPDX-License-Identifier: Apache-2.0
// Labs that are there already: their condition, use and end.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "core/error.hpp"
#include "search/cluster/lab.hpp"
#include "search/cluster/lab_daemons.hpp"
#include "search/cluster/lab_registry.hpp"

namespace osdtune {
namespace fs = std::filesystem;
namespace {

fs::path clean_path(const fs::path& directory) {
  const fs::path path = fs::absolute(directory).lexically_normal();
  return path.has_filename() ? path : path.parent_path();
}

}  // namespace

std::string to_text(LabCondition condition) {
  switch (condition) {
    case LabCondition::kStarting:
      return "starting";
    case LabCondition::kRunning:
      return "running";
    case LabCondition::kPartly:
      return "partly running";
    case LabCondition::kLeftBehind:
      return "left behind";
    case LabCondition::kBroken:
      return "broken: its lab.json cannot be read";
  }
  return "";
}

LabStatus lab_status(const fs::path& directory) {
  const fs::path lab = clean_path(directory);
  LabStatus status{
      .directory = lab, .condition = LabCondition::kRunning, .state = load_lab_state(lab), .gone = {}};
  const auto names = lab_daemon_names(status.state);
  for (const std::string& name : names)
    if (!status.state.daemons.contains(name) || !is_running(status.state.daemons.at(name)))
      status.gone.push_back(name);
  if (is_running(status.state.maker))
    status.condition = LabCondition::kStarting;
  else if (status.gone.size() == names.size())
    status.condition = LabCondition::kLeftBehind;
  else if (!status.gone.empty() || status.state.maker.pid != 0)
    status.condition = LabCondition::kPartly;
  return status;
}

std::vector<LabStatus> find_labs() {
  std::vector<LabStatus> labs;
  for (const fs::path& lab : known_labs()) try {
      labs.push_back(lab_status(lab));
    } catch (const Error&) {
      if (fs::exists(lab_state_path(lab)))  // else it was removed while we looked
        labs.push_back({.directory = lab, .condition = LabCondition::kBroken, .state = {}, .gone = {}});
    }
  return labs;
}

Lab open_lab(const fs::path& directory) {
  const LabStatus status = lab_status(directory);
  if (status.condition == LabCondition::kStarting)
    throw Error(ErrorKind::kCluster,
                fmt::format("the lab in {} is still starting", status.directory.string()));
  for (const std::string name : {"mon.a", "mgr.x"})
    if (std::find(status.gone.begin(), status.gone.end(), name) != status.gone.end())
      throw Error(ErrorKind::kCluster,
                  fmt::format("the lab in {} is {}: {} does not run", status.directory.string(),
                              to_text(status.condition), fmt::join(status.gone, ", ")),
                  fmt::format("'osdtune lab down --dir {}' clears it", status.directory.string()));
  return Lab(status.directory, status.state);
}

void lab_down(const fs::path& directory, Progress& progress) {
  const LabStatus status = lab_status(directory);
  if (status.condition == LabCondition::kStarting && status.state.maker != process_id(::getpid()))
    throw Error(ErrorKind::kCluster,
                fmt::format("process {} is bringing up the lab in {}", status.state.maker.pid,
                            status.directory.string()),
                "wait for it, or interrupt it: it clears away what it made");
  progress.phase(Phase::kOther, fmt::format("ending the daemons of {}", status.directory.string()));
  std::vector<ProcessId> processes;
  for (const auto& [name, id] : status.state.daemons) processes.push_back(id);
  end_processes(processes);
  end_processes(find_lab_processes(status.directory));
  progress.phase(Phase::kOther, fmt::format("removing {}", status.directory.string()));
  fs::remove_all(status.directory);
  forget_lab(status.directory);
}

}  // namespace osdtune
