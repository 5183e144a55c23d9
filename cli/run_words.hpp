// SPDX-License-Identifier: Apache-2.0
// Runs as written on a command line.
#pragma once

#include <string>

#include "search/workload/workload.hpp"

namespace osdtune {

/// "rw4k:iops=21000,p99_ms=3.1". Throws Error{kUsage} naming what is wrong.
Run run_from_words(const std::string& words);

/// "rw4k=out.json": a file that fio wrote. Throws Error{kUsage} or Error{kInput}.
Run run_from_fio(const std::string& words);

}  // namespace osdtune
