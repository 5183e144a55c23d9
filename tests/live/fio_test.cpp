// SPDX-License-Identifier: Apache-2.0
// Fio on a real cluster: LIVE_CONF, LIVE_POOL and LIVE_IMAGES (two images of 64 MiB or more, blank between)
// in the environment say where. Overwrites the images.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "core/error.hpp"
#include "search/workload/fio.hpp"
#include "search/workload/protocol.hpp"

using namespace osdtune;
using namespace std::chrono_literals;
using doctest::Contains;

namespace {

std::string from_environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) throw std::runtime_error(std::string("set ") + name);
  return value;
}

LoadTarget target() {
  std::istringstream names(from_environment("LIVE_IMAGES"));
  LoadTarget target{.conf = from_environment("LIVE_CONF"),
                    .client = "client.admin",
                    .pool = from_environment("LIVE_POOL"),
                    .image_bytes = 64 << 20};
  for (std::string name; names >> name;) target.images.push_back(name);
  return target;
}

/// The fio processes that this test has started.
std::vector<pid_t> our_fios() {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream in(entry.path() / "stat");
    std::string pid, name, state, parent;
    if (in >> pid >> name >> state >> parent && name == "(fio)" && parent == std::to_string(::getpid()))
      found.push_back(std::stoi(pid));
  }
  return found;
}

/// Sends `number` to one fio process of ours after it has run for a while.
std::jthread signal_one_fio(int number) {
  return std::jthread([number] {
    std::this_thread::sleep_for(1500ms);
    const auto fios = our_fios();
    if (!fios.empty()) ::kill(fios.front(), number);
  });
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Run measure(const WorkloadSpec& spec, const RunLength& length, std::chrono::milliseconds margin = 20s) {
  return Fio({.margin = margin}).run(spec, target(), length, {});
}

}  // namespace

TEST_CASE("three seconds of load give every number, and the numbers belong together") {
  const WorkloadSpec spec{.name = "w", .iodepth = 8};
  const RunLength length{.ramp_s = 1, .runtime_s = 3};
  const Run run = measure(spec, length);
  MESSAGE(to_json(run).dump());
  // bytes and operations may differ by what was in flight when the ramp ended
  CHECK(std::abs(run.bandwidth / 4096 - run.iops) * run.runtime_s <= spec.iodepth);
  REQUIRE((run.p50_ms && run.p95_ms && run.p99_ms && run.p999_ms));
  CHECK((*run.p50_ms <= *run.p95_ms && *run.p95_ms <= *run.p99_ms && *run.p99_ms <= *run.p999_ms));
  REQUIRE((run.client_cpu && run.job_cpu));
  CHECK(*run.client_cpu > *run.job_cpu);  // librbd works in threads of its own
  const std::map<std::string, int> clean = {{"active+clean", 1}};
  const RunVerdict verdict =
      judge(run, {.spec = spec, .length = length, .pgs_before = clean, .pgs_after = clean});
  CHECK(verdict.reasons == std::vector<std::string>{});
  CHECK(verdict.quick);
}

TEST_CASE("two jobs on each of two images, reading and writing, are one run with percentiles") {
  const WorkloadSpec spec{
      .name = "mix", .rw = "randrw", .iodepth = 2, .jobs = 2, .images = 2, .rwmixread = 70};
  const Run run = measure(spec, {.ramp_s = 0.5, .runtime_s = 2});
  CHECK(run.iops > 0);
  CHECK(run.p999_ms);
}

TEST_CASE("an image that is not there is a failed run that quotes fio") {
  LoadTarget wrong = target();
  wrong.images = {"no-such-image"};
  CHECK_THROWS_WITH_AS(Fio().run({.name = "w"}, wrong, {.ramp_s = 0, .runtime_s = 1}, {}),
                       Contains("rbd_open failed"), TrialError);
}

TEST_CASE("a fio that is killed fails the run and takes the other one with it") {
  const auto start = std::chrono::steady_clock::now();
  const auto killer = signal_one_fio(SIGKILL);
  CHECK_THROWS_WITH_AS(measure({.name = "w", .images = 2}, {.ramp_s = 0, .runtime_s = 30}),
                       Contains("was killed by signal 9"), TrialError);
  CHECK(seconds_since(start) < 10);
  CHECK(our_fios().empty());
}

TEST_CASE("a fio that stands still is ended by the watchdog") {
  const auto start = std::chrono::steady_clock::now();
  const auto stopper = signal_one_fio(SIGSTOP);
  CHECK_THROWS_WITH_AS(measure({.name = "w", .images = 2}, {.ramp_s = 0, .runtime_s = 2}, 5s),
                       Contains("hung"), TrialError);
  CHECK(seconds_since(start) < 15);
  CHECK(our_fios().empty());
}

TEST_CASE("a stop ends all processes at once") {
  std::stop_source stop;
  const auto start = std::chrono::steady_clock::now();
  const std::jthread later([&] {
    std::this_thread::sleep_for(1500ms);
    stop.request_stop();
  });
  CHECK_THROWS_AS(
      Fio().run({.name = "w", .images = 2}, target(), {.ramp_s = 0, .runtime_s = 60}, stop.get_token()),
      Error);
  CHECK(seconds_since(start) < 8);
  CHECK(our_fios().empty());
}
