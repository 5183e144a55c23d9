// SPDX-License-Identifier: Apache-2.0
// Facts are taken from what Ceph prints, missing stays unknown, and the value in force is the right one of
// many.
#include "knowledge/facts.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>

#include "core/error.hpp"
#include "core/json_file.hpp"
#include "knowledge/fio_job.hpp"

using namespace osdtune;

namespace {

Facts from_conf(const std::string& text) {
  Facts facts;
  add_conf(read_ceph_conf(text, "ceph.conf"), &facts);
  return facts;
}

std::string in_force(const Facts& facts, int osd, const std::string& name) {
  const auto value = SettingIndex(facts).effective(osd, name);
  return value ? value->value : "nothing";
}

std::string add(const std::string& text, Facts* facts, const std::string& file = "dump.json") {
  return add_json(parse_json(text, file), file, facts);
}

}  // namespace

TEST_CASE("a narrower section wins whatever the order in the file") {
  const Facts facts = from_conf("[osd.1]\na = own\n[osd]\na = type\n[global]\na = all\n");
  CHECK(in_force(facts, 1, "a") == "own");
  CHECK(in_force(facts, 2, "a") == "type");
  CHECK(in_force(facts, -1, "a") == "type");
  CHECK(in_force(facts, 1, "b") == "nothing");
}

TEST_CASE("the last of two values in one section wins") {
  CHECK(in_force(from_conf("[osd]\na = 1\na = 2\n"), 0, "a") == "2");
}

TEST_CASE("a file wins over the monitors, and the running value over both") {
  Facts facts = from_conf("[global]\na = file\n");
  CHECK(add(R"([{"section":"osd.1","name":"a","value":"stored","mask":""}])", &facts) == "config dump");
  CHECK(in_force(facts, 1, "a") == "file");
  facts.osds[1].id = 1;
  facts.osds[1].running["a"] = "running";
  CHECK(in_force(facts, 1, "a") == "running");
}

TEST_CASE("a mask counts only for what it names") {
  Facts facts;
  add(R"([{"section":"osd","name":"a","value":"all","mask":""},
          {"section":"osd","name":"a","value":"flash","mask":"class:ssd"}])",
      &facts);
  facts.osds[1] = {.id = 1, .device_class = "ssd"};
  facts.osds[2] = {.id = 2, .device_class = "hdd"};
  CHECK(in_force(facts, 1, "a") == "flash");
  CHECK(in_force(facts, 2, "a") == "all");
  CHECK(in_force(facts, -1, "a") == "all");
}

TEST_CASE("metadata, tree and df add up to OSDs with host, class and use") {
  Facts facts;
  CHECK(add(R"([{"id":3,"hostname":"a","osd_objectstore":"bluestore","ceph_version_short":"18.2.7",
                 "bluestore_bdev_rotational":"0","mem_total_kb":"1024","devices":"nvme0n1",
                 "bluefs_dedicated_db":"0"}])",
            &facts) == "osd metadata");
  CHECK(add(R"({"nodes":[{"id":-2,"name":"a","type":"host","children":[3]},
                {"id":3,"name":"osd.3","type":"osd","device_class":"nvme","pgs":120,"utilization":50,"status":"up"}]})",
            &facts) == "osd tree or osd df");
  const OsdFacts& osd = facts.osds.at(3);
  CHECK(osd.host == "a");
  CHECK(osd.device_class == "nvme");
  CHECK(osd.rotational == false);
  CHECK(osd.dedicated_db == false);
  CHECK(osd.pgs == 120);
  CHECK(osd.used_ratio == 0.5);
  CHECK(osd.up == true);
  CHECK_FALSE(osd.db_rotational);
  CHECK(facts.hosts.at("a").memory_bytes == 1048576);
  CHECK(facts.release == "18.2.7");
}

TEST_CASE("different releases of OSDs leave that of the cluster unknown") {
  Facts facts;
  add(R"([{"id":0,"osd_objectstore":"bluestore","ceph_version_short":"18.2.7"},
          {"id":1,"osd_objectstore":"bluestore","ceph_version_short":"17.2.6"}])",
      &facts);
  CHECK_FALSE(facts.release);
}

TEST_CASE("status and OSD map give health, states, flags and pools") {
  Facts facts;
  CHECK(add(R"({"health":{"status":"HEALTH_WARN"},"pgmap":{"pgs_by_state":[
                {"state_name":"active+clean","count":30},{"state_name":"active+undersized","count":2}]}})",
            &facts) == "status");
  CHECK(
      add(R"({"flags":"noout,sortbitwise","pools":[{"pool_name":"rbd","size":2,"min_size":1,"pg_num":32,"type":1,
                "pg_autoscale_mode":"on"}],"osds":[{"osd":0,"up":1}]})",
          &facts) == "osd dump");
  CHECK(facts.health == "HEALTH_WARN");
  CHECK(facts.misplaced_or_degraded == 2);
  CHECK(facts.pgs_total == 32);
  CHECK(facts.flags == std::vector<std::string>{"noout", "sortbitwise"});
  REQUIRE(facts.pools.size() == 1);
  CHECK(facts.pools[0].size == 2);
  CHECK(facts.pools[0].erasure == false);
  CHECK(facts.osds.at(0).up == true);
}

TEST_CASE("running values are read in both forms of config show") {
  Facts facts;
  CHECK(add(R"([{"name":"osd_memory_target","value":"5","source":"mon"}])", &facts, "osd.7.json") ==
        "config show");
  CHECK(add(R"({"name":"osd.8","osd_memory_target":"6","osd_op_num_shards":"0"})", &facts, "osd.8.json") ==
        "config show");
  CHECK(facts.osds.at(7).running.at("osd_memory_target") == "5");
  CHECK(facts.osds.at(8).running.at("osd_memory_target") == "6");
}

