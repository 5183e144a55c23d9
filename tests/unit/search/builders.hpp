// SPDX-License-Identifier: Apache-2.0
// One-line builders for tests of the search: a small simulated cluster, a small plan, a folder that cleans
// up.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "search/plan.hpp"
#include "search/sim/sim_workload.hpp"
#include "search/target.hpp"

namespace osdtune::test {

/// A folder below the temporary one; OSDTUNE_STATE_DIR points into it while it lives.
class TestFolder {
 public:
  TestFolder()
      : path_(std::filesystem::temp_directory_path() / ("osdtune-test-" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
    ::setenv("OSDTUNE_STATE_DIR", (path_ / "state").c_str(), 1);
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline std::vector<SimOption> sim_options() {
  return {
      {.help = {.name = "osd_op_num_shards", .type = "int", .default_value = "8"}, .needs_restart = true},
      {.help = {.name = "ms_async_op_threads", .type = "uint", .default_value = "3", .min = "1", .max = "24"},
       .needs_restart = true},
      {.help = {.name = "osd_client_message_cap", .type = "uint", .default_value = "256"}},
      {.help = {.name = "debug_osd", .type = "str", .default_value = "1/5"}},
      {.help = {.name = "debug_ms", .type = "str", .default_value = "0/0"}}};
}

struct SimTarget {
  std::shared_ptr<SimCluster> cluster;
  std::shared_ptr<SimWorkload> workload;
  Target target;
};

/// Two OSDs of 18.2.7; more shards help a little, debug_osd 20/20 halves the throughput.
inline SimTarget sim_target() {
  SimTarget sim;
  sim.cluster = std::make_shared<SimCluster>("18.2.7", 2, sim_options());
  SimResponse response{.iops = 3000, .noise = 0.02};
  response.effects = {{.option = "osd_op_num_shards", .at = 8, .per_doubling = 1.1},
                      {.option = "debug_osd", .by_value = {{"1/5", 1.0}, {"20/20", 0.5}}}};
  sim.workload = std::make_shared<SimWorkload>(*sim.cluster, response);
  sim.target = {.name = "sim:test",
                .client = "client.admin",
                .simulated = true,
                .cluster = sim.cluster,
                .control = sim.cluster,
                .workload = sim.workload};
  return sim;
}

inline Plan small_plan(int trials = 4) {
  return plan_from_json(parse_json(R"({
    "space": {"osd_op_num_shards": [4, 8, 16], "debug_osd": ["1/5", "20/20"]},
    "workloads": [{"name": "rw4k", "rw": "randwrite", "bs": "4k", "iodepth": 16}],
    "measure": {"ramp_s": 0, "runtime_s": 60, "repeats": 2},
    "budget": {"trials": )" + std::to_string(trials) +
                                       "}}",
                                   "test"),
                        "test");
}

}  // namespace osdtune::test
