#include "rank/evaluate/proposals.h"

#include <algorithm>

#include "base/permutation.h"
#include "base/random.h"
#include "graph/known_facts.h"
#include "graph/relation_ranges.h"
#include "greenkgc/complete.h"
#include "model/model_file.h"
#include "rank/rankers/ranker.h"

namespace greenkgc {
namespace {

constexpr std::uint32_t kHeadStream = 0x68656164;
// Of about a millisecond each. A graph that needs no more is completed as a whole; of a larger one a sample,
// which adds a few percent to its training.
constexpr double kMaxQueries = 12'000;
constexpr double kSampledQueries = 4'000;
constexpr double kMinQueries = 500;
constexpr double kQuickQueries = 2'500;
constexpr double kMaxScores = 4e9;  // of candidates, by trees; some seconds
// complete() asks more queries than heads have relations, since it fills gaps as well.
constexpr double kQueriesPerKnown = 1.5;

// Pairs (h, r) that have a known fact.
std::uint64_t known_slots(const Model& model, const Context& context) {
  const graph::KnownFacts& known = model.known_facts(context);
  std::uint64_t slots = 0;
  for (std::uint32_t e = 0; e < model.entity_count(); ++e) {
    const auto relations = known.out_edges(EntityId{e}).relations;
    for (std::size_t i = 0; i < relations.size(); ++i) slots += i == 0 || relations[i] != relations[i - 1];
  }
  return slots;
}

double affordable_queries(const Model& model) {
  std::size_t trees = 20;  // what a query takes without any
  for (const auto& group : model.impl().decisions.groups) trees = std::max(trees, group.trees.trees.size());
  return std::clamp(kMaxScores / (static_cast<double>(trees) * (model.entity_count() + 1.0)), kMinQueries,
                    kMaxQueries);
}

}  // namespace

bool HeadSample::contains(EntityId head) const {
  return all() || std::binary_search(heads.begin(), heads.end(), head);
}

HeadSample sample_heads(const Model& model, std::uint64_t count, const Context& context) {
  HeadSample sample;
  if (count == 0 || count >= model.entity_count()) return sample;
  const Permutation order(model.entity_count(), CounterRandom(context.seed, kHeadStream), 0);
  for (std::uint64_t i = 0; i < count; ++i)
    sample.heads.push_back(EntityId{static_cast<std::uint32_t>(order(i))});
  std::sort(sample.heads.begin(), sample.heads.end());
  return sample;
}

std::uint64_t affordable_heads(const Model& model, const Context& context) {
  const double wanted = kQueriesPerKnown * static_cast<double>(known_slots(model, context));
  const double affordable = affordable_queries(model);
  if (wanted <= affordable) return 0;
  const double share = std::min(affordable, kSampledQueries) / wanted;
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(share * model.entity_count()));
}

std::vector<Answer> propose(const Model& model, const HeadSample& sample, std::uint64_t top,
                            const Context& context) {
  const bool refused = !model.has_facts();  // by complete(), which says why
  if (sample.all() || refused) return complete(model, {.top = static_cast<std::int64_t>(top)}, context);
  const rank::Ranker& ranker = model.ranker(context);
  std::vector<RelationId> relations;
  for (std::uint32_t r = 0; r < model.relation_count(); ++r) relations.push_back(RelationId{r});
  std::vector<bool> heads(model.entity_count());
  for (const EntityId head : sample.heads) heads[index(head)] = true;
  const graph::RelationRanges ranges(model.impl().facts.read(), model.relation_count());
  return ranker
      .discover({.relations = relations,
                 .top = top,
                 .max_per_query = ranker.judges_facts() ? rank::kJudgedPerQuery : 0,
                 .heads = &heads,
                 .ranges = &ranges,
                 .known = &model.known_facts(context),
                 .exclude = &model.not_new(context)},
                context)
      .facts;
}

QuickProposals propose_some(const Model& model, std::uint64_t top, const Context& context) {
  CompleteOptions options{.top = static_cast<std::int64_t>(top)};
  if (model.has_facts() && model.ranker(context).judges_facts()) {
    options.max_queries = static_cast<std::int64_t>(std::min(kQuickQueries, affordable_queries(model)));
    return {complete(model, options, context), 0};
  }
  const HeadSample sample = sample_heads(model, affordable_heads(model, context), context);
  return {propose(model, sample, top, context), sample.heads.size()};
}

}  // namespace greenkgc
