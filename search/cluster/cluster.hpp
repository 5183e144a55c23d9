// SPDX-License-Identifier: Apache-2.0
// Look at a Ceph cluster and change it. The interface; rados.hpp is the real one, sim/ has the simulated.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/clock.hpp"
#include "core/json_file.hpp"

namespace osdtune {

/// One value in the monitors' configuration store, as `config dump` lists it.
struct StoredOption {
  std::string section;  ///< "global", "osd", "osd.3", "client"
  std::string mask;     ///< "class:ssd", "host:a" or ""
  std::string name;
  std::string value;
  bool operator==(const StoredOption&) const = default;
};

/// One OSD in the OSD map, with what `osd metadata` says of it.
struct Osd {
  int id = 0;
  bool up = false;
  bool in = false;
  std::string device_class;
  std::string host;
  bool operator==(const Osd&) const = default;
};

/// Health in short: status word, and what is wrong.
struct Health {
  std::string status;                         ///< HEALTH_OK, HEALTH_WARN, HEALTH_ERR
  std::map<std::string, std::string> checks;  ///< code to summary
};

/// Number of PGs per state, e.g. "active+clean": 32.
using PgStates = std::map<std::string, int>;

struct Pool {
  std::int64_t id = 0;
  std::string name;
  std::string autoscale_mode;  ///< on, off, warn
  int size = 0;
  int pg_num = 0;
  int min_size = 0;  ///< 0: unknown
  bool erasure = false;
};

/// What `config help` says of an option.
struct OptionHelp {
  std::string name;
  std::string type;           ///< str, int, uint, float, bool, addr, uuid, size, secs, millisecs
  std::string default_value;  ///< the daemon default where there is one
  std::string min, max;       ///< "" if none
  std::vector<std::string> enum_values;
  bool runtime_claimed = false;  ///< can_update_at_runtime: a claim, see the option catalogue
};

/// What an OSD has counted of a latency since it started.
struct LatencySum {
  double count = 0;
  double seconds = 0;  ///< of all of them together
};

/// A cluster to look at and to change. Every call is bounded in time; failures are Error{kCluster} and name
/// the command.
class Cluster {
 public:
  virtual ~Cluster() = default;

  /// Lets that much time pass; a simulated cluster does not sleep.
  virtual void wait(std::chrono::milliseconds time) { std::this_thread::sleep_for(time); }

  /// Seconds since the epoch; a simulated cluster is ahead of this machine.
  virtual double now() { return now_s(); }

  virtual std::string fsid() = 0;
  virtual std::string release() = 0;  ///< of the OSDs, "16.2.15"; Error{kCluster} if they differ
  virtual Health health() = 0;
  virtual std::vector<Osd> osds() = 0;
  virtual std::int64_t osd_map_epoch() = 0;  ///< grows whenever an OSD goes down or comes up
  virtual Json osd_metadata() = 0;           ///< array, one object per OSD, as `osd metadata` gives it
  virtual PgStates pg_states() = 0;
  virtual std::vector<Pool> pools() = 0;

  virtual std::vector<std::string> option_names() = 0;
  virtual OptionHelp option_help(
      const std::string& name) = 0;  ///< Error{kInput} if the cluster does not know it
  virtual std::vector<StoredOption> stored_options() = 0;
  /// Values that `osd` runs with, asked from the daemon itself. Names it does not know are left out.
  virtual std::map<std::string, std::string> running_values(int osd, const std::set<std::string>& names) = 0;
  /// Latencies by their names in `perf dump` ("bluestore.kv_sync_lat"); a simulated OSD keeps none.
  virtual std::map<std::string, LatencySum> latencies(int /*osd*/) { return {}; }
  /// Stores all of them; throws TrialError naming the option if the cluster refuses a value.
  virtual void set_options(const std::vector<StoredOption>& options) = 0;
  virtual void remove_options(const std::vector<StoredOption>& options) = 0;

  virtual std::set<std::string> flags() = 0;  ///< of the OSD map: noout, noscrub, ...
  virtual void set_flag(const std::string& flag, bool on) = 0;
  virtual bool balancer_active() = 0;
  virtual void set_balancer(bool active) = 0;
  virtual void set_autoscale(const std::string& pool, const std::string& mode) = 0;
  /// Replicated pool with the application "rbd", autoscaling off. `size` 0: the cluster's default.
  virtual void create_pool(const std::string& name, int pg_num, int size) = 0;
  virtual void remove_pool(const std::string& name) = 0;
  virtual bool may_remove_pools() = 0;  ///< whether every monitor runs with mon_allow_pool_delete
  /// Small values kept by the monitors (`config-key`); "" if absent.
  virtual std::string config_key(const std::string& key) = 0;
  virtual void set_config_key(const std::string& key, const std::string& value) = 0;
  virtual void remove_config_key(const std::string& key) = 0;

  /// Creates an image and writes every byte of it. Existing images of that size are kept as they are.
  virtual void create_image(const std::string& pool, const std::string& name, std::int64_t bytes) = 0;
};

/// Starts and stops the OSD daemons themselves; which targets can do that is theirs to know.
class OsdControl {
 public:
  virtual ~OsdControl() = default;
  /// Stops all OSDs, waits until they are gone, starts them, waits for "up" and for all PGs active+clean.
  /// Throws TrialError if an OSD does not come back, with the end of its log.
  virtual void restart_osds() = 0;
  /// Destroys all OSDs and builds every device again with that many. All pools must be gone before.
  virtual void redeploy(int osds_per_device) = 0;
  virtual int osds_per_device() = 0;
  /// Processes on this host; empty if there are none.
  virtual std::vector<pid_t> osd_pids() { return {}; }
};

}  // namespace osdtune
