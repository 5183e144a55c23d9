// SPDX-License-Identifier: Apache-2.0
// A run on its way into a study and back.
#include <doctest/doctest.h>

#include "core/error.hpp"
#include "search/workload/workload.hpp"

using namespace osdtune;
using doctest::Contains;

namespace {

Run full_run() {
  return {.workload = "rw4k",
          .iops = 2345.678901234567,
          .bandwidth = 9607900.1,
          .runtime_s = 600.001,
          .mean_ms = 6.8,
          .p50_ms = 5.1,
          .p95_ms = 14.0,
          .p99_ms = 22.2,
          .p999_ms = 70.0,
          .client_cpu = 0.41,
          .osd_cpu = 1.25,
          .job_cpu = 0.12,
          .stage_us = {{"bluestore.kv_sync_lat", 350.5}, {"osd.op_latency", 4100}},
          .warnings = {"a", "b\n\"c\""}};
}

doctest::String complaint(const std::string& text) {
  try {
    run_from_json(parse_json(text, "test"), "study:7: run");
  } catch (const Error& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("a run survives being written and read") {
  const std::string text = to_json(full_run()).dump();
  CHECK(run_from_json(parse_json(text, "test"), "run") == full_run());
  const Run sparse{.workload = "w", .iops = 1, .bandwidth = 2, .runtime_s = 3};
  CHECK(run_from_json(to_json(sparse), "run") == sparse);
}

TEST_CASE("what a run does not know is absent from its JSON") {
  const Json json = to_json(Run{.workload = "w", .iops = 1, .bandwidth = 2, .runtime_s = 3});
  CHECK(json.dump() == R"({"workload":"w","iops":1.0,"bandwidth":2.0,"runtime_s":3.0})");
}

TEST_CASE("a broken run names the place and the field") {
  const std::string start = R"({"workload": "w", "iops": 1, "bandwidth": 2, "runtime_s": 3)";
  CHECK(complaint(start + "}") == "accepted");
  CHECK(complaint(R"({"workload": "w"})") == Contains("study:7: run: the field \"iops\" is missing"));
  CHECK(complaint(start + R"(, "p99": 3})") == Contains("unknown field \"p99\""));
  CHECK(complaint(start + R"(, "p99_ms": null})") == Contains("p99_ms: expected a number"));
  CHECK(complaint(start + R"(, "p99_ms": -1})") == Contains("p99_ms: -1 is negative"));
  CHECK(complaint(start + R"(, "warnings": "w"})") == Contains("warnings: expected a list of strings"));
  CHECK(complaint(start + R"(, "warnings": [1]})") == Contains("warnings: expected a list of strings"));
  CHECK(complaint("[]") == Contains("expected an object"));
}
