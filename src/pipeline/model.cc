#include "greenkgc/model.h"

#include <fmt/format.h>

#include <algorithm>

#include "greenkgc/error.h"
#include "model/model_file.h"
#include "rank/fact_margins.h"

namespace greenkgc {

Model Model::open(const std::filesystem::path& path) {
  return Model(std::make_unique<model::NamedDecisions>(model::read_model(path)));
}

Model::Model(std::unique_ptr<const model::NamedDecisions> impl) : impl_(std::move(impl)) {}
Model::~Model() = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;

std::uint32_t Model::entity_count() const {
  return impl_->entities.size();
}
std::uint32_t Model::relation_count() const {
  return impl_->relations.size();
}
std::string_view Model::label(EntityId id) const {
  return impl_->entities.label(index(id));
}
std::string_view Model::label(RelationId id) const {
  return impl_->relations.label(index(id));
}

std::optional<EntityId> Model::find_entity(std::string_view label) const {
  const auto id = impl_->entities.find(label);
  return id ? std::optional(EntityId{*id}) : std::nullopt;
}

std::optional<RelationId> Model::find_relation(std::string_view label) const {
  const auto id = impl_->relations.find(label);
  return id ? std::optional(RelationId{*id}) : std::nullopt;
}

std::vector<Score> Model::score(std::span<const Triple> facts, const Context& context) const {
  for (const Triple& fact : facts) {
    if (std::max(index(fact.head), index(fact.tail)) >= entity_count() ||
        index(fact.relation) >= relation_count())
      throw Error(ErrorCode::kUsage, fmt::format("the model has no fact ({}, {}, {})", index(fact.head),
                                                 index(fact.relation), index(fact.tail)));
  }
  const model::Decisions& decisions = impl_->decisions;
  const std::vector<float> margins = rank::margins_of(decisions, facts, context);
  std::vector<Score> scores;
  scores.reserve(facts.size());
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const auto& group = decisions.groups[decisions.group_of[index(facts[i].relation)]];
    scores.push_back({margins[i], group.calibration.probability(static_cast<double>(margins[i]))});
  }
  return scores;
}

}  // namespace greenkgc
