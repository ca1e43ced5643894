#include "train/decide/group_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/permutation.h"
#include "base/random.h"
#include "features/features.h"
#include "kge/chosen_dims.h"
#include "train/negatives/draw_samples.h"
#include "train/negatives/negatives.h"

namespace greenkgc {
namespace {

constexpr std::uint32_t kFactsStream = 0x64656320;
// Negatives of validation facts are not those that a training fact in the same place has.
constexpr std::uint64_t kHeldOutSeed = 0x9e3779b97f4a7c15;

}  // namespace

std::vector<trees::TripleColumn> group_columns(const model::Decisions& decisions, std::uint32_t group) {
  const features::TripleVariables variables(decisions.embeddings, decisions.phase_form);
  std::vector<trees::TripleColumn> columns;
  const auto add = [&](features::TriplePart part, std::size_t per_dim) {
    for (std::size_t v = 0; v < per_dim; ++v) {
      for (const std::uint32_t dim : decisions.groups[group].kept)
        columns.push_back({part, static_cast<std::uint32_t>(v * variables.dims() + dim)});
    }
  };
  add(features::TriplePart::kHead, variables.per_entity());
  add(features::TriplePart::kRelation, variables.per_relation());
  add(features::TriplePart::kTail, variables.per_entity());
  std::sort(columns.begin(), columns.end());
  return columns;
}

GroupProblems::GroupProblems(const graph::Dataset& data, const DecideOptions& options,
                             const model::Decisions& decisions, const Context& context)
    : data_(data),
      options_(options),
      decisions_(decisions),
      context_(context),
      known_in_train_(std::array<std::span<const Triple>, 1>{data[Split::kTrain].triples},
                      data.entities.size(), context),
      known_with_valid_(
          std::array<std::span<const Triple>, 2>{data[Split::kTrain].triples, data[Split::kValid].triples},
          data.entities.size(), context),
      ranges_(data[Split::kTrain].triples, data.relations.size()),
      self_terms_(decide::self_terms(data[Split::kTrain].triples, data.relations.size())) {}

GroupProblem GroupProblems::make(std::uint32_t group) const {
  const kge::Embeddings embeddings = kge::with_dims(decisions_.embeddings, decisions_.groups[group].kept);
  GroupProblem problem;
  problem.columns = group_columns(decisions_, group);
  if (options_.trees > 0)
    problem.samples = draw(group, Split::kTrain, options_.max_facts, embeddings, context_);
  if (options_.held_out > 0) {
    Context quiet = context_;  // what a relation lacks has been said
    quiet.log = nullptr;
    problem.held_out = draw(group, Split::kValid, options_.held_out, embeddings, quiet);
  }
  if (options_.uses_base_margin()) add_base(group, embeddings, problem);
  return problem;
}

std::vector<std::uint64_t> GroupProblems::positions(std::uint32_t group, Split split,
                                                    std::int64_t most) const {
  const auto& facts = data_[split].triples;
  std::vector<std::uint64_t> all;
  for (std::uint64_t i = 0; i < facts.size(); ++i) {
    if (decisions_.group_of[index(facts[i].relation)] == group) all.push_back(i);
  }
  const auto wanted = static_cast<std::uint64_t>(most);
  if (wanted == 0 || wanted >= all.size()) return all;
  const Permutation order(all.size(), CounterRandom(context_.seed, kFactsStream), group);
  std::vector<std::uint64_t> chosen;
  for (std::uint64_t i = 0; i < wanted; ++i) chosen.push_back(all[order(i)]);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

trees::Samples GroupProblems::draw(std::uint32_t group, Split split, std::int64_t most,
                                   const kge::Embeddings& embeddings, const Context& context) const {
  const bool train = split == Split::kTrain;
  const decide::NegativeSource source{.facts = data_[split].triples,
                                      .known = train ? known_in_train_ : known_with_valid_,
                                      .ranges = ranges_,
                                      .entity_count = data_.entities.size(),
                                      .embeddings = &embeddings,
                                      .seed = train ? context.seed : context.seed ^ kHeldOutSeed};
  const auto sampler = decide::negative_sampler(
      options_.negatives, source,
      {.leave_out = options_.leave_out, .pool_factor = static_cast<std::size_t>(options_.pool_factor)});
  return decide::draw_samples(source, *sampler, positions(group, split, most),
                              static_cast<std::size_t>(options_.negatives_per_side), context);
}

void GroupProblems::add_base(std::uint32_t group, const kge::Embeddings& embeddings,
                             GroupProblem& problem) const {
  if (problem.held_out.size() == 0) {
    context_.say(LogLevel::kInfo,
                 "a group has no validation facts to fit a prior on; its trees start from 0");
    return;
  }
  const decide::BaseInputs inputs{embeddings, decisions_.counts};
  std::vector<RelationId> relations;
  for (std::uint32_t r = 0; r < decisions_.group_of.size(); ++r) {
    if (decisions_.group_of[r] == group) relations.push_back(RelationId{r});
  }
  problem.base = decide::fit_base_margins(problem.held_out, relations, inputs, context_);
  for (const RelationId relation : relations) {
    for (const graph::Side side : {graph::Side::kHead, graph::Side::kTail})
      problem.base[index(relation)]->of(side).self = self_terms_[index(relation)];
  }
  problem.margins =
      decide::base_margins(problem.samples, inputs, problem.base, decide::OwnFact::kCounted, context_);
  problem.held_out_margins =
      decide::base_margins(problem.held_out, inputs, problem.base, decide::OwnFact::kNotCounted, context_);
}

}  // namespace greenkgc
