// SPDX-License-Identifier: Apache-2.0
// From what the fio processes of one run wrote to the numbers of that run.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "search/workload/fio_json.hpp"
#include "search/workload/workload.hpp"

namespace osdtune {

/// Adds up fio processes that ran at the same time, e.g. one per image. Percentiles of several jobs come from
/// merged histograms (json+); where fio gave none they are left out with a warning, never averaged. The mean
/// is weighted by operations. Throws TrialError with fio's words if a job failed, did nothing, or may have
/// run after another one.
Run to_run(const std::vector<FioResult>& results, const std::string& workload);

/// Smallest bin with at least `per_cent` of all operations at or below it, which is how fio computes
/// percentiles; nullopt without bins.
std::optional<double> bins_percentile(const std::map<double, double>& bins, double per_cent);

}  // namespace osdtune
