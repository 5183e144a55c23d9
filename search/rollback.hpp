// SPDX-License-Identifier: Apache-2.0
// Putting a cluster back after a sweep that died.
#pragma once

#include <filesystem>
#include <string>

#include "core/progress.hpp"

namespace osdtune {

/// Puts back what the journal says and closes it. Returns one sentence on what was done. Safe to repeat.
/// Throws Error if the journal or the cluster cannot be reached, RollbackError if the cluster is not as it
/// was.
std::string rollback(const std::filesystem::path& journal, Progress& progress);

}  // namespace osdtune
