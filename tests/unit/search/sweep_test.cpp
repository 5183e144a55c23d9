// SPDX-License-Identifier: Apache-2.0
// Stories of sweeps on the simulated cluster: order of changes, faults, and the way back.
#include "search/sweep.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/error.hpp"
#include "search/cluster/journal.hpp"
#include "search/cluster/session.hpp"
#include "search/rollback.hpp"
#include "tests/unit/search/builders.hpp"

using namespace osdtune;
using namespace osdtune::test;

namespace {

/// Stored options, flags, balancer and pools, for "as it was".
std::string state_of(SimCluster& cluster) {
  std::string out = cluster.balancer_active() ? "balancer " : "";
  for (const auto& option : cluster.stored_options())
    out += option.section + "/" + option.mask + " " + option.name + "=" + option.value + " ";
  for (const auto& flag : cluster.flags()) out += flag + " ";
  for (const auto& pool : cluster.pools()) out += pool.name + ":" + pool.autoscale_mode + " ";
  for (const auto& [name, value] : cluster.running()) out += name + "=" + value + " ";
  return out + cluster.config_key("osdtune/session");
}

std::size_t position(const std::vector<std::string>& calls, const std::string& start) {
  const auto it = std::find_if(calls.begin(), calls.end(),
                               [&](const std::string& call) { return call.starts_with(start); });
  return static_cast<std::size_t>(it - calls.begin());
}

void run_sweep(SimTarget& sim, const Plan& plan, const std::filesystem::path& path,
               std::stop_token stop = {}) {
  StudyFile study(path);
  Silent silent;
  sweep(plan, sim.target, study, search_schedule(plan, [&] { return sim.cluster->now(); }), silent,
        std::move(stop));
}

}  // namespace

TEST_CASE("simulated time is the cluster's own: hours pass in no time and end the sweep") {
  const TestFolder folder;
  SimTarget sim = sim_target();
  Plan plan = small_plan(400);
  plan.measure = {.ramp_s = 60, .runtime_s = 600, .repeats = 2};
  plan.budget.hours = 12;
  plan.budget.min_gain = 0;
  const double before = sim.cluster->now();
  run_sweep(sim, plan, folder / "s.jsonl");
  const Study study = load_study(folder / "s.jsonl");
  CHECK(study.trials.back().at - before > 11 * 3600);
  CHECK(study.trials.back().at - before < 12 * 3600);
  const Trial& second = study.trials[1];
  CHECK(second.verdict->seconds.at("measuring") ==
        doctest::Approx(660.0 * static_cast<double>(second.runs.size())));
  CHECK(second.runs.back().at - second.at >= 1320);
}

TEST_CASE("a sweep measures the configuration as found first and leaves the cluster as it was") {
  const TestFolder folder;
  SimTarget sim = sim_target();
  sim.cluster->set_options({{.section = "osd", .mask = "class:ssd", .name = "debug_osd", .value = "1/5"}});
  const std::string before = state_of(*sim.cluster);
  run_sweep(sim, small_plan(5), folder / "s.jsonl");
  CHECK(state_of(*sim.cluster) == before);
  const Study study = load_study(folder / "s.jsonl");
  REQUIRE(study.trials.size() == 5);
  CHECK(study.trials[0].reason == "baseline");
  CHECK(study.trials[0].config == default_config(study.header->space));
  for (const auto& trial : study.trials) CHECK(counted_runs(trial, "rw4k").size() == 2);
  CHECK(unfinished_journals().empty());
}

TEST_CASE("scrub, balancer and autoscaler are off before the load begins") {
  const TestFolder folder;
  SimTarget sim = sim_target();
  run_sweep(sim, small_plan(2), folder / "s.jsonl");
  const auto& calls = sim.cluster->calls;
  CHECK(position(calls, "key osdtune/session") == 0);
  CHECK(position(calls, "flag noscrub on") < position(calls, "create pool"));
  CHECK(position(calls, "balancer off") < position(calls, "create pool"));
  CHECK(position(calls, "remove pool") < position(calls, "flag noscrub off"));
  CHECK(calls.back() == "rm key osdtune/session");
}

