// SPDX-License-Identifier: Apache-2.0
// CPU time of processes, on real ones.
#include "search/workload/cpu_meter.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include "core/process.hpp"

using namespace osdtune;
using namespace std::chrono_literals;

namespace {

/// Uses CPU time until this process has used `seconds` of it more.
void burn(double seconds) {
  const double until = cpu_seconds(::getpid()).value_or(0) + seconds;
  while (cpu_seconds(::getpid()).value_or(1e9) < until) {
  }
}

}  // namespace

TEST_CASE("CPU time of a process grows as it works") {
  const auto before = cpu_seconds(::getpid());
  REQUIRE(before);
  burn(0.05);
  CHECK(*cpu_seconds(::getpid()) - *before >= 0.049);  // clock ticks do not sum up exactly
}

TEST_CASE("a process that is gone has no CPU time") {
  const auto ended = run({.argv = {"true"}});
  CHECK(ended.ok());
  CHECK_FALSE(cpu_seconds(0));
  CHECK_FALSE(cpu_seconds(99999999));
}

TEST_CASE("cores are counted over the last part of the samples only") {
  CpuMeter meter({::getpid()});
  const auto start = CpuMeter::Clock::now();
  CHECK_FALSE(meter.cores(1));
  meter.sample(start);
  CHECK_FALSE(meter.cores(1));
  meter.sample(start + 10s);  // the clock of the samples is ours: nothing was used in these ten seconds
  burn(0.1);
  meter.sample(start + 11s);
  CHECK(*meter.cores(1) >= 0.099);
  CHECK(*meter.cores(1) < 1);
  CHECK(*meter.cores(100) < 0.099);
}

TEST_CASE("a sample counts only while every process is there") {
  CpuMeter meter({::getpid(), 99999999});
  meter.sample();
  meter.sample(CpuMeter::Clock::now() + 1s);
  CHECK_FALSE(meter.cores(1));
}
