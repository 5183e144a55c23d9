// SPDX-License-Identifier: Apache-2.0
// The job file that makes fio put one workload on one image.
#pragma once

#include <string>

#include "search/workload/workload.hpp"

namespace osdtune {

/// Text of the job file. The path of ceph.conf is not in it: fio's rbd engine takes that from CEPH_CONF.
/// Throws Error{kInput} for what cannot be loaded: an unknown rw, a size or count that is not positive, a
/// block larger than the image, a user that is not "client.NAME", or a name that fio would read as something
/// else.
std::string job_file(const WorkloadSpec& spec, const LoadTarget& target, const std::string& image,
                     const RunLength& length);

}  // namespace osdtune
