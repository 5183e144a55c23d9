// SPDX-License-Identifier: Apache-2.0
// The OSDs of a lab: made on shares of devices, started, stopped, waited for.
#pragma once

#include <filesystem>
#include <stop_token>
#include <vector>

#include "core/progress.hpp"
#include "search/cluster/lab_state.hpp"
#include "search/cluster/rados_client.hpp"

namespace osdtune {

/// A lab being worked on.
struct LabWork {
  const std::filesystem::path& directory;
  LabState& state;
  Progress& progress;
  std::stop_token stop = {};
};

/// Plans osds_per_device OSDs on each device, with fresh ids and UUIDs.
std::vector<LabOsd> plan_lab_osds(int devices, int osds_per_device);

/// Makes folders, keys and device shares of all OSDs in state.osds.
void prepare_osds(const LabWork& work);

/// Tells the monitors of prepared OSDs: ids, keys, memory target.
void register_osds(const LabWork& work, const RadosClient& client);

/// Where the making of a store takes its options from.
enum class StoreOptions {
  kConfFile,  ///< needs no monitor
  kMonitors,  ///< the OSDs must be registered
};

/// Makes the stores of prepared OSDs, several at once. Throws TrialError with the end of the log if one
/// fails.
void make_osd_stores(const LabWork& work, StoreOptions options);

/// Ends all OSDs, and makes the OSD map say that they are down. Returns the epoch of a map that says so.
std::int64_t stop_osds(const LabWork& work, const RadosClient& client);

/// Starts all OSDs and waits until the OSD map has them up. Throws TrialError, with the end of the log, for
/// one that ends or does not come up in time.
void start_osds(const LabWork& work, const RadosClient& client);

/// Waits until all PGs are active+clean by reports newer than `epoch`. Throws TrialError after a bound.
void wait_clean(const LabWork& work, const RadosClient& client, std::int64_t epoch);

/// Removes all OSDs from the cluster and their files.
void remove_osds(const LabWork& work, const RadosClient& client);

/// Throws Error{kInterrupted} if a stop was asked for.
void check_stop(const LabWork& work);

}  // namespace osdtune
