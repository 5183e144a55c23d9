// SPDX-License-Identifier: Apache-2.0
// Host facts are read from /proc and /sys as the kernel writes them, and what is not there stays unknown.
#include "knowledge/host_facts.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <fstream>

#include "core/error.hpp"

using namespace osdtune;
namespace fs = std::filesystem;

namespace {

/// A /proc and /sys of our own.
class Tree {
 public:
  Tree() : root_(fs::temp_directory_path() / ("osdtune-host-" + std::to_string(::getpid()))) {
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  ~Tree() { fs::remove_all(root_); }
  void write(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  HostFacts collect() const { return collect_host_facts(root_); }
  const fs::path& root() const { return root_; }

 private:
  fs::path root_;
};

void add_cpus(Tree* tree, int cores) {
  tree->write("sys/devices/system/cpu/online", "0-" + std::to_string(2 * cores - 1));
  for (int cpu = 0; cpu < 2 * cores; ++cpu) {
    const std::string path = "sys/devices/system/cpu/cpu" + std::to_string(cpu);
    const int core = cpu % cores;
    tree->write(path + "/topology/thread_siblings_list",
                std::to_string(core) + "," + std::to_string(core + cores));
    tree->write(path + "/topology/physical_package_id", "0");
    tree->write(path + "/cpufreq/scaling_governor", "powersave\n");
  }
}

}  // namespace

TEST_CASE("an empty host knows nothing and invents nothing") {
  CHECK(Tree().collect() == HostFacts{});
  CHECK(to_json(Tree().collect()) == Json::object());
}

TEST_CASE("cores are counted apart from hardware threads") {
  Tree tree;
  add_cpus(&tree, 4);
  const HostFacts facts = tree.collect();
  CHECK(facts.threads == 8);
  CHECK(facts.cores == 4);
  CHECK(facts.sockets == 1);
  CHECK(facts.smt == true);
  CHECK(facts.governor == "powersave");
}

TEST_CASE("cores with different governors are called mixed") {
  Tree tree;
  add_cpus(&tree, 2);
  tree.write("sys/devices/system/cpu/cpu3/cpufreq/scaling_governor", "performance");
  CHECK(tree.collect().governor == "mixed");
}

TEST_CASE("the deepest sleep state that is not disabled counts") {
  Tree tree;
  const std::string idle = "sys/devices/system/cpu/cpu0/cpuidle/";
  tree.write(idle + "state0/latency", "0");
  tree.write(idle + "state1/latency", "2");
  tree.write(idle + "state2/latency", "133");
  tree.write(idle + "state2/disable", "1");
  CHECK(tree.collect().idle_latency_us == 2);
}

TEST_CASE("only kernel parameters that matter are kept") {
  Tree tree;
  tree.write("proc/cmdline", "root=/dev/sda1 secret=x intel_idle.max_cstate=0 mitigations=off quiet");
  CHECK(tree.collect().kernel_parameters ==
        std::vector<std::string>{"intel_idle.max_cstate=0", "mitigations=off"});
}

TEST_CASE("an IOMMU that passes through is not one that translates") {
  Tree tree;
  tree.write("sys/kernel/iommu_groups/0/type", "identity");
  CHECK(tree.collect().iommu == false);
  tree.write("sys/kernel/iommu_groups/1/type", "DMA-FQ");
  CHECK(tree.collect().iommu == true);
}

TEST_CASE("container limits are read, and no limit is unknown") {
  Tree tree;
  tree.write("proc/self/cgroup", "0::/kube/osd\n");
  tree.write("sys/fs/cgroup/kube/osd/memory.max", "5368709120");
  tree.write("sys/fs/cgroup/kube/osd/cpu.max", "200000 100000");
  CHECK(tree.collect().memory_limit_bytes == 5368709120.0);
  CHECK(tree.collect().cpu_limit == 2);
  tree.write("sys/fs/cgroup/kube/osd/memory.max", "max");
  tree.write("sys/fs/cgroup/kube/osd/cpu.max", "max 100000");
  CHECK_FALSE(tree.collect().memory_limit_bytes);
  CHECK_FALSE(tree.collect().cpu_limit);
}

TEST_CASE("drives are listed with model and kind, loop devices are not") {
  Tree tree;
  tree.write("sys/block/nvme0n1/size", "1000");
  tree.write("sys/block/nvme0n1/device/model", "Model One   \n");
  tree.write("sys/block/nvme0n1/queue/rotational", "0");
  tree.write("sys/block/loop0/size", "1000");
  const HostFacts facts = tree.collect();
  REQUIRE(facts.drives.size() == 1);
  CHECK(facts.drives[0].model == "Model One");
  CHECK(facts.drives[0].bytes == 512000);
  CHECK(facts.drives[0].rotational == false);
}

TEST_CASE("a card without a known speed has none") {
  Tree tree;
  tree.write("sys/class/net/eth0/operstate", "up");
  tree.write("sys/class/net/eth0/speed", "-1");
  tree.write("sys/class/net/eth1/operstate", "up");
  tree.write("sys/class/net/eth1/speed", "25000");
  tree.write("sys/class/net/eth2/operstate", "down");
  const HostFacts facts = tree.collect();
  REQUIRE(facts.nics.size() == 2);
  CHECK_FALSE(facts.nics[0].speed_mbit);
  CHECK(facts.nics[1].speed_mbit == 25000);
}

TEST_CASE("host facts survive a file") {
  Tree tree;
  add_cpus(&tree, 2);
  tree.write("proc/meminfo", "MemTotal:  16384 kB\nSwapTotal: 10 kB\nSwapFree: 4 kB\n");
  tree.write("proc/cmdline", "mitigations=off");
  tree.write("sys/devices/system/cpu/vulnerabilities/meltdown", "Vulnerable");
  tree.write("sys/block/sda/size", "8");
  const HostFacts facts = tree.collect();
  CHECK(facts.memory_bytes == 16384.0 * 1024);
  CHECK(facts.swap_bytes == 6.0 * 1024);
  CHECK(host_facts_from_json(to_json(facts), "facts") == facts);
}

TEST_CASE("a wrong field in host facts is named") {
  CHECK_THROWS_WITH_AS(host_facts_from_json(Json{{"coers", 4}}, "host.json"), doctest::Contains("coers"),
                       Error);
}

TEST_CASE("this host has processors, memory and a kernel") {
  const HostFacts facts = collect_host_facts();
  CHECK(facts.threads.value_or(0) >= 1);
  CHECK(facts.memory_bytes.value_or(0) > 0);
  CHECK(facts.kernel);
  CHECK(interrupt_count().value_or(0) > 0);
}
