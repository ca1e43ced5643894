#include "rank/rankers/fact_margins.h"

#include <array>

#include "base/aligned_vector.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "model/base_margins.h"
#include "simd/trees/row_classes.h"
#include "trees/classed_trees.h"

namespace greenkgc::rank {
namespace {

constexpr std::size_t kRows = 512;  // at a time
static_assert(kRows % simd::kRowGranule == 0);

// The facts of one group.
class GroupMargins {
 public:
  GroupMargins(const model::Decisions& decisions, std::uint32_t group)
      : tables_(decisions.tables),
        base_(decisions, group),
        trees_(decisions.groups[group].trees, decisions.tables) {
    trees_.terms_of({}, terms_);
    tree_tables_.resize(terms_.lookups.size());
    simd::make_tables(terms_.lookups, trees_.sources(), tree_tables_.data());
  }

  // Margins of queries[places[i]], at most kRows of them.
  void compute(std::span<const RankQuery> queries, std::span<const std::uint32_t> places,
               std::span<float> margins) const {
    std::vector<float> sums(kRows);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const RankQuery& query = queries[places[i]];
      const model::BaseMargins::Query asked = base_.query(query.known, query.relation, query.side);
      base_.fill({&asked, 1}, index(query.answer), 1, &sums[i], 1);
    }
    if (trees_.block_count() > 0) {
      const auto bins = columns_of(queries, places);
      simd::classify_and_add(trees_.block(0), terms_.lookups, tree_tables_.data(),
                             {bins.data(), kRows, kRows}, sums.data());
    }
    for (std::size_t i = 0; i < places.size(); ++i) margins[places[i]] = sums[i];
  }

 private:
  AlignedVector<std::uint8_t> columns_of(std::span<const RankQuery> queries,
                                         std::span<const std::uint32_t> places) const {
    std::array<std::vector<std::uint32_t>, features::kTripleParts> ids;  // head, relation, tail
    for (const std::uint32_t place : places) {
      const Triple fact = queries[place].fact();
      ids[0].push_back(index(fact.head));
      ids[1].push_back(index(fact.relation));
      ids[2].push_back(index(fact.tail));
    }
    AlignedVector<std::uint8_t> bins(trees_.columns().size() * kRows);
    for (std::size_t c = 0; c < trees_.columns().size(); ++c) {
      const auto [part, variable] = trees_.columns()[c];
      const auto column = tables_.of(part).bins(variable);
      const auto& own = ids[static_cast<std::size_t>(part)];
      for (std::size_t i = 0; i < own.size(); ++i) bins[c * kRows + i] = column[own[i]];
    }
    return bins;
  }

  const features::SideTables& tables_;
  const model::BaseMargins base_;
  const trees::ClassedTrees trees_;
  trees::ClassedTrees::Terms terms_;
  AlignedVector<simd::ClassTable> tree_tables_;
};

}  // namespace

std::vector<float> margins_of(const model::Decisions& decisions, std::span<const RankQuery> queries,
                              const Context& context) {
  std::vector<std::vector<std::uint32_t>> places(decisions.groups.size());
  for (std::size_t i = 0; i < queries.size(); ++i)
    places[decisions.group_of[index(queries[i].relation)]].push_back(static_cast<std::uint32_t>(i));
  std::vector<float> margins(queries.size());
  ProgressTask progress(context, "scoring", queries.size(), "facts");
  for (std::uint32_t group = 0; group < places.size(); ++group) {
    const std::span<const std::uint32_t> own = places[group];
    if (own.empty()) continue;
    const GroupMargins group_margins(decisions, group);
    parallel_for(context, own.size(), kRows, [&](std::size_t begin, std::size_t end) {
      group_margins.compute(queries, own.subspan(begin, end - begin), margins);
      progress.advance(end - begin);
    });
  }
  return margins;
}

std::vector<float> margins_of(const model::Decisions& decisions, std::span<const Triple> facts,
                              const Context& context) {
  return margins_of(decisions, tail_queries(facts), context);
}

}  // namespace greenkgc::rank
