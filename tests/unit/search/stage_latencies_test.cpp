// SPDX-License-Identifier: Apache-2.0
// Latencies of a run from counters that only grow.
#include "search/stage_latencies.hpp"

#include <doctest/doctest.h>

#include "core/error.hpp"
#include "tests/unit/search/builders.hpp"

using namespace osdtune;
using namespace osdtune::test;

namespace {

/// OSDs that count, or do not answer.
class CountingCluster : public SimCluster {
 public:
  CountingCluster() : SimCluster("18.2.7", 2, sim_options()) {}
  bool answers = true;
  std::map<std::string, LatencySum> latencies(int) override {
    if (!answers) throw Error(ErrorKind::kCluster, "perf dump: no answer");
    return {{"osd.op_latency", {.count = 10, .seconds = 0.02}}, {"osd.other", {.count = 1, .seconds = 1}}};
  }
};

}  // namespace

TEST_CASE("stages of a run are what was counted during it") {
  const auto us =
      stage_latencies_us({{"a", {.count = 100, .seconds = 1}}, {"b", {.count = 5, .seconds = 1}}},
                         {{"a", {.count = 300, .seconds = 1.5}}, {"b", {.count = 5, .seconds = 1}}});
  CHECK(us.size() == 1);
  CHECK(us.at("a") == doctest::Approx(2500));
}

TEST_CASE("an OSD that was restarted during a run has no stages, nor one that did not answer") {
  CHECK(stage_latencies_us({{"a", {.count = 100, .seconds = 1}}}, {{"a", {.count = 3, .seconds = 0.1}}})
            .empty());
  CountingCluster cluster;
  const auto counted = stage_counters(cluster);
  CHECK(counted.size() == 1);
  CHECK(counted.at("osd.op_latency").count == 20);
  cluster.answers = false;
  CHECK(stage_counters(cluster).empty());
}
