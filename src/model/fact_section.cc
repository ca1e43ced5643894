#include "model/fact_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

#include "tensors/check_tensors.h"

namespace greenkgc::model {

FactTensors::FactTensors(std::vector<Triple> facts, std::uint32_t entity_count) {
  std::sort(facts.begin(), facts.end());
  facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
  offsets_.assign(std::size_t{entity_count} + 1, 0);
  std::vector<std::uint32_t> relations;
  std::vector<std::uint32_t> tails;
  for (const Triple& fact : facts) {
    ++offsets_[index(fact.head) + 1];
    relations.push_back(index(fact.relation));
    tails.push_back(index(fact.tail));
  }
  std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
  relations_.emplace(relations);
  tails_.emplace(tails);
}

void FactTensors::add_to(tensors::SafetensorsWriter& writer, const std::string& name) const {
  if (offsets_.back() == 0) return;
  writer.add(name + ".offsets", {offsets_.size()}, std::span<const std::uint32_t>(offsets_));
  relations_->add_to(writer, name + ".relations");
  tails_->add_to(writer, name + ".tails");
}

FactSection::FactSection(std::shared_ptr<const tensors::SafetensorsFile> file, std::string name,
                         std::uint32_t entity_count, std::uint32_t relation_count)
    : file_(std::move(file)),
      name_(std::move(name)),
      entity_count_(entity_count),
      relation_count_(relation_count) {}

std::size_t FactSection::size() const {
  if (!file_ || !file_->tensors().contains(name_ + ".offsets")) return 0;
  const auto tails = file_->tensors().find(name_ + ".tails");
  if (tails == file_->tensors().end() || tails->second.shape.size() != 1)
    file_->fail(fmt::format("has no list {}.tails", name_));
  return tails->second.shape[0];
}

std::vector<Triple> FactSection::read() const {
  if (empty()) return {};
  const auto offsets = file_->u32s(name_ + ".offsets");
  const auto tails = tensors::read_narrow(*file_, name_ + ".tails");
  const auto relations = tensors::read_narrow(*file_, name_ + ".relations");
  tensors::expect_shape(*file_, name_ + ".offsets", {offsets.size()}, {std::uint64_t{entity_count_} + 1});
  tensors::expect_shape(*file_, name_ + ".relations", {relations.size()}, {tails.size()});
  tensors::check_below(*file_, name_ + ".tails", tails, entity_count_);
  tensors::check_below(*file_, name_ + ".relations", relations, relation_count_);
  std::vector<Triple> facts;
  facts.reserve(tails.size());
  for (std::uint32_t head = 0; head < entity_count_; ++head) {
    if (offsets[0] != 0 || offsets[head] > offsets[head + 1] || offsets[head + 1] > tails.size() ||
        offsets[entity_count_] != tails.size())
      file_->fail(fmt::format("the {} of entity {} are missing", name_, head));
    for (std::uint32_t i = offsets[head]; i < offsets[head + 1]; ++i)
      facts.push_back({EntityId{head}, RelationId{relations[i]}, EntityId{tails[i]}});
  }
  if (std::adjacent_find(facts.begin(), facts.end(), std::greater_equal<>()) != facts.end())
    file_->fail(fmt::format("{} are not in ascending order", name_));
  return facts;
}

}  // namespace greenkgc::model
