#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "graph/dataset.h"
#include "greenkgc/context.h"
#include "greenkgc/dataset.h"
#include "kge/embedding_tensors.h"

namespace greenkgc {

// A share of train, held out at random by the seed so that every entity and relation still occurs in the
// rest. A fact that is there several times counts once.
struct HeldOutFacts {
  Dataset rest;  // train without them, and valid; no test
  std::vector<Triple> held_out;
};
// Whether there is a fact that can be: one that leaves each of its parts another fact.
bool can_hold_out(std::span<const Triple> facts, std::uint32_t entities, std::uint32_t relations);
HeldOutFacts hold_out(const graph::Dataset& data, double share, const Context& context);

// Learns a first stage from other data with the options that a model's file records of each of its stages;
// what is in the folder from the same data, options and seed is not learned again. Returns its model file.
// Throws kBadInput if the record has no options.
std::filesystem::path learn_again(const Dataset& dataset, const kge::Provenance& record,
                                  const std::filesystem::path& folder, const Context& context);

}  // namespace greenkgc
