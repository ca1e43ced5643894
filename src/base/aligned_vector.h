#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace greenkgc {

// Begins at a cache line, so that no load of a vector of 64 bytes or less at a multiple of its size needs
// two.
template <class Value>
struct CacheLineAllocator {
  using value_type = Value;
  static constexpr std::align_val_t kAlignment{64};

  CacheLineAllocator() = default;
  template <class Other>
  explicit CacheLineAllocator(const CacheLineAllocator<Other>&) {}

  Value* allocate(std::size_t n) {
    return static_cast<Value*>(::operator new(n * sizeof(Value), kAlignment));
  }
  void deallocate(Value* values, std::size_t) { ::operator delete(values, kAlignment); }

  friend bool operator==(const CacheLineAllocator&, const CacheLineAllocator&) { return true; }
};

template <class Value>
using AlignedVector = std::vector<Value, CacheLineAllocator<Value>>;

}  // namespace greenkgc
