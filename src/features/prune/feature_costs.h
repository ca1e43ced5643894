#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "features/binned_table.h"
#include "greenkgc/context.h"
#include "greenkgc/ids.h"

namespace greenkgc::features {

// The discriminant feature test for candidates: evidence from the graph and dimensions of an embedding, held
// against each other on the same rows.

// Row 2 i is an answer, row 2 i + 1 a false candidate of the same question. So there are as many of one label
// as of the other, as in the test of dimensions, and what depends on the question alone costs 1 bit.
struct CandidatePairs {
  std::vector<Triple> facts;    // that each row makes
  std::size_t features = 0;     // of the evidence
  std::vector<float> evidence;  // so many per row, all finite

  std::size_t size() const { return facts.size() / 2; }
};

struct PairRange {
  std::size_t begin;
  std::size_t end;
};

// costs[range] has one cost for each feature of the evidence, then one for each dimension of the tables (as
// binned_variables makes them): the best split's mean entropy in bits, 1 where nothing is told apart and 0
// where all is. A dimension's variables become one by logistic regression. Bins hold about equally many rows:
// in bins of equal width, one outlier of a count would hide what the others say. Ids are below the tables'
// rows, ranges within the pairs. Memory is O(rows of the largest range) per thread. The same bits for any
// number of threads.
std::vector<std::vector<double>> feature_costs(const CandidatePairs& pairs, std::span<const PairRange> ranges,
                                               const features::SideTables& tables, std::size_t dims,
                                               const Context& context);

}  // namespace greenkgc::features
