#pragma once

#include <bit>
#include <cstdint>

#include "base/random.h"

namespace greenkgc::graph {

// A random order of [0, n) that is computed, not stored: a bijection, the same for the same n and random
// numbers. It shuffles; it hides nothing from an adversary.
class Permutation {
 public:
  // Draws at `counter`; n > 0.
  Permutation(std::uint64_t n, const CounterRandom& random, std::uint64_t counter)
      : n_(n),
        mask_(std::bit_ceil(n) - 1),
        shift_((std::bit_width(mask_) + 1) / 2),
        key_(random.bits(counter)) {}

  // i < n. Walks along a cycle of the numbers below bit_ceil(n) < 2 n until it is back below n: less than two
  // steps in the mean.
  std::uint64_t operator()(std::uint64_t i) const {
    do {
      i = step(i);
    } while (i >= n_);
    return i;
  }

 private:
  // Every operation can be undone on the numbers up to mask_: adding, multiplying by an odd number, and
  // folding the upper half of the bits into the lower.
  std::uint64_t step(std::uint64_t x) const {
    for (const std::uint64_t odd : {key_ | 1, std::uint64_t{0x9E3779B97F4A7C15}, (key_ >> 32) | 1}) {
      x = (x * odd + key_) & mask_;
      x ^= x >> shift_;
    }
    return x;
  }

  std::uint64_t n_;
  std::uint64_t mask_;
  int shift_;
  std::uint64_t key_;
};

}  // namespace greenkgc::graph
