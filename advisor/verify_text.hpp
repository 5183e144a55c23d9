// SPDX-License-Identifier: Apache-2.0
// The verdict of a verification in words and as JSON.
#pragma once

#include <string>

#include "search/verify.hpp"

namespace osdtune {

std::string to_text(const Verification& verification, const Space& space);

Json to_json(const Verification& verification);

}  // namespace osdtune
