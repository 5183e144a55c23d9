// SPDX-License-Identifier: Apache-2.0
// The knowledge graph has no loose ends, and answers how an option reaches a metric.
#include "knowledge/graph.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace osdtune;

namespace {

const KnowledgeGraph& graph() {
  static const KnowledgeGraph loaded(load_catalogue());
  return loaded;
}

bool moves(const std::string& option, const std::string& metric) {
  for (const auto& way : graph().ways_to_metrics("option:" + option))
    if (way.back().to == "metric:" + metric) return true;
  return false;
}

bool contains(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

}  // namespace

TEST_CASE("no edge ends nowhere and nothing requires itself") {
  for (const std::string& fault : graph().faults()) FAIL_CHECK(fault);
  CHECK(graph().nodes().size() > 400);
}

TEST_CASE("ways lead from an option to the metrics it moves, step by step") {
  CHECK(moves("osd_op_num_shards", "iops"));
  CHECK(moves("osd_memory_target", "memory_use"));
  CHECK(moves("osd_max_backfills", "recovery_time"));
  CHECK_FALSE(moves("rbd_cache", "memory_use"));
  for (const auto& way : graph().ways_to_metrics("option:ms_async_op_threads")) {
    CHECK(way.front().from == "option:ms_async_op_threads");
    for (std::size_t i = 1; i < way.size(); ++i) CHECK(way[i].from == way[i - 1].to);
  }
  CHECK(graph().ways_to_metrics("option:nothing").empty());
}

TEST_CASE("options on the same threads are searched together, others apart") {
  CHECK(contains(graph().interacting_options("osd_op_num_shards"), "osd_op_num_threads_per_shard"));
  const auto groups =
      graph().groups({"osd_op_num_shards", "osd_op_num_threads_per_shard", "bluestore_rocksdb_options"});
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].size() == 2);
  CHECK(graph().groups({}).empty());
}

TEST_CASE("what is required is applied first") {
  const auto order =
      graph().order_of_application({"osd_mclock_scheduler_client_res", "osd_op_queue", "osd_mclock_profile"});
  REQUIRE(order.size() == 3);
  CHECK(order.front() == "osd_op_queue");
  CHECK(order.back() == "osd_mclock_scheduler_client_res");
}

TEST_CASE("the drawing names the option and what it sets") {
  const std::string dot = graph().dot("option:ms_async_op_threads", 2);
  CHECK(dot.find("\"option:ms_async_op_threads\" -> \"pool:messenger\"") != std::string::npos);
  CHECK(dot.find("option:rbd_cache\"") == std::string::npos);
}
