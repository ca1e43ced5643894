#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/known_facts.h"
#include "greenkgc/context.h"
#include "greenkgc/ids.h"

namespace greenkgc::features {

// What dimensions are tested on: observed facts, then corrupted ones. Ids only, 12 bytes a sample.
struct SampleSet {
  std::vector<std::uint32_t> heads;
  std::vector<std::uint32_t> relations;
  std::vector<std::uint32_t> tails;
  std::size_t positives = 0;

  std::size_t size() const { return heads.size(); }
  std::size_t negatives() const { return size() - positives; }
};

struct SampleSource {
  std::span<const Triple> facts;
  const graph::KnownFacts& known;  // what a corrupted fact must not be
  std::uint32_t entity_count;
};

// One set per group: its facts, or `most_facts` of them by the seed (0: all), and for each fact one with a
// random entity in the place of its head (facts at even positions of the list) or tail (odd). That entity
// makes no known fact; a fact for which a hundred draws find none has no corrupted double. What is drawn for
// a fact depends on its position and the seed, not on the groups.
std::vector<SampleSet> draw_samples(const SampleSource& source, std::span<const std::uint32_t> group_of,
                                    std::size_t groups, std::uint64_t most_facts, const Context& context);

}  // namespace greenkgc::features
