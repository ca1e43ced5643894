#include "kge/embeddings.h"

#include <algorithm>
#include <numeric>

namespace greenkgc::kge {

std::vector<std::uint32_t> Embeddings::range_places(std::span<const std::uint32_t> among) const {
  std::vector<std::uint32_t> places;
  for (std::uint32_t place = 0; place < among.size(); ++place) {
    if (std::find(range_dims.begin(), range_dims.end(), among[place]) != range_dims.end())
      places.push_back(place);
  }
  return places;
}

void Embeddings::make_asking(std::span<const std::uint32_t> places, std::span<float> variables) const {
  const std::size_t of_each = variables.size() / kge->entity_variables();
  for (const std::uint32_t place : places) {
    for (std::size_t v = 0; v < kge->entity_variables(); ++v)
      variables[v * of_each + place] = v == 0 ? kge->neutral() : 0.0F;
  }
}

std::span<const float> Embeddings::asking_row(EntityId id) const {
  const std::span<const float> whole = entity(id);
  if (range_dims.empty()) return whole;
  thread_local std::vector<float> row;
  row.assign(whole.begin(), whole.end());
  make_asking(range_dims, row);
  return row;
}

void Embeddings::query_gradient(EntityId known, RelationId relation, Side side,
                                std::span<const float> q_gradient, std::span<float> known_gradient,
                                std::span<float> relation_gradient) const {
  const Asking how = asking(relation, side);
  kge->gradient(how.side, asking_row(known), relation_row(how.relation_row), q_gradient, known_gradient,
                relation_gradient);
  const bool phases = kge->relation_range() > 0;
  for (const std::uint32_t dim : range_dims) {
    for (std::size_t v = 0; v < kge->entity_variables(); ++v) known_gradient[v * dims + dim] = 0;
    if (phases) relation_gradient[dim] = 0;
  }
}

std::vector<std::uint32_t> last_dims(std::size_t dims, std::size_t count) {
  std::vector<std::uint32_t> last(count);
  std::iota(last.begin(), last.end(), static_cast<std::uint32_t>(dims - count));
  return last;
}

}  // namespace greenkgc::kge
