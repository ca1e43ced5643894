#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "evidence/walk_steps.h"
#include "greenkgc/ids.h"
#include "model/calibration.h"
#include "model/fact_trees.h"
#include "trees/list_trees.h"

namespace greenkgc::model {

// A path of one to three steps that speaks for a fact of a relation. A step is a relation followed from heads
// to tails (2 r) or back (2 r + 1); steps beyond the length are 0. Counts are what mining found: of the pairs
// that the path links, how many are facts; from heads, then from tails.
struct PathRule {
  RelationId head{0};
  std::uint32_t length = 1;
  std::array<std::uint32_t, 3> steps = {};
  std::array<std::uint32_t, 2> pairs = {};
  std::array<std::uint32_t, 2> facts = {};

  friend bool operator==(const PathRule&, const PathRule&) = default;
};

// What orders the best candidates of a question: trees over evidence from the graph and the first stage's
// score, which Decisions gives. Candidates beyond the list keep the first stage's order behind it.
struct SecondStage {
  std::string labels;              // where the trees' answers come from: "heldout" facts of train, or "valid"
  bool links = false;              // whether links between the two ends of a fact are evidence
  std::uint32_t list_size = 200;   // candidates at most
  std::uint32_t first_best = 100;  // of them at least so many are the first stage's best
  std::vector<PathRule> rules;
  std::vector<evidence::WalkStep> walks;
  trees::ListTrees trees;
  bool on_first = false;               // the trees' values are added to the first stage's margins, not to 0
  Calibration calibration;             // of the margins; the probability where there are no fact trees
  FactTrees facts;                     // empty in files from before there were any
  std::vector<std::uint8_t> evidence;  // by fact of the model: 1 if evidence is read from it
};

}  // namespace greenkgc::model
