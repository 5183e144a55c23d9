// SPDX-License-Identifier: Apache-2.0
// Daemons run in the foreground (-f) in sessions of their own, so that our record of the pid is right.
#include "search/cluster/lab_daemons.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <csignal>
#include <deque>
#include <fstream>

#include "core/error.hpp"

namespace osdtune {
namespace fs = std::filesystem;
using namespace std::chrono_literals;
namespace {

constexpr std::size_t kLogLines = 15;
constexpr auto kTermGrace = 15s;  ///< an OSD under load flushes its store first
constexpr auto kKillGrace = 5s;

fs::path output_path(const fs::path& lab, const std::string& name) {
  return lab / "log" / (name + ".out");
}

std::vector<std::string> last_lines(const fs::path& path) {
  constexpr std::streamoff kReadBytes = 64 << 10;  // logs may have gigabytes
  std::ifstream in(path, std::ios::ate);
  if (!in) return {};
  in.seekg(std::max<std::streamoff>(0, std::streamoff(in.tellg()) - kReadBytes));
  std::deque<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    if (line.empty()) continue;
    lines.push_back(line);
    if (lines.size() > kLogLines) lines.pop_front();
  }
  return {lines.begin(), lines.end()};
}

std::vector<std::string> command_line(pid_t pid) {
  std::ifstream in(fmt::format("/proc/{}/cmdline", pid), std::ios::binary);
  std::vector<std::string> argv;
  for (std::string argument; std::getline(in, argument, '\0');) argv.push_back(argument);
  return argv;
}

/// True for "ceph-osd -c CONF ..." and for taskset about to become that.
bool uses_conf(const std::vector<std::string>& argv, const std::string& conf) {
  if (argv.empty()) return false;
  const std::string program = fs::path(argv[0]).filename();
  if (!program.starts_with("ceph-") && program != "taskset") return false;
  for (std::size_t i = 1; i + 1 < argv.size(); ++i)
    if (argv[i] == "-c" && argv[i + 1] == conf) return true;
  return false;
}

}  // namespace

void start_lab_daemon(const fs::path& lab, LabState& state, const std::string& name) {
  const std::size_t dot = name.find('.');
  const std::string type = name.substr(0, dot), id = name.substr(dot + 1);
  std::vector<std::string> argv;
  if (type == "osd" && !state.cpus.empty()) argv = {"taskset", "-c", state.cpus};
  for (const std::string& argument : {"ceph-" + type, std::string("-c"), lab_conf_path(lab).string(),
                                      std::string("-i"), id, std::string("-f")})
    argv.push_back(argument);
  state.daemons[name] = start_daemon(argv, output_path(lab, name));
  save_lab_state(lab, state);
}

std::string log_end(const fs::path& lab, const std::string& name) {
  std::vector<std::string> lines = last_lines(lab / "log" / (name + ".log"));
  if (lines.empty()) lines = last_lines(output_path(lab, name));
  return lines.empty() ? "(it wrote nothing)" : fmt::format("{}", fmt::join(lines, "\n"));
}

void require_running(const fs::path& lab, const LabState& state, const std::string& name) {
  const auto found = state.daemons.find(name);
  if (found != state.daemons.end() && is_running(found->second)) return;
  throw TrialError(fmt::format("{} ended; the end of its log:\n{}", name, log_end(lab, name)));
}

void end_processes(const std::vector<ProcessId>& processes) {
  for (const ProcessId& id : processes) send_signal(id, SIGTERM);
  const auto until = std::chrono::steady_clock::now() + kTermGrace;
  for (const ProcessId& id : processes) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    if (wait_gone(id, std::max(left, 0ms))) continue;
    send_signal(id, SIGKILL);
    if (!wait_gone(id, kKillGrace))
      throw Error(ErrorKind::kCluster, fmt::format("process {} does not end", id.pid),
                  "it hangs in the kernel: look at its wchan and at the kernel log");
  }
}

std::vector<ProcessId> find_lab_processes(const fs::path& lab) {
  const std::string conf = lab_conf_path(lab).string();
  std::vector<ProcessId> found;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (!std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; })) continue;
    const auto pid = static_cast<pid_t>(std::stol(name));
    if (uses_conf(command_line(pid), conf)) found.push_back(process_id(pid));
  }
  return found;
}

std::vector<std::string> lab_osd_names(const LabState& state) {
  std::vector<std::string> names;
  for (const LabOsd& osd : state.osds) names.push_back(fmt::format("osd.{}", osd.id));
  return names;
}

std::vector<std::string> lab_daemon_names(const LabState& state) {
  std::vector<std::string> names = {"mon.a", "mgr.x"};
  for (const std::string& name : lab_osd_names(state)) names.push_back(name);
  return names;
}

}  // namespace osdtune
