// SPDX-License-Identifier: Apache-2.0
// Child processes on Boost.Process: arguments as lists, output into files, every wait with a bound.
#include "core/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/process.hpp>
#include <boost/process/extend.hpp>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "core/error.hpp"
#include "core/json_file.hpp"

namespace osdtune {
namespace bp = boost::process;
namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

constexpr auto kPoll = 5ms;

fs::path require_program(const std::string& name) {
  const fs::path path = find_program(name);
  if (path.empty())
    throw Error(ErrorKind::kCluster, fmt::format("the program '{}' is not installed", name),
                fmt::format("install the Debian package that has it (apt-file search bin/{})", name));
  return path;
}

std::vector<std::string> arguments(const std::vector<std::string>& argv) {
  return {argv.begin() + 1, argv.end()};
}

/// In the child, before exec: its own session, no signal blocked, and an end with the parent if asked for.
void prepare_child(bool die_with_parent) {
  ::setsid();
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (die_with_parent) ::prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/// State letter and start time of a process; start 0 if there is none.
std::pair<char, std::uint64_t> process_stat(pid_t pid) {
  std::ifstream in(fmt::format("/proc/{}/stat", pid));
  std::string line;
  if (!std::getline(in, line)) return {'X', 0};
  std::istringstream fields(line.substr(line.rfind(')') + 1));  // the name in parentheses may hold blanks
  char state = 'X';
  fields >> state;
  std::string skipped;
  for (int field = 4; field < 22; ++field) fields >> skipped;
  std::uint64_t start = 0;
  fields >> start;
  return {state, start};
}

}  // namespace

struct Child::State {
  Command command;
  fs::path folder;
  bp::child process;
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();

  void signal_group(int signal) const { ::kill(-process.id(), signal); }

  /// SIGTERM, two seconds of grace, SIGKILL.
  void end() {
    signal_group(SIGTERM);
    for (int i = 0; i < 400 && process.running(); ++i) std::this_thread::sleep_for(kPoll);
    signal_group(SIGKILL);
    process.wait();
  }
};

Child::Child(Command command) : state_(std::make_unique<State>()) {
  const fs::path program = require_program(command.argv.at(0));
  std::string folder = (fs::temp_directory_path() / "osdtune-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr)
    throw Error(ErrorKind::kCluster,
                fmt::format("cannot make a folder in {}", fs::temp_directory_path().string()));
  state_->folder = folder;
  state_->command = std::move(command);
  const fs::path directory =
      state_->command.directory.empty() ? fs::current_path() : state_->command.directory;
  std::error_code failed;
  bp::environment environment = boost::this_process::environment();
  for (const auto& [name, value] : state_->command.environment) environment[name] = value;
  state_->process = bp::child(
      program.string(), bp::args = arguments(state_->command.argv), bp::env = environment,
      bp::start_dir = directory.string(), bp::std_in<bp::null, bp::std_out>(folder + "/out"),
      bp::std_err > (folder + "/err"), failed,
      bp::extend::on_exec_setup = [](auto&) { prepare_child(true); });
  if (failed) {
    fs::remove_all(folder);
    throw Error(ErrorKind::kCluster, fmt::format("cannot start {}: {}", program.string(), failed.message()));
  }
}

Child::~Child() {
  if (!state_) return;
  if (state_->process.running()) state_->end();
  std::error_code ignored;
  fs::remove_all(state_->folder, ignored);
}

Child::Child(Child&&) noexcept = default;

pid_t Child::pid() const {
  return state_->process.id();
}

ProcessResult Child::wait() {
  ProcessResult result;
  while (state_->process.running()) {
    result.stopped = state_->command.stop.stop_requested();
    result.timed_out = std::chrono::steady_clock::now() - state_->started > state_->command.timeout;
    if (result.stopped || result.timed_out) {
      state_->end();
      break;
    }
    std::this_thread::sleep_for(kPoll);
  }
  const int status = state_->process.native_exit_code();
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.out = load_text(state_->folder / "out");
  result.err = load_text(state_->folder / "err");
  return result;
}

ProcessResult run(Command command) {
  return Child(std::move(command)).wait();
}

ProcessId start_daemon(const std::vector<std::string>& argv, const fs::path& log) {
  const fs::path program = require_program(argv.at(0));
  const std::string log_name = log.string();
  std::error_code failed;
  bp::child process(
      program.string(), bp::args = arguments(argv), bp::std_in < bp::null, failed,
      bp::extend::on_exec_setup = [&log_name](auto&) {
        prepare_child(false);
        const int fd = ::open(log_name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        if (fd >= 0) ::dup2(fd, STDOUT_FILENO), ::dup2(fd, STDERR_FILENO);
      });
  if (failed)
    throw Error(ErrorKind::kCluster, fmt::format("cannot start {}: {}", program.string(), failed.message()));
  const pid_t pid = process.id();
  process.detach();
  return process_id(pid);
}

ProcessId process_id(pid_t pid) {
  return {.pid = pid, .start_ticks = process_stat(pid).second};
}

bool is_running(const ProcessId& id) {
  if (id.pid <= 0) return false;
  ::waitpid(id.pid, nullptr, WNOHANG);  // reaps it if it was ours
  const auto [state, start] = process_stat(id.pid);
  return start != 0 && start == id.start_ticks && state != 'Z' && state != 'X';
}

bool send_signal(const ProcessId& id, int signal) {
  return is_running(id) && ::kill(id.pid, signal) == 0;
}

bool wait_gone(const ProcessId& id, std::chrono::milliseconds timeout) {
  const auto until = std::chrono::steady_clock::now() + timeout;
  while (is_running(id)) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(kPoll);
  }
  return true;
}

fs::path find_program(const std::string& name) {
  if (name.find('/') != std::string::npos)
    return ::access(name.c_str(), X_OK) == 0 ? fs::path(name) : fs::path();
  const char* path = std::getenv("PATH");
  std::istringstream folders(std::string(path != nullptr ? path : "/usr/bin:/bin") + ":/usr/sbin:/sbin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder) / name;
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

}  // namespace osdtune
