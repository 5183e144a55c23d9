// SPDX-License-Identifier: Apache-2.0
// RBD images for the load: created through librbd and written in full, so that no run pays for a first write.
#pragma once

#include <cstdint>
#include <string>

#include "search/cluster/rados_client.hpp"

namespace osdtune {

/// Creates the image if need be and writes every byte of it (incompressible data, 4 MiB at a time, 16 in
/// flight). A mark in the image's metadata says that this was done once: an image with the mark and the size
/// is kept as it is. An image of another size is an Error{kCluster}: it is not ours to resize. The feature is
/// `layering` alone. With exclusive-lock, fio jobs on one image would pass the lock around, and a killed fio
/// would leave a lock to break and an entry in the blocklist; object maps need that lock.
void write_image(const RadosClient& client, const std::string& pool, const std::string& name,
                 std::int64_t bytes);

}  // namespace osdtune
