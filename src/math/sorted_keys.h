#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "greenkgc/context.h"

namespace greenkgc::math {

using WideKey = unsigned __int128;

// Keys that nobody has written yet hold anything: a vector would first set them all, on one thread.
template <class Key>
struct KeyArray {
  std::unique_ptr<Key[]> data;
  std::size_t size = 0;

  std::span<Key> keys() const { return {data.get(), size}; }
};

// Writes the keys at the places begin .. end of some sequence to `out`. Called from several threads, and more
// than once for a place, where it must give the same key.
template <class Key>
using KeySequence = std::function<void(std::size_t begin, std::size_t end, Key* out)>;

// The n keys of the sequence in ascending order, repeats kept. Key is std::uint64_t or WideKey.
// Beside the result it needs a few MB: keys are made where they are needed. All threads work, however the
// keys are distributed, unless most of them are equal. The cost per key hardly grows with n.
template <class Key>
KeyArray<Key> sorted_keys(const Context& context, std::size_t n, const KeySequence<Key>& sequence);

}  // namespace greenkgc::math
