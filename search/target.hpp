// SPDX-License-Identifier: Apache-2.0
// What --on names: a lab, a cluster or a simulation, opened with everything a sweep needs of it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "search/cluster/cluster.hpp"
#include "search/option_source.hpp"
#include "search/workload/workload.hpp"

namespace osdtune {

struct Target {
  std::string name;    ///< "lab:/dev/shm/...", with the folder filled in
  std::string client;  ///< "client.admin"
  bool simulated = false;
  std::shared_ptr<Cluster> cluster;
  std::shared_ptr<OsdControl> control;  ///< null: OSDs cannot be restarted from here
  std::shared_ptr<Workload> workload;
  LoadTarget load;  ///< conf and client filled in
  std::optional<double>
      client_cores;                 ///< CPUs that the load generator may use; nullopt: unknown or simulated
  std::optional<double> osd_cores;  ///< CPUs that the OSDs of one host may use; nullopt: unknown
};

/// What the target says of its options; with this host, where its OSDs run here.
OptionSource option_source(const Catalogue& catalogue, const Target& target);

/// "lab", "lab:DIR", "ceph:CONF" or "sim:FILE.json". Throws Error{kUsage} for anything else, Error{kCluster}
/// if it cannot be reached.
Target open_target(const std::string& on, const std::string& client);

}  // namespace osdtune
