// SPDX-License-Identifier: Apache-2.0
// Runs fio processes side by side and makes one Run of what they wrote.
#include "search/workload/fio.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdlib.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <vector>

#include "core/error.hpp"
#include "core/json_file.hpp"
#include "core/process.hpp"
#include "search/workload/cpu_meter.hpp"
#include "search/workload/fio_job.hpp"
#include "search/workload/fio_run.hpp"

namespace osdtune {
namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

constexpr auto kCpuSamples = 100ms;
constexpr std::size_t kLastWords = 600;  ///< characters of fio's output in a message
constexpr const char* kInstall = "install it: apt-get install fio";

/// A folder of our own that goes away with us.
struct PrivateFolder {
  fs::path path;
  PrivateFolder() {
    std::string name = (fs::temp_directory_path() / "osdtune-fio-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw Error(ErrorKind::kCluster, "cannot make a folder in " + fs::temp_directory_path().string(),
                  "free some space there, or set TMPDIR");
    path = name;
  }
  ~PrivateFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
};

/// One fio process and how it ended.
struct Process {
  std::string image;
  Child child;
  ProcessResult result;
};

/// The end of what fio wrote outside of its JSON, on one line.
std::string last_words(const ProcessResult& result) {
  const auto document = result.out.starts_with('{') ? 0 : result.out.find("\n{");
  std::string words = result.out.substr(0, document) + "\n" + result.err;
  std::string line;
  for (const char c : words) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!blank || (!line.empty() && line.back() != ' ')) line += blank ? ' ' : c;
  }
  while (line.ends_with(' ')) line.pop_back();
  if (line.empty()) return "; it said nothing";
  if (line.size() > kLastWords) line = "..." + line.substr(line.size() - kLastWords);
  return "; it said: " + line;
}

std::string how_it_ended(const ProcessResult& result) {
  if (result.timed_out) return "hung: it was still there long after its time and was ended";
  if (result.signal != 0) return fmt::format("was killed by signal {}", result.signal);
  return fmt::format("failed with exit code {}", result.exit_code);
}

/// Starts all of them. From this thread: a child is killed when the thread that started it ends.
std::vector<Process> start(const std::string& program, const fs::path& folder, const LoadTarget& target,
                           const std::vector<std::string>& job_files, const Command& limits) {
  std::vector<Process> processes;
  for (std::size_t i = 0; i < job_files.size(); ++i) {
    const fs::path file = folder / fmt::format("image{}.fio", i);
    save_text(file, job_files[i]);
    Command command = limits;
    command.argv = {program, "--output-format=json+", file.string()};
    command.environment["CEPH_CONF"] = target.conf;  // the rbd engine has no option for it
    processes.push_back({.image = target.images[i], .child = Child(std::move(command))});
  }
  return processes;
}

/// Waits for all; the first that fails takes the others with it. Meanwhile CPU time is sampled.
void wait_for_all(std::vector<Process>* processes, std::stop_source* stop_all,
                  const std::vector<CpuMeter*>& meters) {
  std::vector<std::future<void>> waits;
  for (auto& process : *processes)
    waits.push_back(std::async(std::launch::async, [&process, stop_all] {
      process.result = process.child.wait();
      if (!process.result.ok()) stop_all->request_stop();
    }));
  for (auto& wait : waits)
    while (wait.wait_for(kCpuSamples) != std::future_status::ready)
      for (CpuMeter* meter : meters) meter->sample();
  for (auto& wait : waits) wait.get();
}

/// Throws for the process that failed by itself, not for those that were ended because of it.
void check_ends(const std::vector<Process>& processes) {
  for (const auto& process : processes)
    if (!process.result.ok() && !process.result.stopped)
      throw TrialError(fmt::format("fio on image {} {}{}", process.image, how_it_ended(process.result),
                                   last_words(process.result)));
}

FioResult read_result(const Process& process) {
  try {
    FioResult result = parse_fio_json(process.result.out, "fio on image " + process.image);
    if (!process.result.err.empty())
      result.warnings.push_back("fio" + last_words({.err = process.result.err}));
    return result;
  } catch (const Error& e) {
    throw TrialError(e.what() + last_words(process.result));
  }
}

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

}  // namespace

void Fio::check() {
  if (find_program(options_.program).empty())
    throw Error(ErrorKind::kCluster,
                fmt::format("the load generator '{}' is not installed", options_.program), kInstall);
  const auto version = osdtune::run({.argv = {options_.program, "--version"}, .timeout = 10s});
  const bool known = version.ok() && version.out.starts_with("fio-");
  if (!known || std::atoi(version.out.c_str() + 4) < 3)
    throw Error(ErrorKind::kCluster,
                fmt::format("'{} --version' says '{}'; fio 3.0 or newer is needed", options_.program,
                            version.out.substr(0, version.out.find('\n'))),
                kInstall);
  const auto engine = osdtune::run({.argv = {options_.program, "--enghelp=rbd"}, .timeout = 10s});
  if (!engine.ok() || engine.out.find("rbdname") == std::string::npos)
    throw Error(ErrorKind::kCluster, fmt::format("'{}' was built without its rbd engine", options_.program),
                "use Debian's package (apt-get install fio), or build fio with librbd-dev installed");
}

Run Fio::run(const WorkloadSpec& spec, const LoadTarget& target, const RunLength& length,
             std::stop_token stop) {
  if (spec.images <= 0 || static_cast<std::size_t>(spec.images) > target.images.size())
    throw Error(ErrorKind::kInput, fmt::format("workload '{}' needs {} images, there are {}", spec.name,
                                               spec.images, target.images.size()));
  std::vector<std::string> job_files;
  for (int i = 0; i < spec.images; ++i)
    job_files.push_back(job_file(spec, target, target.images[static_cast<std::size_t>(i)], length));

  const PrivateFolder folder;
  std::stop_source stop_all;
  const std::stop_callback pass_on(stop, [&] { stop_all.request_stop(); });
  const auto timeout = milliseconds(length.ramp_s + length.runtime_s) + options_.margin;
  auto processes = start(options_.program, folder.path, target, job_files,
                         {.directory = folder.path, .timeout = timeout, .stop = stop_all.get_token()});
  std::vector<pid_t> pids;
  for (const auto& process : processes) pids.push_back(process.child.pid());
  CpuMeter clients(pids), osds(target.osds);
  wait_for_all(&processes, &stop_all, {&clients, &osds});

  if (stop.stop_requested()) throw Error(ErrorKind::kInterrupted, "the run was interrupted");
  check_ends(processes);
  std::vector<FioResult> results;
  for (const auto& process : processes) results.push_back(read_result(process));
  Run result = to_run(results, spec.name);
  result.client_cpu = clients.cores(length.runtime_s);
  if (!target.osds.empty()) result.osd_cpu = osds.cores(length.runtime_s);
  return result;
}

}  // namespace osdtune
