// SPDX-License-Identifier: Apache-2.0
// Answers of clusters: the shapes of 16.2 and of later releases.
#include "search/cluster/rados_replies.hpp"

#include <doctest/doctest.h>

#include "core/error.hpp"

using namespace osdtune;

namespace {

Json json(const char* text) {
  return parse_json(text, "test");
}

}  // namespace

TEST_CASE("the release is that of the OSDs") {
  const Json mixed = {{"mon", {{"ceph version 17.2.6 (x) quincy (stable)", 1}}},
                      {"osd", {{"ceph version 16.2.15 (618f) pacific (stable)", 2}}}};
  CHECK(parse_release(mixed) == "16.2.15");
  const Json development = {{"osd", {{"ceph version 19.2.0-12-gab (x) squid (dev)", 1}}}};
  CHECK(parse_release(development) == "19.2.0");
}

TEST_CASE("OSDs of two releases, or none at all, are an error") {
  const Json two = {{"osd", {{"ceph version 16.2.15 (a)", 1}, {"ceph version 17.2.6 (b)", 1}}}};
  CHECK_THROWS_WITH_AS(parse_release(two), doctest::Contains("16.2.15 and 17.2.6"), Error);
  const Json none = {{"osd", Json::object()}};
  CHECK_THROWS_AS(parse_release(none), Error);
}

TEST_CASE("an OSD is put together from map, tree and metadata") {
  const auto osds = parse_osds(json(R"({"osds": [{"osd": 3, "up": 1, "in": 0}]})"),
                               json(R"({"nodes": [{"id": -1, "type": "root"},
                                                  {"id": 3, "type": "osd", "device_class": "ssd"}], "stray": []})"),
                               json(R"([{"id": 3, "hostname": "a"}])"));
  REQUIRE(osds.size() == 1);
  CHECK(osds[0] == Osd{.id = 3, .up = true, .in = false, .device_class = "ssd", .host = "a"});
}

TEST_CASE("an OSD without metadata is listed all the same") {
  const auto osds =
      parse_osds(json(R"({"osds": [{"osd": 0, "up": 0, "in": 1}]})"), json(R"({"nodes": []})"), json("[]"));
  REQUIRE(osds.size() == 1);
  CHECK(osds[0].host.empty());
}

TEST_CASE("PG states are counted in both shapes of pg stat") {
  const PgStates expected = {{"active+clean", 30}, {"peering", 2}};
  const char* states = R"([{"name": "active+clean", "num": 30}, {"name": "peering", "num": 2}])";
  CHECK(parse_pg_states({{"num_pg_by_state", json(states)}}) == expected);
  CHECK(parse_pg_states({{"pg_ready", true}, {"pg_summary", {{"num_pg_by_state", json(states)}}}}) ==
        expected);
}

TEST_CASE("the daemon default of an option goes before the general one") {
  const auto help = [](const Json& daemon) {
    return parse_option_help({{"name", "log_max_recent"},
                              {"type", "int"},
                              {"default", 500},
                              {"daemon_default", daemon},
                              {"min", ""},
                              {"max", ""},
                              {"enum_values", Json::array()},
                              {"can_update_at_runtime", true}});
  };
  CHECK(help(10000).default_value == "10000");
  CHECK(help("").default_value == "500");
}

TEST_CASE("stored options keep section and mask") {
  const auto options = parse_stored_options(json(
      R"([{"section": "osd", "mask": "class:ssd", "name": "osd_max_backfills", "value": "2", "level": "advanced"}])"));
  REQUIRE(options.size() == 1);
  CHECK(options[0] == StoredOption{"osd", "class:ssd", "osd_max_backfills", "2"});
  CHECK(section_text(options[0]) == "osd/class:ssd");
  CHECK(section_text({"osd.3", "", "a", "1"}) == "osd.3");
}

TEST_CASE("names a daemon does not know are left out of its running values") {
  const auto values = parse_running_values(json(R"({"a": "1", "b": 2, "c": true})"), {"a", "b", "x"});
  CHECK(values == std::map<std::string, std::string>{{"a", "1"}, {"b", "2"}});
}

TEST_CASE("an answer that lacks what it should have names the command") {
  CHECK_THROWS_WITH_AS(parse_health(json(R"({"state": "fine"})")), doctest::Contains("'health'"), Error);
  CHECK_THROWS_WITH_AS(parse_pools(json(R"({"pools": [{"pool": "one"}]})")), doctest::Contains("'osd dump'"),
                       Error);
}

TEST_CASE("latencies are the averages among the counters of an OSD and its store") {
  const auto latencies = parse_latencies(json(R"({
    "osd": {"op": 7, "op_latency": {"avgcount": 4, "sum": 0.5, "avgtime": 0.125}},
    "bluestore": {"kv_sync_lat": {"avgcount": 2, "sum": 0.002, "avgtime": 0.001}},
    "rocksdb": {"get_latency": {"avgcount": 9, "sum": 1, "avgtime": 0.1}}})"));
  CHECK(latencies.size() == 2);
  CHECK(latencies.at("osd.op_latency").count == 4);
  CHECK(latencies.at("osd.op_latency").seconds == 0.5);
  CHECK(latencies.at("bluestore.kv_sync_lat").seconds == 0.002);
  CHECK_THROWS_AS(parse_latencies(json("{}")), Error);
}
