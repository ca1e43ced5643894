#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "features/binned_table.h"
#include "greenkgc/ids.h"

namespace greenkgc::trees {

using features::TriplePart;

// Where the samples of one fact stand: the fact itself, then facts with a false tail, then with a false head.
// The fact and those with a false tail are the answers to the query (h, r, ?); with the others, to (?, r, t).
struct FactSamples {
  std::uint64_t first = 0;
  std::uint32_t false_tails = 0;
  std::uint32_t false_heads = 0;
};

// What trees learn from: ids and a label, 13 bytes a sample. Features are looked up, never stored.
struct Samples {
  std::array<std::vector<std::uint32_t>, features::kTripleParts> ids;  // by part
  std::vector<std::uint8_t> labels;                                    // 1: a fact, 0: a false one
  std::vector<FactSamples> facts;

  std::size_t size() const { return labels.size(); }
  const std::vector<std::uint32_t>& of(TriplePart part) const { return ids[static_cast<std::size_t>(part)]; }
  Triple triple(std::size_t row) const {
    return {EntityId{ids[0][row]}, RelationId{ids[1][row]}, EntityId{ids[2][row]}};
  }
};

}  // namespace greenkgc::trees
