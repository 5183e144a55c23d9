// SPDX-License-Identifier: Apache-2.0
// Ceph release numbers and how they compare.
#pragma once

#include <compare>
#include <string>
#include <string_view>

namespace osdtune {

/// "18.2.7" in parts. A missing point part is the newest: "18.2" stands for the series as it is now.
struct Release {
  int major = 0;
  int minor = 0;
  int point = 0;
  auto operator<=>(const Release&) const = default;
};

/// Accepts "18.2.7", "18.2", "18", "v18.2.7", "18.2.7-0ubuntu1", "reef" and `ceph version 18.2.7 (...) reef
/// (stable)`. Throws Error{kInput} for anything else.
Release parse_release(std::string_view text);

std::string to_text(const Release& release);  ///< "18.2.7"; "18.2" where the point part was missing

/// "reef" for 18.2.7; "" for a major number without a known name.
std::string release_name(const Release& release);

}  // namespace osdtune
