// SPDX-License-Identifier: Apache-2.0
// A cluster in memory that keeps Ceph's rules for stored and running options and records every change made to
// it.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "search/cluster/cluster.hpp"

namespace osdtune {

/// An option of the simulated cluster.
struct SimOption {
  OptionHelp help;
  bool needs_restart = false;
};

/// Implements both interfaces: the daemons are simulated, too.
class SimCluster : public Cluster, public OsdControl {
 public:
  SimCluster(std::string release, int osds, std::vector<SimOption> options);

  /// Every change in order, as one line each: "set osd osd_op_num_shards = 4", "restart", "flag noout on",
  /// ...
  std::vector<std::string> calls;
  /// Called with each line before the change happens; may throw to play a fault.
  std::function<void(const std::string&)> before_call;
  /// OSDs do not come back from a restart with any of these ("name=value").
  std::set<std::string> deadly;
  /// Values of these options never reach the running daemons.
  std::set<std::string> stubborn;
  /// Hosts that the devices are spread over.
  int hosts = 1;
  /// Daemons hear of a stored value only when time passes, as on a loaded host.
  bool slow = false;

  /// What changes cost, in seconds of its own time.
  double restart_s = 8;
  double redeploy_s = 60;

  double now() override { return now_; }
  void pass(double seconds) { now_ += seconds; }
  void wait(std::chrono::milliseconds time) override;
  std::string fsid() override { return "00000000-0000-0000-0000-0000000051f0"; }
  std::string release() override { return release_; }
  Health health() override { return {.status = "HEALTH_OK"}; }
  std::vector<Osd> osds() override;
  std::int64_t osd_map_epoch() override { return epoch_; }
  Json osd_metadata() override;
  PgStates pg_states() override;
  std::vector<Pool> pools() override { return pools_; }
  std::vector<std::string> option_names() override;
  OptionHelp option_help(const std::string& name) override;
  std::vector<StoredOption> stored_options() override { return stored_; }
  std::map<std::string, std::string> running_values(int osd, const std::set<std::string>& names) override;
  void set_options(const std::vector<StoredOption>& options) override;
  void remove_options(const std::vector<StoredOption>& options) override;
  std::set<std::string> flags() override { return flags_; }
  void set_flag(const std::string& flag, bool on) override;
  bool balancer_active() override { return balancer_; }
  void set_balancer(bool active) override;
  void set_autoscale(const std::string& pool, const std::string& mode) override;
  void create_pool(const std::string& name, int pg_num, int size) override;
  void remove_pool(const std::string& name) override;
  bool may_remove_pools() override { return true; }
  std::string config_key(const std::string& key) override;
  void set_config_key(const std::string& key, const std::string& value) override;
  void remove_config_key(const std::string& key) override;
  void create_image(const std::string& pool, const std::string& name, std::int64_t bytes) override;

  void restart_osds() override;
  void redeploy(int osds_per_device) override;
  int osds_per_device() override { return osds_per_device_; }

  /// What the daemons run with: every option by name.
  const std::map<std::string, std::string>& running() const { return running_; }

 private:
  void change(const std::string& line);
  void take_effect(bool restarted);
  std::string stored_value(const std::string& name) const;
  const SimOption* find(const std::string& name) const;

  double now_ = now_s();
  std::string release_;
  int devices_;
  int osds_per_device_ = 1;
  bool up_ = true;
  std::int64_t epoch_ = 1;
  bool balancer_ = true;
  std::vector<SimOption> options_;
  std::vector<StoredOption> stored_;
  std::map<std::string, std::string> running_;
  std::set<std::string> flags_;
  std::vector<Pool> pools_;
  std::map<std::string, std::string> keys_;
};

}  // namespace osdtune
