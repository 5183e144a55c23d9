// SPDX-License-Identifier: Apache-2.0
// Child processes: run one to its end with a bound, or start one that outlives us. Never through a shell.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace osdtune {

/// How a child ended and what it said.
struct ProcessResult {
  int exit_code = -1;      ///< of a normal end
  int signal = 0;          ///< that ended it, or 0
  bool timed_out = false;  ///< the bound was reached and the child was ended by us
  bool stopped = false;    ///< the stop token asked for it and the child was ended by us
  std::string out;
  std::string err;
  bool ok() const { return exit_code == 0 && signal == 0 && !timed_out && !stopped; }
};

/// What to run. `argv[0]` is looked up in PATH.
struct Command {
  std::vector<std::string> argv;
  std::filesystem::path directory = {};  ///< working folder; empty: ours
  std::chrono::milliseconds timeout = std::chrono::minutes(1);
  std::stop_token stop = {};
  std::map<std::string, std::string> environment = {};  ///< added to ours
};

/// A child that runs beside us, in its own session; it is killed if we die.
class Child {
 public:
  /// Throws Error{kCluster} if the program is not installed.
  explicit Child(Command command);
  ~Child();  ///< ends it if it still runs
  Child(Child&&) noexcept;
  Child& operator=(Child&&) = delete;
  pid_t pid() const;
  /// Blocks until it ends, its timeout has passed or a stop was asked for. SIGTERM first, SIGKILL after two
  /// seconds.
  ProcessResult wait();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Child + wait.
ProcessResult run(Command command);

/// Identity of a process that survives pid reuse: start time in clock ticks since boot (/proc/PID/stat, field
/// 22).
struct ProcessId {
  pid_t pid = 0;
  std::uint64_t start_ticks = 0;
  bool operator==(const ProcessId&) const = default;
};

/// The identity of the process that has this pid now; start 0 if there is none.
ProcessId process_id(pid_t pid);

/// Starts a program that outlives us, output appended to `log`, in a session of its own.
/// Throws Error{kCluster} if it is not installed.
ProcessId start_daemon(const std::vector<std::string>& argv, const std::filesystem::path& log);

/// True while exactly this process runs (a zombie does not).
bool is_running(const ProcessId& id);

/// Sends `signal` if exactly this process still runs; true if sent.
bool send_signal(const ProcessId& id, int signal);

/// Waits until it is gone; false if it is still there after `timeout`.
bool wait_gone(const ProcessId& id, std::chrono::milliseconds timeout);

/// Full path of a program in PATH (and /usr/sbin, /sbin), or empty.
std::filesystem::path find_program(const std::string& name);

}  // namespace osdtune
