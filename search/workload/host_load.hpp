// SPDX-License-Identifier: Apache-2.0
// A workload in the words of the host model.
#pragma once

#include "knowledge/host_model.hpp"
#include "search/workload/workload.hpp"

namespace osdtune {

HostLoad host_load(const WorkloadSpec& workload);

}  // namespace osdtune
