#include "model/count_tensors.h"

#include <fmt/format.h>

#include <vector>

#include "tensors/check_tensors.h"

namespace greenkgc::model {
namespace {

constexpr std::size_t kMostCopied = 1 << 20;  // when a model is opened

std::vector<std::uint32_t> ids_of(const graph::RelationRanges::Lists& lists) {
  std::vector<std::uint32_t> ids;
  for (const EntityId id : lists.entities) ids.push_back(index(id));
  return ids;
}

// An id in a file is a number of 32 bits, and so it is here.
std::span<const EntityId> as_entities(std::span<const std::uint32_t> ids) {
  static_assert(sizeof(EntityId) == sizeof(std::uint32_t));
  return {reinterpret_cast<const EntityId*>(ids.data()), ids.size()};
}

}  // namespace

CountTensors::CountTensors(const graph::RelationRanges::Lists& lists)
    : offsets_(lists.offsets),
      entities_(ids_of(lists), kMostCopied),
      counts_({lists.counts.begin(), lists.counts.end()}, kMostCopied) {}

void CountTensors::add_to(tensors::SafetensorsWriter& writer, const std::string& side) const {
  const std::string what = "counts." + side;
  entities_.add_to(writer, what);
  counts_.add_to(writer, what + ".facts");
  writer.add(what + ".offsets", {offsets_.size()}, offsets_);
}

graph::RelationRanges::Lists read_counts(const std::shared_ptr<const tensors::SafetensorsFile>& file,
                                         const std::string& side, std::uint32_t entity_count,
                                         std::uint32_t relation_count) {
  const std::string what = "counts." + side;
  const auto offsets = file->u64s(what + ".offsets");
  const tensors::WholeNumbers fact_counts = tensors::map_narrow(file, what + ".facts");
  const tensors::WholeNumbers ids = tensors::map_narrow(file, what);
  const auto counts = fact_counts.values;
  const auto entities = ids.values;
  const std::size_t size = entities.size();
  tensors::check_below(*file, what, entities, entity_count);
  tensors::expect_shape(*file, what + ".facts", {counts.size()}, {size});
  tensors::expect_shape(*file, what + ".offsets", {offsets.size()}, {std::uint64_t{relation_count} + 1});
  for (std::size_t r = 0; r + 1 < offsets.size(); ++r) {
    if (offsets[0] != 0 || offsets[r] > offsets[r + 1] || offsets[r + 1] > size || offsets.back() != size)
      file->fail(fmt::format("the list of relation {} in {} is missing", r, what));
    for (std::size_t i = offsets[r] + 1; i < offsets[r + 1]; ++i) {
      if (entities[i] <= entities[i - 1])
        file->fail(fmt::format("the list of relation {} in {} is not in ascending order", r, what));
    }
  }
  struct Owners {
    std::shared_ptr<const void> file, counts, entities;
  };
  return {as_entities(entities), counts, offsets,
          std::make_shared<const Owners>(Owners{file, fact_counts.owner, ids.owner})};
}

}  // namespace greenkgc::model
