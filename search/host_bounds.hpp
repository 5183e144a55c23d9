// SPDX-License-Identifier: Apache-2.0
// What a host's cores and memory allow, as constraints that need no measuring.
#pragma once

#include <vector>

#include "search/option_source.hpp"
#include "search/space.hpp"

namespace osdtune {

/// Worker and messenger threads of all OSDs, at most 8 to a CPU thread; memory targets of all OSDs, at most
/// 0.8 of the memory (both as the rules osd-threads-over-cores and memory-target-sum have it). The
/// configuration as found is always allowed, and so is every listed value with the rest as found where it
/// breaks the bound on threads alone: too many threads cost time, too much memory costs OSDs. A listed value
/// that no configuration can have is Error{kInput}. Nothing where `source` does not know the host, or the
/// space moves neither.
std::vector<KnownConstraint> host_bounds(const Space& space, const OptionSource& source);

}  // namespace osdtune
