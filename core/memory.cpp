// SPDX-License-Identifier: Apache-2.0
// The knobs of the C library's allocator.
#include "core/memory.hpp"

#include <malloc.h>

namespace osdtune {

void keep_freed_memory() {
  constexpr int kMatrices = 256 << 20;  // far above what one suggestion needs
  ::mallopt(M_MMAP_THRESHOLD, kMatrices);
  ::mallopt(M_TRIM_THRESHOLD, kMatrices);
}

}  // namespace osdtune
