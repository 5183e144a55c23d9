// SPDX-License-Identifier: Apache-2.0
// Order of a verification, and which trials belong to it.
#include "search/verify.hpp"

#include <doctest/doctest.h>

#include "search/observe.hpp"
#include "tests/unit/search/builders.hpp"

using namespace osdtune;
using namespace osdtune::test;

namespace {

Config with_shards(std::int64_t shards) {
  return {{"shards", shards}};
}

Study empty_study() {
  Study study;
  study.header = StudyHeader{.plan = small_plan(2)};
  study.header->space.settings = {
      {.name = "shards", .low = 1, .high = 8, .default_value = std::int64_t{8}, .change = Change::kRestart}};
  return study;
}

/// Runs a schedule to its end; `iops` of 8 shards is 1,000, fewer have a fifth more.
void play(Study& study, const Schedule& schedule) {
  while (const auto suggestion = schedule.next(study)) {
    const bool found = suggestion->config == with_shards(8);
    const double noise = 1 + 0.01 * static_cast<double>(study.trials.size() % 3);
    Run run{.workload = "rw4k", .iops = (found ? 1000 : 1200) * noise};
    run.p99_ms = (found ? 12 : 10) / noise;
    study.trials.push_back({.id = static_cast<int>(study.trials.size()),
                            .config = suggestion->config,
                            .reason = suggestion->reason,
                            .runs = {{.run = run}},
                            .verdict = TrialVerdict{}});
  }
}

}  // namespace

TEST_CASE("pairs are measured in changing order and confirm a true gain") {
  Study study = empty_study();
  CHECK_FALSE(verification_of(study));
  play(study, verify_schedule(study, with_shards(4), 5));
  REQUIRE(study.trials.size() == 10);
  CHECK(study.trials[0].config == with_shards(4));
  CHECK(study.trials[1].config == with_shards(8));
  CHECK(study.trials[2].config == with_shards(8));
  CHECK(study.trials[3].config == with_shards(4));
  const Verification verdict = verification_of(study).value();
  CHECK(verdict.pairs == 5);
  CHECK(verdict.confirmed);
  CHECK(verdict.gain[0]->value == doctest::Approx(0.2).epsilon(0.1));
  CHECK(verdict.gain[1]->value == doctest::Approx(1.0 / 6).epsilon(0.1));  // 10 instead of 12 ms
}

TEST_CASE("an interrupted verification goes on, another configuration begins its own") {
  Study study = empty_study();
  play(study, verify_schedule(study, with_shards(4), 5));
  play(study, verify_schedule(study, with_shards(4), 5));
  CHECK(study.trials.size() == 10);
  play(study, verify_schedule(study, with_shards(4), 6));
  CHECK(study.trials.size() == 12);
  study.trials.pop_back();
  play(study, verify_schedule(study, with_shards(2), 3));
  CHECK(study.trials.size() == 17);
  const Verification verdict = verification_of(study).value();
  CHECK(verdict.config == with_shards(2));
  CHECK(verdict.pairs == 3);
}

TEST_CASE("the end of an earlier verification is not taken for the beginning of the next") {
  Study study = empty_study();
  play(study, verify_schedule(study, with_shards(4), 3));  // ends with the configuration as found
  REQUIRE(study.trials.back().config == with_shards(8));
  play(study, verify_schedule(study, with_shards(2), 2));
  const Verification verdict = verification_of(study).value();
  CHECK(verdict.pairs == 2);
  CHECK(verdict.failed == 0);
}
