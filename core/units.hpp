// SPDX-License-Identifier: Apache-2.0
// Sizes and durations as people write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace osdtune {

/// "4k", "64K", "4KiB", "1.5G", "4096": bytes, powers of 1024 as fio and Ceph read them.
/// Throws Error{kInput}; `where` names the place.
std::int64_t parse_size(std::string_view text, const std::string& where);

/// "400k", "1.2M", "1500": a count, powers of 1000. Throws Error{kInput}; `where` names the place.
double parse_count(std::string_view text, const std::string& where);

/// "5ms", "250us", "1.5s", "2m", "1h": seconds. A unit is required. Throws Error{kInput}.
double parse_duration_s(std::string_view text, const std::string& where);

/// "4 KiB", "1.5 GiB".
std::string format_size(double bytes);

/// "48 s", "12 min", "3 h 20 min".
std::string format_duration(double seconds);

/// Three significant digits: "2,340" or "0.713".
std::string format_number(double value);

}  // namespace osdtune
