// SPDX-License-Identifier: Apache-2.0
// The option catalogue tells the truth about releases, about taking effect, and about danger.
#include "knowledge/catalogue.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "core/error.hpp"

using namespace osdtune;

namespace {

const Catalogue& catalogue() {
  static const Catalogue loaded = load_catalogue();
  return loaded;
}

Option option(const std::string& name, const std::string& release) {
  const std::optional<Option> found = find_option(catalogue(), name, release);
  REQUIRE_MESSAGE(found, name << " in " << release);
  return *found;
}

}  // namespace

TEST_CASE("options that claim to change at run time but are read once need a restart") {
  const Option threads = option("ms_async_op_threads", "16.2.15");
  CHECK(threads.runtime_claimed);
  CHECK(threads.takes_effect == TakesEffect::kRestart);
  CHECK(threads.min == 1);
  CHECK(threads.max == 24);
}

TEST_CASE("each way of taking effect is found where it applies") {
  CHECK(option("osd_op_num_shards", "18.2.7").takes_effect == TakesEffect::kRestart);
  CHECK(option("osd_op_queue", "18.2.7").takes_effect == TakesEffect::kRestart);
  CHECK(option("osd_memory_target", "18.2.7").takes_effect == TakesEffect::kLive);
  CHECK(option("debug_osd", "18.2.7").takes_effect == TakesEffect::kLive);
  CHECK(option("rbd_cache", "18.2.7").takes_effect == TakesEffect::kImageReopen);
  CHECK(option("bluestore_min_alloc_size", "18.2.7").takes_effect == TakesEffect::kRecreate);
  CHECK(option("ms_osd_compress_mode", "18.2.7").takes_effect == TakesEffect::kNewConnections);
}

TEST_CASE("an option nobody has looked into is treated as needing a restart") {
  const Option unknown = option("osd_max_pgls", "18.2.7");
  CHECK(unknown.runtime_claimed);
  CHECK_FALSE(unknown.takes_effect);
  CHECK(takes_effect_or_restart(unknown) == TakesEffect::kRestart);
}

TEST_CASE("defaults follow the point release") {
  CHECK(option("osd_op_num_shards_hdd", "18.2.4").default_value == "5");
  CHECK(option("osd_op_num_shards_hdd", "18.2.5").default_value == "1");
  CHECK(option("osd_op_num_shards_hdd", "19.2.0").default_value == "5");
  CHECK(option("osd_op_num_shards_hdd", "19.2.1").default_value == "1");
  CHECK(option("osd_op_num_shards_hdd", "20.2.0").default_value == "1");
  CHECK(option("osd_mclock_profile", "17.2.6").default_value == "high_client_ops");
  CHECK(option("osd_mclock_profile", "17.2.7").default_value == "balanced");
  CHECK(option("osd_op_queue", "16.2.15").default_value == "wpq");
  CHECK(option("osd_op_queue", "17.2.0").default_value == "mclock_scheduler");
  CHECK(option("bluestore_rocksdb_options", "18.2.3").default_value.find("kNoCompression") !=
        std::string::npos);
  CHECK(option("bluestore_rocksdb_options", "18.2.4").default_value.find("kLZ4Compression") !=
        std::string::npos);
}

TEST_CASE("options come and go with the releases") {
  CHECK(find_option(catalogue(), "osd_mclock_cost_per_io_usec", "17.2.6"));
  CHECK_FALSE(find_option(catalogue(), "osd_mclock_cost_per_io_usec", "17.2.7"));
  CHECK_FALSE(find_option(catalogue(), "osd_mclock_max_sequential_bandwidth_ssd", "17.2.6"));
  CHECK(find_option(catalogue(), "osd_mclock_max_sequential_bandwidth_ssd", "17.2.7"));
  CHECK_FALSE(find_option(catalogue(), "osd_mclock_iops_capacity_low_threshold_ssd", "18.2.4"));
  CHECK(find_option(catalogue(), "osd_mclock_iops_capacity_low_threshold_ssd", "18.2.5"));
  CHECK_FALSE(find_option(catalogue(), "ms_async_max_op_threads", "16.2.15"));
  CHECK(option("osd_mclock_scheduler_client_res", "16.2.15").type == "uint");
  CHECK(option("osd_mclock_scheduler_client_res", "18.2.0").type == "float");
  CHECK(find_option_anywhere(catalogue(), "osd_mclock_cost_per_io_usec")->removed == "17.2.7");
}

