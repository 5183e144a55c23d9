// SPDX-License-Identifier: Apache-2.0
// The option string of BlueStore's database, key by key.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace osdtune {

/// "a=1,b=2;c={d=3}" as keys and values; quotes around the whole are dropped, nested braces stay one value.
std::map<std::string, std::string> parse_rocksdb_options(std::string_view text);

/// A number with RocksDB's suffixes ("16MB", "2M", "1024"), or -1.
double rocksdb_number(const std::string& text);

/// Keys that neither RocksDB (6.x to 8.x, database and column family options) nor Ceph knows.
std::vector<std::string> unknown_rocksdb_keys(const std::map<std::string, std::string>& options);

/// Column families of an OSD made by Pacific or later with the default definition.
inline constexpr int kColumnFamilies = 12;

/// Upper bound of memory in write buffers, in bytes: size x number, for all column families; -1 if a part is
/// missing.
double rocksdb_buffer_bytes(const std::map<std::string, std::string>& options);

}  // namespace osdtune
