// SPDX-License-Identifier: Apache-2.0
// A study in the words of the host model: on which hosts it was measured, and what each trial says of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "knowledge/host_fit.hpp"
#include "search/planner.hpp"
#include "search/study.hpp"
#include "search/workload/host_load.hpp"

namespace osdtune {

/// Where a study was measured, with the configuration as found.
struct StudyHost {
  HostShape host;
  OsdShape osds;
};

/// From the header. `cores`: hardware threads of an OSD host, for studies that do not know them (OSDs that
/// ran on other hosts than osdtune). Throws Error{kInput} with a hint where they are needed and missing.
StudyHost study_host(const StudyHeader& header, std::optional<double> cores);

/// The OSDs of `host` with the settings of `config` that the model knows; what is not searched stays as
/// found.
OsdShape osd_shape(const StudyHost& host, const Config& config);

/// Settings of a configuration that move the model: shards, threads per shard, messenger threads, OSDs per
/// device.
bool in_host_model(const std::string& setting);

/// One observation per finished trial and workload. Trials that change a setting the model does not know are
/// left out: it could not tell their effect from that of the others. On a lab the load generator's own
/// processor time is taken from the cores.
std::vector<HostObservation> host_observations(const Study& study, const StudyHost& host);

/// What the host model, calibrated to the trials so far, expects of the two objectives: natural logarithms,
/// lower is better. None if the study does not know its hosts or searches nothing that the model knows.
Trend host_trend(const Study& study);

}  // namespace osdtune
