// SPDX-License-Identifier: Apache-2.0
// TCP ports on loopback.
#pragma once

namespace osdtune {

/// A port nobody listens on, the first free one from a place in the range that depends on `seed`, so that
/// labs started at the same moment look in different places. Throws Error{kCluster} if all are taken.
int find_free_port(unsigned seed);

/// True if something listens there.
bool is_listening(int port);

}  // namespace osdtune
