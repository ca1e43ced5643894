#include "greenkgc/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mutex>

#include "answers/check_ids.h"
#include "answers/near_entities.h"
#include "base/text.h"
#include "graph/known_facts.h"
#include "greenkgc/error.h"
#include "model/model_file.h"
#include "rank/rankers/ranker.h"
#include "tensors/near_labels.h"

namespace greenkgc {

struct Model::State {
  model::NamedDecisions named;
  mutable std::once_flag indexed;
  mutable graph::KnownFacts known;
  mutable std::once_flag indexed_not_new;
  mutable graph::KnownFacts not_new;  // where some facts are known to be false
  mutable std::once_flag ranked;
  mutable std::unique_ptr<const rank::Ranker> ranker;

  explicit State(model::NamedDecisions decisions) : named(std::move(decisions)) {}
};

Model Model::open(const std::filesystem::path& path) {
  return Model(std::make_unique<State>(model::read_model(path)));
}

Model::Model(std::unique_ptr<const State> state) : state_(std::move(state)) {}
Model::~Model() = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;

const model::NamedDecisions& Model::impl() const {
  return state_->named;
}

const graph::KnownFacts& Model::known_facts(const Context& context) const {
  std::call_once(state_->indexed, [&] {
    const std::vector<Triple> facts = state_->named.facts.read();
    const std::array<std::span<const Triple>, 1> parts = {facts};
    state_->known = graph::KnownFacts(parts, entity_count(), context);
  });
  return state_->known;
}

const graph::KnownFacts& Model::not_new(const Context& context) const {
  if (state_->named.negatives.empty()) return known_facts(context);
  std::call_once(state_->indexed_not_new, [&] {
    const std::vector<Triple> facts = state_->named.facts.read();
    const std::vector<Triple> negatives = state_->named.negatives.read();
    const std::array<std::span<const Triple>, 2> parts = {facts, negatives};
    state_->not_new = graph::KnownFacts(parts, entity_count(), context);
  });
  return state_->not_new;
}

const rank::Ranker& Model::ranker(const Context& context) const {
  std::call_once(state_->ranked, [&] { state_->ranker = rank::make_ranker(state_->named, context); });
  return *state_->ranker;
}

std::uint32_t Model::entity_count() const {
  return impl().entities.size();
}
std::uint32_t Model::relation_count() const {
  return impl().relations.size();
}
std::string_view Model::label(EntityId id) const {
  return impl().entities.label(index(id));
}
std::string_view Model::label(RelationId id) const {
  return impl().relations.label(index(id));
}
bool Model::has_facts() const {
  return !impl().facts.empty();
}

std::optional<EntityId> Model::find_entity(std::string_view label) const {
  const auto id = impl().entities.find(label);
  return id ? std::optional(EntityId{*id}) : std::nullopt;
}

std::optional<RelationId> Model::find_relation(std::string_view label) const {
  const auto id = impl().relations.find(label);
  return id ? std::optional(RelationId{*id}) : std::nullopt;
}

namespace {

std::uint32_t id_of(const tensors::LabelTable& labels, std::string_view label, std::string_view what) {
  if (const auto id = labels.find(label)) return *id;
  throw Error(ErrorCode::kBadInput, fmt::format("the model has no {} {}{}", what, in_quotes(label),
                                                tensors::did_you_mean(labels, label)));
}

}  // namespace

EntityId Model::entity(std::string_view label) const {
  return EntityId{id_of(impl().entities, label, "entity")};
}

RelationId Model::relation(std::string_view label) const {
  return RelationId{id_of(impl().relations, label, "relation")};
}

void check_id(const Model& model, EntityId id) {
  if (index(id) >= model.entity_count())
    throw Error(ErrorCode::kUsage,
                fmt::format("entity {} of {}: ids start at 0", index(id), model.entity_count()));
}

void check_id(const Model& model, RelationId id) {
  if (index(id) >= model.relation_count())
    throw Error(ErrorCode::kUsage,
                fmt::format("relation {} of {}: ids start at 0", index(id), model.relation_count()));
}

void check_question(const Model& model, const Question& question) {
  const int missing =
      (question.head == kNoEntity) + (question.relation == kNoRelation) + (question.tail == kNoEntity);
  if (missing != 1)
    throw Error(ErrorCode::kUsage,
                fmt::format("a query must leave out one of head, relation and tail, not {}", missing));
  for (const EntityId id : {question.head, question.tail}) {
    if (id != kNoEntity) check_id(model, id);
  }
  if (question.relation != kNoRelation) check_id(model, question.relation);
}

std::vector<Neighbor> Model::neighbors(EntityId entity, std::optional<RelationId> relation, std::size_t k,
                                       const Context& context) const {
  check_id(*this, entity);
  if (relation) check_id(*this, *relation);
  return answers::nearest_entities(impl().decisions, entity, relation, k, context);
}

std::vector<Score> Model::score(std::span<const Triple> facts, const Context& context) const {
  for (const Triple& fact : facts) {
    check_id(*this, fact.head);
    check_id(*this, fact.relation);
    check_id(*this, fact.tail);
  }
  const rank::Ranker& ranker = this->ranker(context);
  const std::vector<float> margins = ranker.fact_scores(facts, context);
  const std::vector<double> probabilities = ranker.probabilities(facts, context);
  std::vector<Score> scores;
  scores.reserve(facts.size());
  for (std::size_t i = 0; i < facts.size(); ++i) scores.push_back({margins[i], probabilities[i]});
  return scores;
}

}  // namespace greenkgc
