// SPDX-License-Identifier: Apache-2.0
// What a space allows, how large it is and what a change costs.
#include "search/space.hpp"

#include <doctest/doctest.h>

using namespace osdtune;

namespace {

Setting integer(const std::string& name, double low, double high, Change change = Change::kRuntime) {
  Setting out;
  out.name = name;
  out.low = low;
  out.high = high;
  out.default_value = static_cast<std::int64_t>(low);
  out.change = change;
  return out;
}

Setting category(const std::string& name, const std::vector<Value>& values) {
  Setting out;
  out.name = name;
  out.kind = SettingKind::kCategory;
  out.values = values;
  out.default_value = values.front();
  return out;
}

Space shards_and_threads() {
  Space out;
  out.settings = {integer("shards", 1, 16, Change::kRestart), integer("threads", 1, 4, Change::kRestart),
                  integer("osds_per_device", 1, 2, Change::kRedeploy),
                  category("debug_levels", {std::string("default"), std::string("off")})};
  KnownConstraint threads{.name = "threads", .terms = {}, .limit = 20};
  threads.terms.push_back({1.0, {"osds_per_device", "shards", "threads"}});
  out.known = {threads};
  return out;
}

Config config(int shards, int threads, int osds, const std::string& debug = "default") {
  return {{"shards", std::int64_t{shards}},
          {"threads", std::int64_t{threads}},
          {"osds_per_device", std::int64_t{osds}},
          {"debug_levels", debug}};
}

}  // namespace

TEST_CASE("a configuration inside all ranges that keeps the known limits is allowed") {
  const Space space = shards_and_threads();
  CHECK(is_allowed(space, config(5, 2, 2)));
  CHECK(is_allowed(space, default_config(space)));
  CHECK_FALSE(is_allowed(space, config(6, 2, 2)));   // 24 threads
  CHECK_FALSE(is_allowed(space, config(17, 1, 1)));  // beyond the range
  CHECK_FALSE(is_allowed(space, config(5, 2, 1, "loud")));
  CHECK_FALSE(is_allowed(space, {{"shards", std::int64_t{5}}}));
}

TEST_CASE("a listed number may be written as integer or real but must be listed") {
  Space space;
  Setting listed = integer("shards", 1, 16);
  listed.values = {std::int64_t{1}, std::int64_t{4}};
  space.settings = {listed};
  CHECK(is_allowed(space, {{"shards", 4.0}}));
  CHECK_FALSE(is_allowed(space, {{"shards", std::int64_t{2}}}));
}

TEST_CASE("the dearest of several changes counts") {
  const Space space = shards_and_threads();
  CHECK(change_between(space, config(5, 2, 1), config(5, 2, 1, "off")) == Change::kRuntime);
  CHECK(change_between(space, config(5, 2, 1), config(4, 2, 1, "off")) == Change::kRestart);
  CHECK(change_between(space, config(5, 2, 1), config(4, 2, 2)) == Change::kRedeploy);
}

TEST_CASE("configurations are counted unless a real setting makes them endless") {
  Space space = shards_and_threads();
  CHECK(count_configs(space) == 16 * 4 * 2 * 2);
  Setting real = integer("ratio", 0, 1);
  real.kind = SettingKind::kReal;
  space.settings.push_back(real);
  CHECK_FALSE(count_configs(space).has_value());
}