TEST_CASE("the first run after an OSD start is recorded but does not count") {
  const TestFolder folder;
  SimTarget sim = sim_target();
  run_sweep(sim, small_plan(5), folder / "s.jsonl");
  for (const auto& trial : load_study(folder / "s.jsonl").trials) {
    const bool restarted = trial.verdict->seconds.contains("restart") || trial.id == 0;
    CHECK(trial.runs.front().counted == !restarted);
    CHECK(trial.runs.size() == (restarted ? 3 : 2));
  }
}

TEST_CASE("an OSD that does not come back makes the trial infeasible, and the next trial goes on") {
  const TestFolder folder;
  SimTarget sim = sim_target();
  sim.cluster->deadly = {"osd_op_num_shards=16"};
  const std::string before = state_of(*sim.cluster);
  run_sweep(sim, small_plan(6), folder / "s.jsonl");
  CHECK(state_of(*sim.cluster) == before);
  int infeasible = 0;
  for (const auto& trial : load_study(folder / "s.jsonl").trials) {
    const bool deadly = trial.config.at("osd_op_num_shards") == Value(std::int64_t{16});
    CHECK(trial.verdict->feasible == !deadly);
    if (deadly) CHECK(trial.verdict->reason.find("did not come back") != std::string::npos);
    infeasible += deadly ? 1 : 0;
  }
  CHECK(infeasible > 0);
}

TEST_CASE("a value that does not reach the daemons makes the trial infeasible with that reason") {
  const TestFolder folder;
  SimTarget sim = sim_target();
  sim.cluster->stubborn = {"debug_osd"};
  run_sweep(sim, small_plan(6), folder / "s.jsonl");
  bool seen = false;
  for (const auto& trial : load_study(folder / "s.jsonl").trials)
    if (trial.config.at("debug_osd") == Value(std::string("20/20"))) {
      seen = true;
      CHECK(trial.verdict->reason == "debug_osd did not take effect: osd.0 runs with 1/5, stored is 20/20");
    }
  CHECK(seen);
}

TEST_CASE("a value that reaches the daemons late is waited for") {
  const TestFolder folder;
  SimTarget sim = sim_target();
  sim.cluster->slow = true;
  run_sweep(sim, small_plan(6), folder / "s.jsonl");
  for (const auto& trial : load_study(folder / "s.jsonl").trials) CHECK(trial.verdict->feasible);
}

TEST_CASE("lost runs are made up for, and too many of them end the trial") {
  const TestFolder folder;
  SimTarget sim = sim_target();
  sim.workload->before_run = [](int run) {
    if (run == 1 || (run >= 4 && run < 7)) throw TrialError("fio was killed");
  };
  run_sweep(sim, small_plan(3), folder / "s.jsonl");
  const Study study = load_study(folder / "s.jsonl");
  CHECK(study.trials[0].lost.size() == 1);
  CHECK(study.trials[0].verdict->feasible);
  CHECK_FALSE(study.trials[1].verdict->feasible);
  CHECK(study.trials[1].verdict->reason == "fio was killed");
  CHECK(study.trials[2].verdict->feasible);
}

TEST_CASE("an interrupted sweep restores the cluster and continues where it was") {
  const TestFolder folder;
  SimTarget sim = sim_target();
  const std::string before = state_of(*sim.cluster);
  std::stop_source source;
  sim.workload->before_run = [&](int run) {
    if (run == 4) source.request_stop();
  };
  CHECK_THROWS_AS(run_sweep(sim, small_plan(4), folder / "s.jsonl", source.get_token()), Error);
  CHECK(state_of(*sim.cluster) == before);
  const Study half = load_study(folder / "s.jsonl");
  REQUIRE(half.trials.size() == 2);
  CHECK_FALSE(half.trials[1].verdict);
  sim.workload->before_run = {};
  run_sweep(sim, small_plan(4), folder / "s.jsonl");
  const Study whole = load_study(folder / "s.jsonl");
  CHECK(whole.trials.size() == 4);
  CHECK(whole.trials[1].config == half.trials[1].config);
  CHECK(whole.trials[1].runs.size() >= half.trials[1].runs.size());
}

