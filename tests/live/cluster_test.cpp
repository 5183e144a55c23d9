// SPDX-License-Identifier: Apache-2.0
// Control of a real cluster, on a lab that this program makes and removes. Prints what each step takes.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>

#include "core/error.hpp"
#include "search/cluster/lab.hpp"
#include "search/cluster/lab_config.hpp"
#include "search/cluster/rados.hpp"

using namespace osdtune;
using doctest::Contains;

namespace {

constexpr const char* kPool = "live";

/// One lab for all tests, removed at the end of the program.
struct LiveLab {
  Silent progress;
  Lab lab = lab_up({.directory = fmt::format("/dev/shm/osdtune-live-{}", ::getpid()),
                    .device_bytes = std::int64_t{2} << 30},
                   progress, {});
  std::unique_ptr<Cluster> cluster = connect_rados(lab.conf(), "client.admin");
  ~LiveLab() {
    cluster.reset();
    lab_down(lab.directory(), progress);
  }
};

LiveLab& live() {
  static LiveLab lab;
  return lab;
}

template <class Work>
void timed(const char* what, Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  fmt::print("{}: {:.2f} s\n", what,
             std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

std::string running(int osd, const std::string& name) {
  const auto values = live().cluster->running_values(osd, {name});
  return values.contains(name) ? values.at(name) : "";
}

std::vector<StoredOption> debug_options() {
  std::vector<StoredOption> options;
  for (const auto& [name, value] : live().cluster->running_values(0, [] {
         std::set<std::string> names;
         for (const char* part :
              {"asok",         "auth",       "bdev",      "bluefs",      "bluestore",     "buffer",
               "client",       "compressor", "context",   "crush",       "crypto",        "dpdk",
               "eventtrace",   "filer",      "filestore", "finisher",    "fuse",          "heartbeatmap",
               "javaclient",   "journal",    "journaler", "kstore",      "lockdep",       "mds",
               "mds_balancer", "mds_locker", "mds_log",   "mgr",         "mgrc",          "mon",
               "monc",         "ms",         "none",      "objclass",    "objectcacher",  "objecter",
               "optracker",    "osd",        "paxos",     "perfcounter", "prioritycache", "rados",
               "rbd",          "rbd_mirror", "rbd_pwl",   "rbd_replay",  "refs",          "reserver",
               "rgw",          "rgw_sync",   "rocksdb",   "striper",     "test",          "throttle",
               "timer",        "tp"})
           names.insert(std::string("debug_") + part);
         return names;
       }()))
    options.push_back({"osd", "", name, "0/0"});
  return options;
}

void expect_error(const std::string& words, const std::function<void()>& work) {
  try {
    work();
    FAIL("no error");
  } catch (const Error& e) {
    const std::string said = e.what();
    INFO(said);
    CHECK(said.find(words) != std::string::npos);
    CHECK_FALSE(e.hint().empty());
  }
}

}  // namespace

TEST_CASE("a fresh lab answers all that a sweep asks") {
  Cluster& cluster = *live().cluster;
  CHECK(cluster.health().status == "HEALTH_OK");
  CHECK(cluster.release().find('.') != std::string::npos);
  CHECK(cluster.fsid() == live().lab.state().fsid);
  CHECK(cluster.osds().size() == 2);
  CHECK(cluster.osds()[1].device_class == "ssd");
  CHECK(cluster.pools().empty());
  CHECK(cluster.option_help("ms_async_op_threads").max == "24");
  CHECK(cluster.option_help("debug_osd").default_value == "1/5");
  CHECK_THROWS_WITH_AS(cluster.option_help("osd_op_num_shard"), Contains("osd_op_num_shard"), Error);
  CHECK(cluster.balancer_active());
  CHECK(running(0, "osd_op_num_shards_hdd") == "8");
}

TEST_CASE("a value that is set reaches every OSD, and its removal too") {
  const auto options = debug_options();
  CHECK(options.size() > 40);
  const auto before = live().cluster->stored_options();
  timed(fmt::format("setting {} debug options", options.size()).c_str(),
        [&] { live().cluster->set_options(options); });
  for (const int osd : {0, 1}) CHECK(running(osd, "debug_bluestore") == "0/0");
  live().cluster->remove_options(options);
  for (const int osd : {0, 1}) CHECK(running(osd, "debug_bluestore") == "1/5");
  CHECK(live().cluster->stored_options() == before);
}

TEST_CASE("a value that the cluster refuses is an infeasible trial that names it") {
  const auto refused = [](const char* name, const char* value) {
    CHECK_THROWS_WITH_AS(live().cluster->set_options({{"osd", "", name, value}}), Contains(name), TrialError);
  };
  refused("osd_op_num_shards", "many");
  refused("osd_memory_target", "1");
  refused("osd_no_such_option", "1");
}

TEST_CASE("flags, balancer, masks and keys go on and off again") {
  Cluster& cluster = *live().cluster;
  cluster.set_flag("noscrub", true);
  CHECK(cluster.flags().contains("noscrub"));
  cluster.set_flag("noscrub", false);
  CHECK_FALSE(cluster.flags().contains("noscrub"));
  cluster.set_balancer(false);
  CHECK_FALSE(cluster.balancer_active());
  cluster.set_balancer(true);
  const StoredOption masked{"osd", "class:ssd", "osd_max_backfills", "2"};
  cluster.set_options({masked});
  const auto stored = cluster.stored_options();
  CHECK(std::find(stored.begin(), stored.end(), masked) != stored.end());
  cluster.remove_options({masked});
  CHECK(cluster.config_key("osdtune/live").empty());
  cluster.set_config_key("osdtune/live", "here");
  CHECK(cluster.config_key("osdtune/live") == "here");
  cluster.remove_config_key("osdtune/live");
  CHECK(cluster.config_key("osdtune/live").empty());
}

TEST_CASE("an image is written in full once, and known again") {
  Cluster& cluster = *live().cluster;
  cluster.create_pool(kPool, 32, 0);
  REQUIRE(cluster.pools().size() == 1);
  CHECK(cluster.pools()[0].autoscale_mode == "off");
  timed("writing 128 MiB", [&] { cluster.create_image(kPool, "image", 128 << 20); });
  const auto start = std::chrono::steady_clock::now();
  cluster.create_image(kPool, "image", 128 << 20);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(2));
  expect_error("134217728", [&] { cluster.create_image(kPool, "image", 64 << 20); });
}

TEST_CASE("a restart makes new values effective and ends with all PGs clean") {
  Cluster& cluster = *live().cluster;
  const StoredOption shards{"osd", "", "osd_op_num_shards", "3"};
  cluster.set_options({shards});
  CHECK(running(0, "osd_op_num_threads_per_shard") == "0");
  const ProcessId before = live().lab.state().daemons.at("osd.0");
  timed("restarting 2 OSDs", [] { live().lab.restart_osds(); });
  CHECK(live().lab.state().daemons.at("osd.0") != before);
  CHECK(running(1, "osd_op_num_shards") == "3");
  CHECK(cluster.pg_states() == PgStates{{"active+clean", 32}});
  cluster.remove_options({shards});
  timed("restarting 2 OSDs", [] { live().lab.restart_osds(); });
}

TEST_CASE("an OSD that was killed is back after a restart") {
  send_signal(live().lab.state().daemons.at("osd.1"), SIGKILL);
  timed("restart after a kill", [] { live().lab.restart_osds(); });
  CHECK(live().cluster->osds()[1].up);
}

TEST_CASE("an OSD that cannot start is an infeasible trial with the end of its log") {
  Cluster& cluster = *live().cluster;
  const StoredOption impossible{"osd", "", "bluestore_rocksdb_options", "no_such_thing=1"};
  cluster.set_options({impossible});
  timed("failing restart",
        [] { CHECK_THROWS_WITH_AS(live().lab.restart_osds(), Contains("end of its log"), TrialError); });
  cluster.remove_options({impossible});
  timed("restart afterwards", [] { live().lab.restart_osds(); });
}

TEST_CASE("OSDs are not made again while there are pools, nor on shares that are too small") {
  expect_error(kPool, [] { live().lab.redeploy(2); });
  CHECK_THROWS_WITH_AS(live().lab.redeploy(9), Contains("osds_per_device = 9"), TrialError);
}

TEST_CASE("devices are split among another number of OSDs") {
  Cluster& cluster = *live().cluster;
  timed("removing the pool", [&] { cluster.remove_pool(kPool); });
  timed("redeploy to 2 per device", [] { live().lab.redeploy(2); });
  CHECK(cluster.osds().size() == 4);
  CHECK(live().lab.osds_per_device() == 2);
  timed("redeploy to 1 per device", [] { live().lab.redeploy(1); });
  CHECK(cluster.osds().size() == 2);
  CHECK(cluster.osds()[0].device_class == "ssd");
}

TEST_CASE("what cannot be connected to says why, in bounded time") {
  const std::filesystem::path folder = live().lab.directory();
  expect_error("no file", [&] { connect_rados(folder / "absent.conf", "client.admin"); });
  expect_error("refused client.nobody", [&] { connect_rados(live().lab.conf(), "client.nobody"); });
  std::string conf = load_text(live().lab.conf());
  write_secret(folder / "wrong.keyring", keyring_entry("client.admin", make_cephx_key(), {}));
  save_text(folder / "wrong.conf",
            conf + "[client.admin]\nkeyring = " + (folder / "wrong.keyring").string() + "\n");
  expect_error("refused client.admin", [&] { connect_rados(folder / "wrong.conf", "client.admin"); });
  const std::string port = fmt::format("127.0.0.1:{}", live().lab.state().mon_port);
  save_text(folder / "deaf.conf", conf.replace(conf.find(port), port.size(), "127.0.0.1:1"));
  const auto start = std::chrono::steady_clock::now();
  expect_error("cannot connect", [&] { connect_rados(folder / "deaf.conf", "client.admin"); });
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(15));
}
