// SPDX-License-Identifier: Apache-2.0
// Adding up the fio processes of one run.
#include "search/workload/fio_run.hpp"

#include <doctest/doctest.h>

#include "core/error.hpp"
#include "core/json_file.hpp"

using namespace osdtune;
using doctest::Approx;
using doctest::Contains;

namespace {

FioResult load(const std::string& name) {
  return parse_fio_json(load_text(std::string(OSDTUNE_SOURCE_DIR "/tests/data/fio/") + name), name);
}

Run run_of(const std::string& name) {
  return to_run({load(name)}, "w");
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// One job with one direction: 100 operations in one second, all in one bin.
FioResult one_job(double latency_ms) {
  FioDirection write{.iops = 100, .bandwidth = 409600, .runtime_s = 1, .operations = 100};
  write.latency = FioLatency{.mean_ms = latency_ms, .count = 100, .bins = {{latency_ms, 100}}};
  return {.source = "image",
          .jobs = {{.name = "j", .directions = {write}, .thread_cpu = 0.5, .cpu_seconds = 0.5}}};
}

}  // namespace

TEST_CASE("percentiles recomputed from histogram bins are those that fio prints") {
  for (const char* name : {"v3_mixed_bins.json", "v3_unified_both.json", "v3_two_clients.json"}) {
    const FioResult result = load(name);
    for (const auto& job : result.jobs)
      for (const auto& direction : job.directions) {
        CAPTURE(name);
        REQUIRE(direction.latency);
        CHECK(direction.latency->percentile_ms.size() == 4);
        for (const auto& [per_cent, value] : direction.latency->percentile_ms) {
          CAPTURE(per_cent);
          CHECK(*bins_percentile(direction.latency->bins, per_cent) == Approx(value).epsilon(1e-9));
        }
      }
  }
}

TEST_CASE("the merged histogram of reads and writes agrees with fio's own sum of both") {
  const Run run = run_of("v3_unified_both.json");  // its "mixed" section says 50, 181, 370, 2352 ns
  CHECK(run.iops == Approx(4002));
  CHECK(*run.p50_ms == Approx(50e-6));
  CHECK(*run.p95_ms == Approx(181e-6));
  CHECK(*run.p99_ms == Approx(370e-6));
  CHECK(*run.p999_ms == Approx(2352e-6));
}

TEST_CASE("a single job keeps the percentiles that fio printed") {
  const Run run = run_of("v3_json.json");
  CHECK(run.workload == "w");
  CHECK(run.iops == 2000);
  CHECK(run.bandwidth == 8192000);
  CHECK(run.runtime_s == 0.5);
  CHECK(*run.p95_ms == Approx(620e-6));
  CHECK(*run.p999_ms == Approx(2480e-6));
  CHECK(run.warnings.empty());
}

TEST_CASE("processes of several images add up, with percentiles from the merged histogram") {
  const Run run = to_run({one_job(1), one_job(1), one_job(1), one_job(50)}, "w");
  CHECK(run.iops == 400);
  CHECK(run.bandwidth == 4 * 409600);
  CHECK(run.runtime_s == 1);
  CHECK(*run.mean_ms == Approx(13.25));
  CHECK(*run.p50_ms == 1);
  CHECK(*run.p95_ms == 50);  // an average of percentiles would say 13.25
  CHECK(*run.client_cpu == Approx(2));
  CHECK(*run.job_cpu == 0.5);
}

TEST_CASE("percentiles of several jobs without histograms are left out, not averaged") {
  const Run run = run_of("v3_two_jobs.json");
  CHECK(run.iops == Approx(3996).epsilon(0.001));
  CHECK(run.mean_ms);
  CHECK_FALSE(run.p50_ms);
  CHECK_FALSE(run.p99_ms);
  REQUIRE(run.warnings.size() == 1);
  CHECK(mentions(run.warnings[0], "json+"));
}

TEST_CASE("two clients add up once") {
  const Run run = run_of("v3_two_clients.json");
  CHECK(run.iops == Approx(992.047714 + 984.126984));
  CHECK(run.p99_ms);
}

TEST_CASE("client CPU is in cores, over all jobs of a group") {
  const Run run = run_of("v3_mixed_bins.json");
  REQUIRE(run.client_cpu);
  CHECK(*run.client_cpu > 0.12 * 1.9);  // 12.2 % user of two jobs, and the system time
  CHECK(*run.client_cpu < 1);
  FioResult unknown = one_job(1);
  unknown.jobs[0].cpu_seconds.reset();
  CHECK_FALSE(to_run({one_job(1), unknown}, "w").client_cpu);
  CHECK(to_run({one_job(1), unknown}, "w").job_cpu);
}

TEST_CASE("latency that one part did not measure is unknown for the whole") {
  CHECK_FALSE(run_of("v3_gtod_reduce.json").mean_ms);
  FioResult unmeasured = one_job(1);
  unmeasured.jobs[0].directions[0].latency.reset();
  const Run run = to_run({one_job(1), unmeasured}, "w");
  CHECK(run.iops == 200);
  CHECK_FALSE(run.mean_ms);
  CHECK_FALSE(run.p50_ms);
  REQUIRE(run.warnings.size() == 1);
  CHECK(mentions(run.warnings[0], "gtod_reduce"));
}

TEST_CASE("a job that could not connect writes error 0 and zeros, and is refused with fio's words") {
  CHECK_THROWS_WITH_AS(run_of("v3_rbd_no_cluster.json"),
                       Contains("did no I/O; fio said: rados_conf_read_file failed"), TrialError);
}

TEST_CASE("a job with an I/O error is refused however many operations it did") {
  CHECK_THROWS_WITH_AS(run_of("v3_io_error.json"), Contains("error 28 (No space left on device)"),
                       TrialError);
}

TEST_CASE("one idle job among busy ones is refused") {
  FioResult idle = one_job(1);
  idle.jobs[0].directions.clear();
  CHECK_THROWS_WITH_AS(to_run({one_job(1), idle}, "w"), Contains("did no I/O"), TrialError);
}

TEST_CASE("nothing to add up is refused") {
  CHECK_THROWS_AS(to_run({}, "w"), TrialError);
  CHECK_THROWS_WITH_AS(to_run({FioResult{.source = "x"}}, "w"), Contains("no job"), TrialError);
  FioResult timeless = one_job(1);
  timeless.jobs[0].directions[0].runtime_s = 0;
  CHECK_THROWS_WITH_AS(to_run({timeless}, "w"), Contains("no run time"), TrialError);
}

TEST_CASE("jobs that ran one after the other are not one run") {
  CHECK_THROWS_WITH_AS(run_of("v3_one_after_other.json"), Contains("different groups"), TrialError);
}

TEST_CASE("jobs of unequal length raise a doubt") {
  FioResult shorter = one_job(1);
  shorter.jobs[0].directions[0].runtime_s = 0.5;
  const Run run = to_run({one_job(1), shorter}, "w");
  REQUIRE(run.warnings.size() == 1);
  CHECK(mentions(run.warnings[0], "0.5 to 1 s"));
}