TEST_CASE("a daemon's own name says whose values they are, and one OSD's metadata are metadata") {
  Facts facts;
  CHECK(add(R"({"name": "osd.5", "osd_op_num_shards": "4"})", &facts, "shown.json") == "config show");
  CHECK(facts.osds.at(5).running.at("osd_op_num_shards") == "4");
  CHECK(add(R"({"id": 7, "hostname": "b", "osd_objectstore": "bluestore", "rotational": "0"})", &facts) ==
        "osd metadata");
  CHECK(facts.osds.at(7).host == "b");
}

TEST_CASE("a report tells the PGs of each OSD") {
  Facts facts;
  add(R"({"osdmap": {}, "crushmap": {}, "num_pg_by_osd": [{"osd": 0, "num_primary_pg": 130, "num_acting_pg": 338}]})",
      &facts);
  CHECK(facts.osds.at(0).pgs == 338);
}

TEST_CASE("what 17.2, 18.2 and 19.2 print adds up to one cluster") {
  Facts facts;
  for (const char* name : {"quincy-config-dump.json", "reef-osd-metadata.json", "squid-osd-df.json",
                           "reef-status.json", "squid-counter-dump-osd.0.json"})
    add_file(std::filesystem::path(OSDTUNE_SOURCE_DIR "/tests/data/ceph_json") / name, &facts);
  CHECK(facts.notes.empty());
  CHECK(facts.release == "18.2.4");
  const OsdFacts& osd = facts.osds.at(0);
  CHECK(osd.host == "node1");
  CHECK(osd.device_class == "ssd");
  CHECK(osd.dedicated_db == false);
  CHECK(osd.pgs == 97);
  CHECK(osd.used_ratio == 0.2);
  CHECK(osd.counters.at("osd.op_w_latency") == 0.002);
  CHECK(osd.counters.at("bluestore.onode_hits") == 90);
  CHECK_FALSE(osd.counters.contains("osd_scrub_sh_repl.scrubs_started"));
  CHECK(facts.osds.at(1).up == false);
  CHECK(facts.hosts.at("node1").cpu_model == "AMD EPYC 7313P 16-Core Processor");
  CHECK(facts.hosts.at("node1").memory_bytes == 131072000.0 * 1024);
  CHECK(facts.health == "HEALTH_WARN");
  CHECK(facts.misplaced_or_degraded == 1);
  CHECK(in_force(facts, 0, "osd_memory_target") == "8589934592");
  CHECK_FALSE(in_force(facts, 1, "osd_memory_target") == "8589934592");
  CHECK(in_force(facts, 0, "osd_mclock_profile") == "high_client_ops");
}

TEST_CASE("JSON of no known kind is said, not guessed") {
  Facts facts;
  CHECK(add(R"({"a":1})", &facts).empty());
  CHECK(add("3", &facts).empty());
  CHECK(facts.notes.size() == 2);
}

TEST_CASE("fields of unexpected types do no harm") {
  Facts facts;
  add(R"([{"id":"x","osd_objectstore":3},{"id":-4,"osd_objectstore":[]}])", &facts);
  add(R"({"nodes":[{"id":{},"type":"osd"},{"type":"host","children":["a",-1]}]})", &facts);
  add(R"({"health":3,"pgmap":[]})", &facts);
  CHECK(facts.osds.empty());
}

TEST_CASE("JSON behind a program's words is found, and what is no ceph.conf is not taken for one") {
  Facts facts;
  add_file(std::string(OSDTUNE_SOURCE_DIR) + "/tests/data/fio/v2_rbd_version_line.json", &facts);
  CHECK(facts.files.empty());
  CHECK(facts.loads.size() == 1);
  const auto bench = std::filesystem::temp_directory_path() / ("osdtune-bench-" + std::to_string(::getpid()));
  save_text(bench,
            "hints = 1\nMaintaining 16 concurrent writes\n  sec Cur ops\n    0       0\n    1      16\n");
  CHECK_THROWS_WITH_AS(add_file(bench, &facts),
                       doctest::Contains("4 lines are no settings: this is no ceph.conf"), Error);
  std::filesystem::remove(bench);
}

TEST_CASE("hundreds of values without a section are what one daemon runs with") {
  std::string text = "name = osd.3\n";
  for (int i = 0; i < 400; ++i) text += "option_" + std::to_string(i) + " = 1\n";
  const Facts facts = from_conf(text);
  CHECK(facts.settings.empty());
  REQUIRE(facts.osds.size() == 1);
  CHECK(facts.osds.at(3).running.at("option_7") == "1");
}

TEST_CASE("a fio job inherits from the global section before it") {
  Facts facts;
  const std::string job =
      "[global]\nioengine=rbd\nruntime=60\n[a]\nrw=randwrite\n[b]\nreadwrite=randread\nruntime=5\n";
  CHECK(looks_like_fio_job(job));
  CHECK_FALSE(looks_like_fio_job("[osd]\nosd max backfills = 1\n"));
  add_fio_job(job, "a.fio", &facts);
  REQUIRE(facts.loads.size() == 2);
  CHECK(facts.loads[0].options.at("runtime") == "60");
  CHECK(facts.loads[1].options.at("runtime") == "5");
  CHECK(facts.loads[1].options.at("rw") == "randread");
  CHECK(facts.loads[1].options.at("ioengine") == "rbd");
}
