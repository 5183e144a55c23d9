// SPDX-License-Identifier: Apache-2.0
// Which runs count, and what is said about those that do not.
#include "search/workload/protocol.hpp"

#include <doctest/doctest.h>

using namespace osdtune;

namespace {

/// 16 operations in flight at 8 ms: 2000 IOPS.
Run good_run() {
  return {.workload = "rw4k",
          .iops = 2000,
          .bandwidth = 8192000,
          .runtime_s = 600,
          .mean_ms = 8.0,
          .p99_ms = 20.0,
          .client_cpu = 0.3,
          .job_cpu = 0.05};
}

RunContext good_context() {
  return {.spec = {.name = "rw4k", .iodepth = 16},
          .length = {.ramp_s = 60, .runtime_s = 600},
          .pgs_before = {{"active+clean", 32}},
          .pgs_after = {{"active+clean", 32}},
          .up_before = {0, 1},
          .up_after = {0, 1},
          .epoch_before = 40,
          .epoch_after = 40,
          .client_cores = 2.0};
}

using Words = std::vector<std::string>;

Words reasons(const Run& run, const RunContext& context) {
  return judge(run, context).reasons;
}

}  // namespace

TEST_CASE("a run on a healthy cluster with an idle client counts without a word") {
  CHECK(judge(good_run(), good_context()) == RunVerdict{});
}

TEST_CASE("a run without I/O does not count") {
  Run run = good_run();
  run.iops = 0;
  CHECK(reasons(run, good_context()) == Words{"there was no I/O"});
  run = good_run();
  run.runtime_s = 0;
  CHECK(reasons(run, good_context()) == Words{"there was no I/O"});
}

TEST_CASE("operations in flight must agree with images x jobs x depth") {
  RunContext context = good_context();
  context.spec.jobs = 2;
  CHECK(
      reasons(good_run(), context) ==
      Words{
          "IOPS x latency = 16 operations in flight, but images x jobs x depth = 32: the client did not keep "
          "its queue full"});
  context = good_context();
  context.spec.iodepth = 4;
  CHECK(reasons(good_run(), context) == Words{"IOPS x latency = 16 operations in flight, but images x jobs x "
                                              "depth = 4: these numbers do not belong "
                                              "together"});
  context.spec.images = 4;
  CHECK(judge(good_run(), context).counts());
}

TEST_CASE("what fio does not count in its latency does not void a run") {
  Run run = good_run();
  run.mean_ms = 8.0 * 0.80;
  CHECK(judge(run, good_context()).counts());
  run.mean_ms = 8.0 * 1.20;
  CHECK(judge(run, good_context()).counts());
  run.mean_ms = 8.0 * 0.70;
  CHECK_FALSE(judge(run, good_context()).counts());
}

TEST_CASE("a run without latency counts, with a warning") {
  Run run = good_run();
  run.mean_ms.reset();
  const RunVerdict verdict = judge(run, good_context());
  CHECK(verdict.counts());
  CHECK(verdict.warnings == Words{"no latency: whether the queue was kept full is not known"});
}

TEST_CASE("a client without CPU to spare voids the run, as it measured the client") {
  Run run = good_run();
  run.client_cpu = 1.85;
  RunVerdict verdict = judge(run, good_context());
  CHECK(verdict.client_bound);
  CHECK(verdict.reasons == Words{"client-bound: the load generator used 1.9 of its 2 cores"});
  run = good_run();
  run.job_cpu = 0.97;
  verdict = judge(run, good_context());
  CHECK(verdict.client_bound);
  CHECK(verdict.reasons == Words{"client-bound: a load generating thread was busy 97 % of the time"});
}

TEST_CASE("unknown client CPU is said, not taken for idle") {
  Run run = good_run();
  run.client_cpu.reset();
  const RunVerdict verdict = judge(run, good_context());
  CHECK(verdict.counts());
  CHECK(verdict.warnings == Words{"client CPU unknown: the client may have been the limit"});
}

TEST_CASE("PGs that are not plainly active+clean before or after void the run") {
  for (const char* state : {"active+undersized+degraded", "active+clean+laggy", "active+recovering+degraded",
                            "active+clean+scrubbing+deep", "active+clean+snaptrim", "peering", "unknown"}) {
    CAPTURE(state);
    RunContext context = good_context();
    context.pgs_before = {{"active+clean", 30}, {state, 2}};
    CHECK(reasons(good_run(), context) == Words{std::string("PGs before it: 2 ") + state});
    context = good_context();
    context.pgs_after = {{state, 1}};
    CHECK(reasons(good_run(), context) == Words{std::string("PGs after it: 1 ") + state});
  }
}

TEST_CASE("PG states nobody asked for void the run") {
  RunContext context = good_context();
  context.pgs_after.clear();
  CHECK(reasons(good_run(), context) == Words{"the states of the PGs after it are unknown"});
}

TEST_CASE("an OSD that went down or came up during the run voids it") {
  RunContext context = good_context();
  context.up_after = {0, 2};
  CHECK(reasons(good_run(), context) == Words{"OSDs went down or came up during it: 1, 2"});
}

TEST_CASE("another OSD map with the same OSDs up is worth a warning") {
  RunContext context = good_context();
  context.epoch_after = 43;
  const RunVerdict verdict = judge(good_run(), context);
  CHECK(verdict.counts());
  CHECK(verdict.warnings == Words{"the OSD map changed during it"});
}

TEST_CASE("a run of less than a minute is marked as quick") {
  Run run = good_run();
  RunContext context = good_context();
  run.runtime_s = 10, context.length.runtime_s = 10;
  CHECK(judge(run, context) == RunVerdict{.quick = true});
}

TEST_CASE("a run that ended early does not count, one that ended late is suspicious") {
  Run run = good_run();
  run.runtime_s = 300;
  CHECK(reasons(run, good_context()) == Words{"it ran for 300 of 600 s"});
  run.runtime_s = 800;
  CHECK(judge(run, good_context()).warnings == Words{"the last operations ended 200 s late"});
}

TEST_CASE("everything that is wrong is said") {
  Run run = good_run();
  run.iops = 0;
  RunContext context = good_context();
  context.pgs_after = {{"active+clean", 20}, {"active+undersized+degraded", 12}};
  context.up_after = {0};
  CHECK(reasons(run, context).size() == 3);
}
