#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "greenkgc/export.h"
#include "greenkgc/model.h"

namespace greenkgc {

// What a model file says about itself.
struct ModelInfo {
  std::uint32_t format_version = 0;
  std::string embedding;  // "rotate"
  std::uint32_t entities = 0;
  std::uint32_t relations = 0;
  std::uint64_t facts = 0;  // that it holds
  std::uint32_t groups = 0;
  std::uint32_t dims = 0;   // that some group keeps
  std::uint64_t trees = 0;  // of the first stage
  // Of the second stage, if there is one.
  int stages = 1;
  std::string labels;  // where its answers came from: "heldout", "valid"
  bool links = false;  // whether links between the ends of a fact are evidence
  std::uint64_t second_stage_trees = 0;
  std::uint64_t rules = 0;
  // How it was made: options, seeds and recipes of each stage, by the file's own keys ("seed",
  // "features.embeddings.recipe").
  std::map<std::string, std::string> provenance;
};

GREENKGC_API ModelInfo model_info(const Model& model);

}  // namespace greenkgc
