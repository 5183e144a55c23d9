// SPDX-License-Identifier: Apache-2.0
// A list of this user's labs, wherever their folders are, so that one left behind by a crash is found.
#pragma once

#include <filesystem>
#include <vector>

namespace osdtune {

void remember_lab(const std::filesystem::path& lab);
void forget_lab(const std::filesystem::path& lab);

/// Folders that hold a lab: remembered ones and those in the usual places.
std::vector<std::filesystem::path> known_labs();

}  // namespace osdtune
