#include "greenkgc/model.h"

#include "model/model_file.h"

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

}  // namespace greenkgc
