// SPDX-License-Identifier: Apache-2.0
// Bounds that follow from the host: worked out by hand.
#include "search/host_bounds.hpp"

#include <doctest/doctest.h>

#include <map>

#include "core/error.hpp"
#include "search/study.hpp"

using namespace osdtune;

namespace {

Setting number(const std::string& name, int low, int high, int found, Change change = Change::kRestart) {
  return {.name = name,
          .low = static_cast<double>(low),
          .high = static_cast<double>(high),
          .default_value = std::int64_t{found},
          .change = change};
}

OptionSource source_with(std::optional<OsdHost> host) {
  OptionSource source;
  source.host = host;
  source.osds_per_device = 1;
  source.found = [](const std::string& name) {
    const std::map<std::string, std::string> found = {{"osd_op_num_shards", "8"},
                                                      {"osd_op_num_threads_per_shard", "2"},
                                                      {"ms_async_op_threads", "3"},
                                                      {"osd_memory_target", "4294967296"}};
    return found.at(name);
  };
  return source;
}

Config config(std::int64_t shards, std::int64_t per_device) {
  return {{"osd_op_num_shards", shards}, {"osds_per_device", per_device}};
}

}  // namespace

TEST_CASE("threads of all OSDs stay below eight to a CPU thread") {
  Space space{.settings = {number("osd_op_num_shards", 1, 64, 8),
                           number("osds_per_device", 1, 4, 1, Change::kRedeploy)},
              .known = {}};
  space.known = host_bounds(space, source_with(OsdHost{.osds = 4, .cpus = 16, .memory_bytes = 64e9}));
  REQUIRE(space.known.size() == 2);
  // 4 devices, 2 threads a shard, 3 messenger threads; at most 128 threads
  CHECK(is_allowed(space, config(8, 1)));         // 4 x 19
  CHECK(is_allowed(space, config(14, 1)));        // 4 x 31 = 124
  CHECK_FALSE(is_allowed(space, config(15, 1)));  // 4 x 33 = 132
  CHECK_FALSE(is_allowed(space, config(8, 2)));   // 8 x 19 = 152
  CHECK(is_allowed(space, config(6, 2)));         // 8 x 15 = 120
  // 4 GiB each: 51.2 GB hold 11 OSDs, so three to a device are too many
  CHECK_FALSE(is_allowed(space, config(1, 3)));
}

TEST_CASE("the configuration as found is always allowed") {
  Space space{.settings = {number("osd_op_num_shards", 1, 64, 8)}, .known = {}};
  space.known = host_bounds(space, source_with(OsdHost{.osds = 2, .cpus = 2, .memory_bytes = {}}));
  REQUIRE(space.known.size() == 1);
  CHECK(is_allowed(space, {{"osd_op_num_shards", std::int64_t{8}}}));
  CHECK_FALSE(is_allowed(space, {{"osd_op_num_shards", std::int64_t{9}}}));
}

TEST_CASE("a listed value can be tried although its threads are many, but not beyond the memory") {
  Setting layout = number("osds_per_device", 1, 2, 1, Change::kRedeploy);
  layout.values = {std::int64_t{1}, std::int64_t{2}};
  Space space{.settings = {number("osd_op_num_shards", 1, 64, 8), layout}, .known = {}};
  space.known = host_bounds(space, source_with(OsdHost{.osds = 2, .cpus = 2, .memory_bytes = 24e9}));
  CHECK(is_allowed(space, config(8, 2)));        // 4 x 19 = 76, as the plan wants it
  CHECK_FALSE(is_allowed(space, config(9, 2)));  // 4 x 21 = 84
  CHECK_THROWS_WITH_AS(
      host_bounds(space, source_with(OsdHost{.osds = 2, .cpus = 2, .memory_bytes = 16e9})),
      "osds_per_device: 2 cannot be tried: memory targets of all OSDs, in GiB, would be at least 16, and "
      "this host bears 11.9",
      Error);
}

TEST_CASE("nothing is bounded where the host is unknown or the space moves no threads") {
  const Space shards{.settings = {number("osd_op_num_shards", 1, 64, 8)}, .known = {}};
  const Space other{.settings = {number("osd_client_message_cap", 1, 64, 8)}, .known = {}};
  CHECK(host_bounds(shards, source_with(std::nullopt)).empty());
  CHECK(host_bounds(other, source_with(OsdHost{.osds = 2, .cpus = 2, .memory_bytes = 1e9})).empty());
}

TEST_CASE("bounds survive the study file") {
  Space space{.settings = {number("osd_op_num_shards", 1, 64, 8)}, .known = {}};
  space.known = host_bounds(space, source_with(OsdHost{.osds = 2, .cpus = 8, .memory_bytes = {}}));
  CHECK(space_from_json(to_json(space), "study") == space);
}
