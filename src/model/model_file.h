#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "model/decisions.h"
#include "model/embedding_tensors.h"
#include "model/label_table.h"
#include "model/second_stage.h"

namespace greenkgc::model {

// The known facts in a mapped model file. They are not looked at before they are asked for: most of a model's
// bytes may be facts, and opening it should not wait for them. Copies share the file.
class FactSection {
 public:
  FactSection() = default;  // without facts
  FactSection(std::shared_ptr<const SafetensorsFile> file, std::uint32_t entity_count,
              std::uint32_t relation_count);

  bool empty() const { return size() == 0; }
  std::size_t size() const;
  // Sorted by head, relation and tail, each once. Throws kCorrupt, saying where, for what does not fit.
  std::vector<Triple> read() const;

 private:
  std::shared_ptr<const SafetensorsFile> file_;
  std::uint32_t entity_count_ = 0;
  std::uint32_t relation_count_ = 0;
};

// What `greenkgc decide` leaves: decisions with the labels of their rows, and the facts that were known.
struct NamedDecisions {
  Decisions decisions;
  LabelTable entities;
  LabelTable relations;
  FactSection facts;
  Provenance provenance;
  std::optional<SecondStage> second;  // needs facts
};

struct ModelParts {
  const Decisions& decisions;
  const graph::Vocabulary& entities;
  const graph::Vocabulary& relations;
  std::span<const Triple> facts;  // in any order
  const Provenance& provenance;
  const SecondStage* second = nullptr;  // its evidence is by fact in the order of NamedDecisions
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