TEST_CASE("the default of a device class is that of the pair where the option itself is 0") {
  const Release quincy = parse_release("17.2.6");
  CHECK(default_for(catalogue(), "osd_op_num_shards", quincy, "ssd") == "8");
  CHECK(default_for(catalogue(), "osd_op_num_shards", quincy, "nvme") == "8");
  CHECK(default_for(catalogue(), "osd_op_num_shards", quincy, "hdd") == "5");
  CHECK(default_for(catalogue(), "osd_memory_target", quincy, "hdd") == "4294967296");
  CHECK_FALSE(default_for(catalogue(), "no_such_option", quincy, "hdd"));
}

TEST_CASE("settings that risk data, security or diagnosis are never searchable") {
  for (const char* name :
       {"osd_pool_default_size", "osd_pool_default_min_size", "auth_cluster_required",
        "auth_service_required", "auth_client_required", "cephx_sign_messages", "ms_crc_data",
        "ms_crc_header", "bluestore_csum_type", "osd_enable_op_tracker", "ms_cluster_mode"})
    CHECK_MESSAGE(!is_searchable(option(name, "18.2.7")), name);
  CHECK(is_searchable(option("osd_op_num_shards", "18.2.7")));
  CHECK(is_searchable(option("debug_osd", "18.2.7")));
}

TEST_CASE("the log subsystems of an OSD follow the release") {
  const auto has = [](const std::string& name, const std::string& release) {
    const std::vector<std::string> names = debug_subsystems(catalogue(), release);
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  CHECK(has("debug_osd", "16.2.15"));
  CHECK(has("debug_bluestore", "16.2.15"));
  CHECK_FALSE(has("debug_mclock", "16.2.15"));
  CHECK(has("debug_mclock", "17.2.7"));
  CHECK(has("debug_bluestore_compression", "20.2.4"));
  CHECK_FALSE(has("debug_bluestore_compression", "19.2.0"));
  CHECK_FALSE(has("debug_mds", "18.2.7"));
  CHECK(option("debug_rocksdb", "18.2.7").default_value == "4/5");
  CHECK(option("debug_ms", "18.2.7").default_value == "0/0");
}

TEST_CASE("real options of other daemons are known, invented ones are not") {
  CHECK(is_known(catalogue(), "mds_cache_memory_limit"));
  CHECK(is_known(catalogue(), "osd_memory_target"));
  CHECK_FALSE(is_known(catalogue(), "osd_max_recovery_threads"));
  CHECK(option_names(catalogue(), parse_release("18.2.7")).size() > 900);
}

TEST_CASE("every described option exists in some release and says what it does") {
  for (const std::string& name : described_options(catalogue())) {
    const std::optional<Option> found = find_option_anywhere(catalogue(), name);
    REQUIRE_MESSAGE(found, name);
    CHECK_MESSAGE(!found->effect.empty(), name);
    CHECK_MESSAGE(!found->sources.empty(), name);
    for (const OptionRelation& relation : found->relations)
      CHECK_MESSAGE(is_known(catalogue(), relation.option), name << " -> " << relation.option);
  }
}

TEST_CASE("loading the catalogue stays far below what a person notices") {
  const auto start = std::chrono::steady_clock::now();
  CHECK(load_catalogue().facts.size() > 1000);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::milliseconds(500));
}

TEST_CASE("releases are read in every form they are written in") {
  CHECK(parse_release("18.2.7") == Release{18, 2, 7});
  CHECK(parse_release("v16.2.15") == Release{16, 2, 15});
  CHECK(parse_release("ceph version 17.2.6 (d7ff0d10654d2280e08f1ab989c7cdf3064446a5) quincy (stable)") ==
        Release{17, 2, 6});
  CHECK(parse_release("18.2.7-0ubuntu1") == Release{18, 2, 7});
  CHECK(parse_release("18.2") > Release{18, 2, 7});
  CHECK(to_text(parse_release("18.2")) == "18.2");
  CHECK(parse_release("reef") == parse_release("18"));
  CHECK(release_name(parse_release("19.2.1")) == "squid");
  CHECK_THROWS_AS(parse_release("newest"), Error);
  CHECK_THROWS_AS(parse_release(""), Error);
}
