#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "greenkgc/export.h"
#include "greenkgc/ids.h"
#include "greenkgc/model.h"

namespace greenkgc {

// The numbers that a model knows its entities and relations by, where the model has them: valid as long as
// the model. Column v * dims + d is variable v of dimension d.
struct ModelVectors {
  std::string model;  // that they were trained with: "rotate"
  std::size_t dims = 0;
  bool reciprocal = false;     // the second half of the relations' rows are for asking backwards
  std::size_t range_dims = 0;  // of the last dimensions: there the entity that asks does not count
  // Of entities a model keeps one byte for each number, which says whose level it has: that of entity e in
  // column c is levels[c][bins[c * entities + e]].
  std::uint32_t entities = 0;
  std::span<const std::uint8_t> bins;          // column by column
  std::vector<std::span<const float>> levels;  // of each column, ascending
  std::size_t relation_rows = 0;
  std::span<const float> relations;  // row by row

  std::size_t entity_width() const { return levels.size(); }
  std::size_t relation_width() const { return relation_rows == 0 ? 0 : relations.size() / relation_rows; }
};

GREENKGC_API ModelVectors vectors_of(const Model& model);

// Embeddings in a file (`greenkgc embed`, or embeddings.safetensors of a run), which is mapped: rows are read
// where they are. Const calls may run in several threads.
class GREENKGC_API EmbeddingFile {
 public:
  // Throws kBadInput if there is no such file, kCorrupt or kUnsupported, saying where, for one that is
  // damaged, of another kind or of a newer version.
  static EmbeddingFile open(const std::filesystem::path& path);
  ~EmbeddingFile();
  EmbeddingFile(EmbeddingFile&& other) noexcept;
  EmbeddingFile& operator=(EmbeddingFile&& other) noexcept;

  std::string_view model() const;       // "rotate"
  std::string_view similarity() const;  // "dot", "l2", "squared-l2", "l1", "moduli"
  std::size_t dims() const;
  bool reciprocal() const;         // the second half of the relations' rows are for asking backwards
  std::size_t range_dims() const;  // of the last dimensions: there the entity that asks does not count
  std::uint32_t entity_count() const;
  std::uint32_t relation_count() const;
  std::size_t relation_rows() const;
  std::string_view label(EntityId id) const;
  std::string_view label(RelationId id) const;

  std::span<const float> entities() const;  // row by row
  std::span<const float> relations() const;

 private:
  struct State;
  explicit EmbeddingFile(std::unique_ptr<const State> state);
  std::unique_ptr<const State> state_;
};

}  // namespace greenkgc
