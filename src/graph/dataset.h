#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "graph/vocabulary.h"
#include "greenkgc/dataset.h"
#include "greenkgc/ids.h"

namespace greenkgc::graph {

struct Facts {
  std::vector<Triple> triples;
  std::vector<float> weights;  // empty, or one per triple
};

// A graph in memory. Every id in `splits` is below the size of its vocabulary.
struct Dataset {
  Vocabulary entities;
  Vocabulary relations;
  std::array<Facts, kSplitCount> splits;
  std::vector<std::string> notes;  // one line per file: what it was understood to be
  std::string single_file =
      {};  // that all facts come from; empty: a folder, whose splits are given, or world

  Facts& operator[](Split split) { return splits[static_cast<std::size_t>(split)]; }
  const Facts& operator[](Split split) const { return splits[static_cast<std::size_t>(split)]; }
};

}  // namespace greenkgc::graph
