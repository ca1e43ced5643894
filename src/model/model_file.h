#pragma once

#include <filesystem>
#include <optional>
#include <span>

#include "graph/vocabulary.h"
#include "kge/embedding_tensors.h"
#include "model/decisions.h"
#include "model/fact_section.h"
#include "model/second_stage.h"
#include "tensors/label_table.h"

namespace greenkgc::model {

// What `greenkgc decide` leaves: decisions with the labels of their rows, and the facts that were known.
struct NamedDecisions {
  Decisions decisions;
  tensors::LabelTable entities;
  tensors::LabelTable relations;
  FactSection facts;
  FactSection negatives;  // facts that are known to be false
  kge::Provenance provenance;
  std::optional<SecondStage> second;  // needs facts
};

struct ModelParts {
  const Decisions& decisions;
  const graph::Vocabulary& entities;
  const graph::Vocabulary& relations;
  std::span<const Triple> facts;  // in any order
  const kge::Provenance& provenance;
  const SecondStage* second = nullptr;  // its evidence is by fact in the order of NamedDecisions
  std::span<const Triple> negatives = {};
};

// Writes a safetensors file (docs/model_format.md has its tensors). Throws kUnsupported for more than 65,535
// columns.
void write_model(const std::filesystem::path& path, const ModelParts& parts);

// Whether the file says that it holds a model. Throws as SafetensorsFile does.
bool holds_model(const std::filesystem::path& path);

// Bins, labels, counts and facts stay in the file, which is mapped. All but the facts is checked here, once:
// whatever a file holds, ids, bins and nodes that come out of it are in range. Throws kCorrupt, saying where,
// for what does not fit together; kUnsupported for another version.
NamedDecisions read_model(const std::filesystem::path& path);

}  // namespace greenkgc::model
