#include "greenkgc/vectors.h"

#include "graph/vocabulary.h"
#include "kge/embedding_file.h"
#include "model/model_file.h"
#include "tensors/label_tensors.h"

namespace greenkgc {

ModelVectors vectors_of(const Model& model) {
  const model::Decisions& decisions = model.impl().decisions;
  const features::BinnedTable& table = decisions.tables.entities;
  const kge::Embeddings& embeddings = decisions.embeddings;
  ModelVectors vectors{.model = std::string(embeddings.kge->name()),
                       .dims = embeddings.dims,
                       .reciprocal = embeddings.reciprocal,
                       .range_dims = embeddings.range_dims.size(),
                       .entities = table.rows(),
                       .bins = {},
                       .levels = {},
                       .relation_rows = embeddings.relation_rows(),
                       .relations = embeddings.relations};
  if (table.columns() > 0) vectors.bins = {table.bins(0).data(), table.columns() * table.rows()};
  for (std::size_t c = 0; c < table.columns(); ++c) vectors.levels.push_back(table.levels(c));
  return vectors;
}

struct EmbeddingFile::State {
  tensors::SafetensorsFile file;
  kge::EmbeddingTables tables;
  graph::Vocabulary entity_labels;
  graph::Vocabulary relation_labels;

  explicit State(const std::filesystem::path& path)
      : file(path),
        tables(kge::embedding_tables(file)),
        entity_labels(tensors::read_labels(file, "entities", tables.shape.entity_count)),
        relation_labels(tensors::read_labels(file, "relations", tables.shape.relation_count)) {}
};

EmbeddingFile EmbeddingFile::open(const std::filesystem::path& path) {
  return EmbeddingFile(std::make_unique<State>(path));
}

EmbeddingFile::EmbeddingFile(std::unique_ptr<const State> state) : state_(std::move(state)) {}
EmbeddingFile::~EmbeddingFile() = default;
EmbeddingFile::EmbeddingFile(EmbeddingFile&&) noexcept = default;
EmbeddingFile& EmbeddingFile::operator=(EmbeddingFile&&) noexcept = default;

std::string_view EmbeddingFile::model() const {
  return state_->tables.shape.kge->name();
}
std::string_view EmbeddingFile::similarity() const {
  return kge::similarity_name(state_->tables.shape.similarity);
}
std::size_t EmbeddingFile::dims() const {
  return state_->tables.shape.dims;
}
bool EmbeddingFile::reciprocal() const {
  return state_->tables.shape.reciprocal;
}
std::size_t EmbeddingFile::range_dims() const {
  return state_->tables.shape.range_dims.size();
}
std::uint32_t EmbeddingFile::entity_count() const {
  return state_->tables.shape.entity_count;
}
std::uint32_t EmbeddingFile::relation_count() const {
  return state_->tables.shape.relation_count;
}
std::size_t EmbeddingFile::relation_rows() const {
  return state_->tables.shape.relation_rows();
}
std::string_view EmbeddingFile::label(EntityId id) const {
  return state_->entity_labels.label(index(id));
}
std::string_view EmbeddingFile::label(RelationId id) const {
  return state_->relation_labels.label(index(id));
}
std::span<const float> EmbeddingFile::entities() const {
  return state_->tables.entities;
}
std::span<const float> EmbeddingFile::relations() const {
  return state_->tables.relations;
}

}  // namespace greenkgc
