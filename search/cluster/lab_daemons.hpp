// SPDX-License-Identifier: Apache-2.0
// Starts and ends the daemons of a lab, and knows what they left in their logs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "search/cluster/lab_state.hpp"

namespace osdtune {

/// Starts "mon.a", "mgr.x" or "osd.N" and records it in lab.json at once.
void start_lab_daemon(const std::filesystem::path& lab, LabState& state, const std::string& name);

/// Throws TrialError with the end of the daemon's log if it does not run any more.
void require_running(const std::filesystem::path& lab, const LabState& state, const std::string& name);

/// The last lines that a daemon wrote.
std::string log_end(const std::filesystem::path& lab, const std::string& name);

/// SIGTERM to all, SIGKILL to those still there after a while; returns when all are gone.
/// Throws Error{kCluster} if one cannot be ended.
void end_processes(const std::vector<ProcessId>& processes);

/// Running daemons that use this lab's ceph.conf, recorded or not (a crash may come between start and
/// record).
std::vector<ProcessId> find_lab_processes(const std::filesystem::path& lab);

/// Names of all daemons the lab should have.
std::vector<std::string> lab_daemon_names(const LabState& state);
std::vector<std::string> lab_osd_names(const LabState& state);

}  // namespace osdtune
