#include "kge/embedding_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "graph/vocabulary.h"
#include "greenkgc/error.h"
#include "kge/embedding_tensors.h"
#include "tensors/check_tensors.h"
#include "tensors/label_tensors.h"
#include "tensors/safetensors.h"

namespace greenkgc::kge {
namespace {

constexpr FileKind kEmbeddingsKind = {"greenkgc.embeddings", "1"};

bool same_order(const graph::Vocabulary& a, const graph::Vocabulary& b) {
  if (a.size() != b.size()) return false;
  for (std::uint32_t id = 0; id < a.size(); ++id) {
    if (a.label(id) != b.label(id)) return false;
  }
  return true;
}

}  // namespace

void write_embeddings(const std::filesystem::path& path, const Embeddings& embeddings,
                      const graph::Vocabulary& entities, const graph::Vocabulary& relations,
                      const Provenance& provenance) {
  tensors::SafetensorsWriter writer;
  set_metadata(writer, kEmbeddingsKind, embeddings, provenance);
  writer.add("entities", {embeddings.entity_count, embeddings.entity_width()},
             std::span<const float>(embeddings.entities));
  writer.add("relations", {embeddings.relation_rows(), embeddings.relation_width()},
             std::span<const float>(embeddings.relations));
  const tensors::LabelTensors entity_labels(entities);
  const tensors::LabelTensors relation_labels(relations);
  entity_labels.add_to(writer, "entities");
  relation_labels.add_to(writer, "relations");
  writer.write(path);
}

EmbeddingTables embedding_tables(const tensors::SafetensorsFile& file) {
  EmbeddingTables tables{.shape = read_metadata(file, kEmbeddingsKind)};
  Embeddings& embeddings = tables.shape;
  const auto& entity_shape = file.tensor("entities", tensors::TensorType::kF32, 2).shape;
  const auto& relation_shape = file.tensor("relations", tensors::TensorType::kF32, 2).shape;
  const std::uint64_t per_relation = embeddings.reciprocal ? 2 : 1;
  if (entity_shape[0] >= kMaxIds || relation_shape[0] >= kMaxIds ||
      entity_shape[1] != embeddings.entity_width() || relation_shape[1] != embeddings.relation_width() ||
      relation_shape[0] % per_relation != 0) {
    file.fail("the shapes of its tables do not match its model and dims");
  }
  embeddings.entity_count = static_cast<std::uint32_t>(entity_shape[0]);
  embeddings.relation_count = static_cast<std::uint32_t>(relation_shape[0] / per_relation);
  tables.entities = file.floats("entities", 2);
  tables.relations = file.floats("relations", 2);
  tensors::check_finite(file, tables.entities, embeddings.entity_width(), "entities");
  tensors::check_finite(file, tables.relations, embeddings.relation_width(), "relations");
  return tables;
}

NamedEmbeddings read_embeddings(const std::filesystem::path& path) {
  const tensors::SafetensorsFile file(path);
  EmbeddingTables tables = embedding_tables(file);
  NamedEmbeddings named;
  Embeddings& embeddings = named.embeddings;
  embeddings = std::move(tables.shape);
  embeddings.entities.assign(tables.entities.begin(), tables.entities.end());
  embeddings.relations.assign(tables.relations.begin(), tables.relations.end());
  named.entities = tensors::read_labels(file, "entities", embeddings.entity_count);
  named.relations = tensors::read_labels(file, "relations", embeddings.relation_count);
  named.provenance = read_provenance(file);
  return named;
}

Embeddings arranged(NamedEmbeddings named, const graph::Vocabulary& entities,
                    const graph::Vocabulary& relations) {
  if (same_order(named.entities, entities) && same_order(named.relations, relations))
    return std::move(named.embeddings);
  const Embeddings& from = named.embeddings;
  const auto row_of = [](const graph::Vocabulary& rows, std::string_view label, std::string_view what) {
    const auto row = rows.find(label);
    if (!row)
      throw Error(ErrorCode::kBadInput,
                  fmt::format("the embeddings have no row for {} {}", what, in_quotes(label)));
    return *row;
  };
  Embeddings to = from;
  to.entity_count = entities.size();
  to.relation_count = relations.size();
  to.entities.resize(to.entity_count * to.entity_width());
  to.relations.resize(to.relation_rows() * to.relation_width());
  for (std::uint32_t id = 0; id < entities.size(); ++id) {
    const auto row = from.entity(EntityId{row_of(named.entities, entities.label(id), "entity")});
    std::copy(row.begin(), row.end(),
              to.entities.begin() + static_cast<std::ptrdiff_t>(id * to.entity_width()));
  }
  for (std::uint32_t id = 0; id < relations.size(); ++id) {
    const std::size_t source = row_of(named.relations, relations.label(id), "relation");
    for (std::size_t copy = 0; copy < to.relation_rows() / std::max<std::size_t>(1, to.relation_count);
         ++copy) {
      const auto row = from.relation_row(source + copy * from.relation_count);
      const std::size_t target = (id + copy * to.relation_count) * to.relation_width();
      std::copy(row.begin(), row.end(), to.relations.begin() + static_cast<std::ptrdiff_t>(target));
    }
  }
  return to;
}

}  // namespace greenkgc::kge
