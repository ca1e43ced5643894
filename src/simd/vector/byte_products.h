#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace greenkgc::simd {

// Rows of bytes that byte_products reads are padded with zeros to a multiple of this.
inline constexpr std::size_t kByteGranule = 64;

// products[i] = the dot product of `query` and row i, one row after another from `rows` on, each as long as
// the query: a multiple of kByteGranule, below 2^17. Exact.
void byte_products(std::span<const std::int8_t> query, const std::int8_t* rows,
                   std::span<std::int32_t> products);

}  // namespace greenkgc::simd
