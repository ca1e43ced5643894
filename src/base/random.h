#pragma once

#include <Random123/philox.h>

#include <cstdint>

namespace greenkgc {

// Random numbers by place, not by turn: the number at a counter depends on nothing but (seed, stream,
// counter), so that a loop gives the same result for any number of threads.
class CounterRandom {
 public:
  // `stream` separates uses of one seed that must not be correlated.
  CounterRandom(std::uint64_t seed, std::uint32_t stream) : key_{{seed}}, stream_(stream) {}

  std::uint64_t bits(std::uint64_t counter) const {
    return r123::Philox2x64{}(r123::Philox2x64::ctr_type{{counter, stream_}}, key_)[0];
  }
  // In [0, n), n > 0; the bias is below n / 2^64.
  std::uint64_t below(std::uint64_t n, std::uint64_t counter) const {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(bits(counter)) * n) >> 64);
  }
  // In [0, 1), 53 random bits.
  double unit(std::uint64_t counter) const { return static_cast<double>(bits(counter) >> 11) * 0x1p-53; }

 private:
  r123::Philox2x64::key_type key_;
  std::uint64_t stream_;
};

}  // namespace greenkgc
