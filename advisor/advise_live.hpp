// SPDX-License-Identifier: Apache-2.0
// Facts of a running cluster, asked from it without changing anything.
#pragma once

#include "knowledge/facts.hpp"
#include "search/cluster/cluster.hpp"

namespace osdtune {

/// Release, health, OSDs with metadata and running values, pools, flags and stored options. Where all OSDs of
/// a host are on this machine, its own facts are added. Throws Error{kCluster} if the cluster does not
/// answer.
Facts facts_of_cluster(Cluster& cluster);

/// Options this cluster has and the catalogue does not, or with another default: so that unknown releases
/// still work.
std::vector<std::string> catalogue_differences(Cluster& cluster, const Facts& facts);

}  // namespace osdtune
