#include "kge/chosen_dims.h"

namespace greenkgc::kge {
namespace {

std::vector<float> with_columns(std::span<const float> table, std::size_t variables, std::size_t dims,
                                std::span<const std::uint32_t> chosen) {
  const std::size_t width = variables * dims;
  const std::size_t rows = width == 0 ? 0 : table.size() / width;
  std::vector<float> out;
  out.reserve(rows * variables * chosen.size());
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t v = 0; v < variables; ++v) {
      for (const std::uint32_t dim : chosen) out.push_back(table[row * width + v * dims + dim]);
    }
  }
  return out;
}

void put_columns(std::span<const float> part, std::size_t variables, std::size_t dims,
                 std::span<const std::uint32_t> chosen, std::span<float> table) {
  const std::size_t width = variables * dims;
  auto next = part.begin();
  for (std::size_t row = 0; next != part.end(); ++row) {
    for (std::size_t v = 0; v < variables; ++v) {
      for (const std::uint32_t dim : chosen) table[row * width + v * dims + dim] = *next++;
    }
  }
}

}  // namespace

Embeddings with_dims(const Embeddings& embeddings, std::span<const std::uint32_t> dims) {
  Embeddings chosen;
  chosen.kge = embeddings.kge;
  chosen.similarity = embeddings.similarity;
  chosen.dims = dims.size();
  chosen.range_dims = embeddings.range_places(dims);
  chosen.reciprocal = embeddings.reciprocal;
  chosen.entity_count = embeddings.entity_count;
  chosen.relation_count = embeddings.relation_count;
  chosen.entities =
      with_columns(embeddings.entities, embeddings.kge->entity_variables(), embeddings.dims, dims);
  chosen.relations =
      with_columns(embeddings.relations, embeddings.kge->relation_variables(), embeddings.dims, dims);
  return chosen;
}

void put_dims(const Embeddings& part, std::span<const std::uint32_t> dims, Embeddings& whole) {
  put_columns(part.entities, whole.kge->entity_variables(), whole.dims, dims, whole.entities);
  put_columns(part.relations, whole.kge->relation_variables(), whole.dims, dims, whole.relations);
}

}  // namespace greenkgc::kge
