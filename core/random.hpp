// SPDX-License-Identifier: Apache-2.0
// Random numbers that are the same on every machine: the standard engine, but distributions of our own.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace osdtune {

/// std::mt19937_64 is specified bit by bit; the standard distributions are not, hence these.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  /// In [0, 1).
  double uniform();
  /// Standard normal (Box-Muller).
  double normal();
  /// In [0, n).
  std::size_t index(std::size_t n);
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[index(i)]);
  }

 private:
  std::mt19937_64 engine_;
};

/// A seed that depends on all of its parts (splitmix64), so that step 7 of seed 1 is not step 1 of seed 7.
std::uint64_t mix_seed(std::uint64_t seed, std::uint64_t step);

}  // namespace osdtune
