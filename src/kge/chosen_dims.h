#pragma once

#include <cstdint>
#include <span>

#include "kge/embeddings.h"

namespace greenkgc::kge {

// An embedding of these dimensions alone, in this order.
Embeddings with_dims(const Embeddings& embeddings, std::span<const std::uint32_t> dims);

// The way back: writes `part`, which is an embedding of `dims` alone, into these dimensions of `whole`.
void put_dims(const Embeddings& part, std::span<const std::uint32_t> dims, Embeddings& whole);

}  // namespace greenkgc::kge
