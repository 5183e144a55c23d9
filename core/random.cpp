// SPDX-License-Identifier: Apache-2.0
// Portable distributions over the portable engine.
#include "core/random.hpp"

#include <cmath>
#include <numbers>

namespace osdtune {

double Random::uniform() {
  return static_cast<double>(engine_() >> 11) * 0x1.0p-53;
}

double Random::normal() {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

std::size_t Random::index(std::size_t n) {
  return static_cast<std::size_t>(uniform() * static_cast<double>(n));
}

std::uint64_t mix_seed(std::uint64_t seed, std::uint64_t step) {
  std::uint64_t z = seed + 0x9e3779b97f4a7c15ULL * (step + 1);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace osdtune
