// SPDX-License-Identifier: Apache-2.0
// Reading a workload for the host model.
#include "search/workload/host_load.hpp"

namespace osdtune {

HostLoad host_load(const WorkloadSpec& workload) {
  const bool mixed = workload.rw == "rw" || workload.rw == "randrw";
  const bool reads = workload.rw == "read" || workload.rw == "randread";
  const double clients = static_cast<double>(workload.jobs) * workload.images;
  return {.read_share = mixed   ? workload.rwmixread.value_or(50) / 100.0
                        : reads ? 1.0
                                : 0.0,
          .block_kib = static_cast<double>(workload.bs) / 1024,
          .customers = clients * workload.iodepth,
          .clients = clients};
}

}  // namespace osdtune
