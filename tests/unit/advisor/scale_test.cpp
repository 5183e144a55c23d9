// SPDX-License-Identifier: Apache-2.0
// A study of simulated hosts, carried over to hosts with more cores, against what those hosts do.
#include "advisor/scale.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "core/error.hpp"
#include "search/host_study.hpp"
#include "search/sim/sim_file.hpp"
#include "search/sweep.hpp"
#include "tests/unit/search/builders.hpp"

using namespace osdtune;
using namespace osdtune::test;

namespace {

Plan two_loads(const std::string& more = "") {
  return plan_from_json(
      parse_json(
          R"({"space": {"ms_async_op_threads": [1, 3, 6], "osd_op_num_shards": [2, 4, 8, 16])" + more + R"(},
    "workloads": [{"name": "rw4k", "rw": "randwrite", "bs": "4k", "iodepth": 32, "images": 16},
                  {"name": "qd1", "rw": "randwrite", "bs": "4k"}],
    "goal": {"maximize": "rw4k.iops", "minimize": "qd1.p99_ms"}, "budget": {"trials": 12, "min_gain": 0}})",
          "plan"),
      "plan");
}

/// A sweep of the example's hosts with so many cores.
Study swept(const TestFolder& folder, double cores, const Plan& plan) {
  Json host = load_json(OSDTUNE_SOURCE_DIR "/examples/hosts/one-socket-16-core.json");
  host["cores"] = cores;
  save_text(folder / "host.json", host.dump());
  Json file = load_json(OSDTUNE_SOURCE_DIR "/examples/simulated-host.json");
  file["host"] = "host.json";
  save_text(folder / "sim.json", file.dump());
  Target target = open_target("sim:" + (folder / "sim.json").string(), "client.admin");
  const std::filesystem::path path = folder / ("cores" + std::to_string(static_cast<int>(cores)) + ".jsonl");
  {
    StudyFile study(path);
    Silent silent;
    sweep(plan, target, study, search_schedule(plan), silent, {});
  }
  return load_study(path);
}

}  // namespace

TEST_CASE("scale: more cores are predicted from few, with a warning, within the interval") {
  const TestFolder folder;
  const Study small = swept(folder, 16, two_loads()), large = swept(folder, 48, two_loads());
  const ScaleAnswer answer = scale({small}, {}, {.cores = 48});
  CHECK(!answer.inside());
  CHECK(to_text(answer, small).find("extrapolated from 16 to 48 cores; measure before you rely on it") !=
        std::string::npos);
  const Conclusion truth = recommend(large, {}).conclusion;
  const ScaledConfig& found = answer.configs.front();
  CHECK(found.origin == "as found");
  CHECK(found.iops.contains(truth.baseline.mean[0]));
  CHECK(found.iops.value == doctest::Approx(truth.baseline.mean[0]).epsilon(0.25));
  CHECK(found.iops.value > 1.2 * recommend(small, {}).conclusion.baseline.mean[0]);

  const ScaleAnswer both = scale({small, large}, {}, {.cores = 32});
  CHECK(both.inside());
  CHECK(both.cores_low == 16);
  CHECK(both.cores_high == 48);
}

TEST_CASE("the search expects what the host model does, and nothing of hosts that nobody described") {
  const TestFolder folder;
  const Study study = swept(folder, 16, two_loads());
  const Trend trend = host_trend(study);
  REQUIRE(trend);
  Config few = default_config(study.header->space), many = few;
  few["osd_op_num_shards"] = std::int64_t{2};
  many["osd_op_num_shards"] = std::int64_t{16};
  const Conclusion found = recommend(study, {}).conclusion;
  CHECK(-trend(default_config(study.header->space))[0] ==
        doctest::Approx(std::log(found.baseline.mean[0])).epsilon(0.02));
  CHECK(trend(few) != trend(many));
  Study unknown = study;
  unknown.header->facts["osd_host"] = Json::object();
  CHECK(!host_trend(unknown));
  Study unmodelled = study;
  unmodelled.header->space.settings = {};
  CHECK(!host_trend(unmodelled));
}

TEST_CASE("scale: the interval widens with distance") {
  const TestFolder folder;
  const Study study = swept(folder, 16, two_loads());
  const auto width = [&](double cores) {
    const Interval iops = scale({study}, {}, {.cores = cores}).configs.front().iops;
    return iops.high / iops.low;
  };
  CHECK(width(16) < width(32));
  CHECK(width(32) < width(256));
}

TEST_CASE(
    "scale: trials with settings the host model does not know stay out of its calibration, and that is "
    "said") {
  const TestFolder folder;
  const Study study = swept(folder, 16, two_loads(R"(, "debug_osd": ["1/5", "20/20"])"));
  const StudyHost host = study_host(*study.header, {});
  CHECK(host.host.hosts == 3);
  CHECK(host.host.devices == 4);
  CHECK(host.osds.replicas == 3);
  CHECK(host_observations(study, host).size() < 2 * study.trials.size());
  for (const HostObservation& seen : host_observations(study, host)) {
    REQUIRE(seen.cores_used);
    CHECK(*seen.cores_used > 0.1);
    CHECK(*seen.cores_used <= 16);
  }
  CHECK(to_text(scale({study}, {}, {.cores = 32}), study).find("trials: the others change settings") !=
        std::string::npos);
}

TEST_CASE("scale: too much memory, other releases and unknown hosts are said") {
  const TestFolder folder;
  const Study study = swept(folder, 16, two_loads());
  const ScaleAnswer tight =
      scale({study}, {}, {.cores = 32, .devices = 10, .memory_bytes = 32.0 * (1LL << 30)});
  CHECK(to_text(tight, study).find("this host bears 25.6 GiB") != std::string::npos);
  CHECK(to_text(tight, study).find("extrapolated from 4 to 10 drives") != std::string::npos);
  Study other = study;
  other.header->release = "19.2.0";
  CHECK_THROWS_AS(scale({study, other}, {}, {.cores = 32}), Error);
  Study unknown = study;
  unknown.header->facts["osd_host"] = Json::object();
  CHECK_THROWS_WITH_AS(scale({unknown}, {}, {.cores = 32}),
                       "the study does not say how many cores its OSD hosts have", Error);
  CHECK(scale({unknown}, {}, {.cores = 32, .measured_cores = 16}).cores_low == 16);
}
