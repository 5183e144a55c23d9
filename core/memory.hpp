// SPDX-License-Identifier: Apache-2.0
// How this process handles memory.
#pragma once

namespace osdtune {

/// Keeps freed memory for the next matrix instead of giving it back to the kernel, which has to clear every
/// page anew: half of the planner's time went there. For the beginning of main.
void keep_freed_memory();

}  // namespace osdtune