TEST_CASE("whatever change fails, the cluster is put back or the failure says so loudly") {
  const TestFolder folder;
  for (std::size_t fail_at = 0;; ++fail_at) {
    SimTarget sim = sim_target();
    const std::string before = state_of(*sim.cluster);
    std::size_t count = 0;
    bool failed = false;
    sim.cluster->before_call = [&](const std::string&) {
      if (count++ == fail_at) {
        failed = true;
        throw Error(ErrorKind::kCluster, "the monitor is gone");
      }
    };
    const auto path = folder / ("s" + std::to_string(fail_at) + ".jsonl");
    try {
      run_sweep(sim, small_plan(3), path);
    } catch (const Error&) {
      CHECK(state_of(*sim.cluster) == before);
    } catch (
        const RollbackError&) {  // the fault hit the way back: the journal is kept and a rollback mends it
      REQUIRE(unfinished_journals().size() == 1);
      Journal journal = Journal::open(unfinished_journals().front());
      Silent silent;
      Session session(*sim.cluster, sim.cluster.get(), std::move(journal), silent, {});
      session.assume_restart_due();
      session.restore();
      CHECK(state_of(*sim.cluster) == before);
    }
    CHECK(unfinished_journals().empty());
    if (!failed) break;
    REQUIRE(fail_at < 200);
  }
}

TEST_CASE("a second sweep on the same cluster is refused and names the first") {
  const TestFolder folder;
  SimTarget sim = sim_target();
  sim.workload->before_run = [&](int) {
    SimTarget twin = sim_target();
    CHECK_THROWS_WITH_AS(run_sweep(twin, small_plan(), folder / "twin.jsonl"),
                         doctest::Contains("a sweep works on this cluster already: process"), Error);
  };
  run_sweep(sim, small_plan(1), folder / "s.jsonl");
}

TEST_CASE("a sweep that finds an unfinished journal asks for a rollback first") {
  const TestFolder folder;
  SimTarget sim = sim_target();
  {
    Journal journal = Journal::claim(journal_path(sim.cluster->fsid()));
    JournalContent content;
    content.header = {.fsid = sim.cluster->fsid(), .target = "sim:test", .study = "old.jsonl"};
    journal.begin(content);
  }
  CHECK_THROWS_WITH_AS(run_sweep(sim, small_plan(), folder / "s.jsonl"),
                       doctest::Contains("an earlier sweep ended without putting this cluster back"), Error);
  CHECK(sim.cluster->calls.empty());
}

TEST_CASE("a pool of that name that was there before is refused and never removed") {
  const TestFolder folder;
  SimTarget sim = sim_target();
  sim.cluster->create_pool("osdtune", 8, 3);
  sim.cluster->calls.clear();
  CHECK_THROWS_WITH_AS(run_sweep(sim, small_plan(), folder / "s.jsonl"),
                       doctest::Contains("has a pool 'osdtune' already"), Error);
  CHECK(sim.cluster->calls.empty());
  CHECK(sim.cluster->pools().size() == 1);
}

TEST_CASE("a cluster that another host's sweep holds is refused, and its mark stays") {
  const TestFolder folder;
  SimTarget sim = sim_target();
  sim.cluster->set_config_key("osdtune/session", "other-host process 7 study night.jsonl");
  sim.cluster->calls.clear();
  CHECK_THROWS_WITH_AS(run_sweep(sim, small_plan(), folder / "s.jsonl"),
                       doctest::Contains("other-host process 7"), Error);
  CHECK(sim.cluster->calls.empty());
  CHECK(sim.cluster->config_key("osdtune/session") == "other-host process 7 study night.jsonl");
}

TEST_CASE("an unhealthy cluster is not swept") {
  const TestFolder folder;
  SimTarget sim = sim_target();
  sim.cluster->deadly = {"osd_op_num_shards=8"};
  CHECK_THROWS(sim.cluster->restart_osds());
  CHECK_THROWS_WITH_AS(run_sweep(sim, small_plan(), folder / "s.jsonl"), "osd.0 is down", Error);
}
