#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "graph/vocabulary.h"
#include "model/embeddings.h"
#include "model/safetensors.h"
#include "model/triple_variables.h"

namespace greenkgc::model {

// What embedding files and feature files have in common.

using Provenance = std::map<std::string, std::string>;  // how a file was made: options, seed, data

// Labels one after another, and where each ends: tensors "WHAT.labels" and "WHAT.label_ends".
class LabelTensors {
 public:
  explicit LabelTensors(const graph::Vocabulary& vocabulary);
  // The tensors live as long as this.
  void add_to(SafetensorsWriter& writer, const std::string& what) const;

 private:
  std::vector<std::uint8_t> bytes_;
  std::vector<std::uint64_t> ends_;
};
// Throws kCorrupt unless there are `count` labels, all different.
graph::Vocabulary read_labels(const SafetensorsFile& file, const std::string& what, std::uint64_t count);

// Format, version, model, similarity, dims, reciprocal and provenance, as metadata.
struct FileKind {
  std::string_view format;   // "greenkgc.embeddings"
  std::string_view version;  // "1"
};
void set_metadata(SafetensorsWriter& writer, const FileKind& kind, const Embeddings& embeddings,
                  const Provenance& provenance);
// Embeddings without rows. Throws kCorrupt for a file of another kind, kUnsupported for another version.
Embeddings read_metadata(const SafetensorsFile& file, const FileKind& kind);
Provenance read_provenance(const SafetensorsFile& file);

void set_phase_form(SafetensorsWriter& writer, PhaseForm form);
PhaseForm read_phase_form(const SafetensorsFile& file);  // throws kCorrupt

// Throws kCorrupt, naming the tensor, unless it has the shape that the other tensors call for.
void expect_shape(const SafetensorsFile& file, const std::string& tensor,
                  const std::vector<std::uint64_t>& shape, const std::vector<std::uint64_t>& expected);

// Throws kCorrupt, naming row and column, for a number that is not finite.
void check_finite(const SafetensorsFile& file, std::span<const float> values, std::size_t width,
                  std::string_view what);

// Throws kCorrupt, naming tensor and place, for a number that is not below the bound.
void check_below(const SafetensorsFile& file, const std::string& tensor,
                 std::span<const std::uint32_t> values, std::uint64_t bound);

}  // namespace greenkgc::model
