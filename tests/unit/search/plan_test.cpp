// SPDX-License-Identifier: Apache-2.0
// Plans are read whole or refused with the place of the mistake.
#include "search/plan.hpp"

#include <doctest/doctest.h>

#include "core/error.hpp"

using namespace osdtune;

namespace {

Plan read(const std::string& text) {
  return plan_from_json(parse_json(text, "p.json"), "p.json");
}

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const Error& e) {
    return std::string(e.what()) + (e.hint().empty() ? "" : " | " + e.hint());
  }
  return "accepted";
}

const std::string kWorkloads = R"("workloads": [{"name": "rw4k", "bs": "4k", "iodepth": 16}])";

}  // namespace

TEST_CASE("a plan of space and workloads alone gets the honest defaults") {
  const Plan plan = read(R"({"space": {"osd_op_num_shards": [2, 4]}, )" + kWorkloads + "}");
  CHECK(plan.measure.runtime_s == 600);
  CHECK(plan.measure.repeats == 3);
  CHECK(to_text(plan.goal.maximize) == "rw4k.iops");
  CHECK(to_text(plan.goal.minimize) == "rw4k.p99_ms");
  CHECK(plan.workloads[0].bs == 4096);
}

TEST_CASE("a plan survives being written and read") {
  const Plan plan = read(R"({
    // comments are allowed
    "space": {"osd_op_num_shards": {"low": 2, "high": 16, "scale": "log"}, "debug_levels": ["default", "off"]},
    "workloads": [{"name": "mix", "rw": "randrw", "bs": "8k", "iodepth": 4, "jobs": 2, "images": 3, "rwmixread": 70}],
    "goal": {"maximize": "mix.bandwidth", "minimize": "mix.mean_ms", "bounds": {"mix.p99_ms": {"max": 10}}, "prefer": "latency"},
    "measure": {"ramp_s": 5, "runtime_s": 30, "repeats": 4, "control_every": 5},
    "budget": {"trials": 12, "hours": 1.5}, "load": {"image_size": "2G", "pg_num": 64, "pool_size": 2}, "seed": 7})");
  CHECK(plan_from_json(to_json(plan), "again") == plan);
  CHECK(count_images(plan) == 3);
  CHECK(load_seconds(plan, true) == doctest::Approx(5 * 35));
}

TEST_CASE("broken JSON is located by line and column") {
  CHECK(refusal("{\n  \"space\": [,]\n}").find("p.json: line 2, column 13: syntax error") !=
        std::string::npos);
}

TEST_CASE("mistakes in a plan are named with their place") {
  CHECK(refusal(R"({"space": {}, )" + kWorkloads + "}").find("p.json: space: the space is empty") == 0);
  CHECK(refusal(R"({"space": {"a": []}, )" + kWorkloads + "}").find("space.a: the list of values is empty") !=
        std::string::npos);
  CHECK(refusal(R"({"space": {"a": [1, 1]}, )" + kWorkloads + "}").find("the value 1 is listed twice") !=
        std::string::npos);
  CHECK(refusal(R"({"space": {"a b": [1], "a_b": [2]}, )" + kWorkloads + "}")
            .find("the setting a_b stands there twice") != std::string::npos);
  CHECK(
      refusal(R"({"space": {"a": [1], "a": [2]}, )" + kWorkloads + "}").find("the key \"a\" stands twice") !=
      std::string::npos);
  CHECK(refusal(R"({"space": {"a": [1]}})").find("the field \"workloads\" is missing") != std::string::npos);
  CHECK(refusal(R"({"space": {"a": [1]}, "sead": 1, )" + kWorkloads + "}") ==
        "p.json: unknown field \"sead\" | did you mean \"seed\"?");
  CHECK(refusal(R"({"space": {"a": [1]}, "goal": {"maximize": "rw4.iops"}, )" + kWorkloads + "}")
            .find("did you mean 'rw4k'?") != std::string::npos);
  CHECK(refusal(R"({"space": {"a": [1]}, "goal": {"minimize": "rw4k.p98"}, )" + kWorkloads + "}")
            .find("does not end with a metric") != std::string::npos);
  CHECK(refusal(R"({"space": {"a": [1]}, "workloads": [{"name": "x", "rw": "rndwrite"}]})")
            .find("'rndwrite' is not one of") != std::string::npos);
  CHECK(refusal(R"({"space": {"a": [1]}, "workloads": [{"name": "x", "rwmixread": 50}]})")
            .find("only rw and randrw") != std::string::npos);
  CHECK(refusal(R"({"space": {"a": [1]}, "workloads": [{"name": "x"}, {"name": "x"}]})")
            .find("two workloads are named x") != std::string::npos);
  CHECK(refusal(R"({"space": {"a": [1]}, "measure": {"repeats": 0}, )" + kWorkloads + "}")
            .find("0 is not between 1") != std::string::npos);
}
