// SPDX-License-Identifier: Apache-2.0
// Control over the OSDs of a running lab.
#include "search/cluster/lab.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/units.hpp"
#include "search/cluster/lab_daemons.hpp"
#include "search/cluster/lab_osds.hpp"

namespace osdtune {
namespace fs = std::filesystem;
namespace {

// Pools that Ceph's own manager modules make for themselves.
constexpr const char* kInternalPools[] = {".mgr", "device_health_metrics"};

void remove_internal_pools(const RadosClient& client) {
  const Json map = client.mon({{"prefix", "osd dump"}});
  for (const Json& pool : map.at("pools")) {
    const std::string name = pool.at("pool_name");
    if (std::find(std::begin(kInternalPools), std::end(kInternalPools), name) == std::end(kInternalPools))
      throw Error(ErrorKind::kCluster, fmt::format("pool '{}' would be lost", name),
                  "remove the pools of a lab before its OSDs are made again");
    client.mon_text(
        {{"prefix", "osd pool rm"}, {"pool", name}, {"pool2", name}, {"yes_i_really_really_mean_it", true}});
  }
}

}  // namespace

Lab::Lab(fs::path directory, LabState state)
    : directory_(std::move(directory)),
      state_(std::move(state)),
      trimmer_(std::make_unique<LogTrimmer>(directory_ / "log")) {}
Lab::Lab(Lab&&) noexcept = default;
Lab::~Lab() = default;

RadosClient& Lab::client() {
  if (!client_) client_ = std::make_unique<RadosClient>(conf(), "client.admin");
  return *client_;
}

void Lab::restart_osds() {
  Silent silent;
  const LabWork work{directory_, state_, silent};
  const std::int64_t epoch = stop_osds(work, client());
  start_osds(work, client());
  wait_clean(work, client(), epoch);
}

void Lab::redeploy(int osds_per_device) {
  if (osds_per_device < 1 || state_.device_bytes / osds_per_device < kLeastOsdBytes)
    throw TrialError(fmt::format("osds_per_device = {}: a device of {} has room for 1 to {}", osds_per_device,
                                 format_size(double(state_.device_bytes)),
                                 state_.device_bytes / kLeastOsdBytes));
  Silent silent;
  const LabWork work{directory_, state_, silent};
  remove_internal_pools(client());
  stop_osds(work, client());
  remove_osds(work, client());
  state_.osds_per_device = osds_per_device;
  state_.osds = plan_lab_osds(state_.devices, osds_per_device);
  save_lab_state(directory_, state_);
  prepare_osds(work);
  register_osds(work, client());
  make_osd_stores(work, StoreOptions::kMonitors);
  start_osds(work, client());
}

std::vector<pid_t> Lab::osd_pids() {
  std::vector<pid_t> out;
  for (const auto& [name, process] : state_.daemons)
    if (name.starts_with("osd.")) out.push_back(process.pid);
  return out;
}

void Lab::set_cpus(const std::string& cpus) {
  state_.cpus = cpus;
  save_lab_state(directory_, state_);
}

}  // namespace osdtune
