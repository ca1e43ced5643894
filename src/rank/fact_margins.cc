#include "rank/fact_margins.h"

#include <algorithm>

#include "base/progress.h"
#include "kernels/parallel.h"
#include "kernels/row_classes.h"
#include "rank/base_margins.h"
#include "rank/classed_trees.h"

namespace greenkgc::rank {
namespace {

constexpr std::size_t kRows = 512;  // at a time
static_assert(kRows % kRowGranule == 0);

Triple fact_of(const RankQuery& query) {
  if (query.side == Side::kTail) return {query.known, query.relation, query.answer};
  return {query.answer, query.relation, query.known};
}

// The facts of one group.
class GroupMargins {
 public:
  GroupMargins(const model::Decisions& decisions, std::uint32_t group)
      : tables_(decisions.tables),
        base_(decisions, group),
        trees_(decisions.groups[group].trees, decisions.tables) {
    trees_.terms_of({}, terms_);
    tree_tables_.resize(terms_.lookups.size());
    make_tables(terms_.lookups, trees_.sources(), tree_tables_.data());
  }

  // Margins of queries[places[i]], at most kRows of them.
  void compute(std::span<const RankQuery> queries, std::span<const std::uint32_t> places,
               std::span<float> margins) const {
    std::vector<float> sums(kRows);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const RankQuery& query = queries[places[i]];
      const BaseMargins::Query asked = base_.query(query.known, query.relation, query.side);
      base_.fill({&asked, 1}, index(query.answer), 1, &sums[i], 1);
    }
    const std::vector<std::uint8_t> bins = columns_of(queries, places);
    std::size_t begin = 0;
    for (std::size_t block = 0; block < trees_.block_count(); ++block) {
      const std::size_t end = terms_.block_ends[block];
      classify_and_add(trees_.block(block), std::span(terms_.lookups).subspan(begin, end - begin),
                       tree_tables_.data() + begin, {bins.data(), kRows, kRows}, sums.data());
      begin = end;
    }
    for (std::size_t i = 0; i < places.size(); ++i) margins[places[i]] = sums[i];
  }

 private:
  std::vector<std::uint8_t> columns_of(std::span<const RankQuery> queries,
                                       std::span<const std::uint32_t> places) const {
    std::vector<std::uint8_t> bins;
    bins.reserve((2 * tables_.entities.columns() + tables_.relations.columns()) * kRows);
    const auto add = [&](const model::BinnedTable& table, auto id_of) {
      for (std::size_t c = 0; c < table.columns(); ++c) {
        const std::size_t begin = bins.size();
        for (const std::uint32_t place : places)
          bins.push_back(table.bins(c)[index(id_of(fact_of(queries[place])))]);
        bins.resize(begin + kRows);
      }
    };
    add(tables_.entities, [](const Triple& fact) { return fact.head; });
    add(tables_.relations, [](const Triple& fact) { return fact.relation; });
    add(tables_.entities, [](const Triple& fact) { return fact.tail; });
    return bins;
  }

  const model::SideTables& tables_;
  const BaseMargins base_;
  const ClassedTrees trees_;
  ClassedTrees::Terms terms_;
  std::vector<ClassTable> tree_tables_;
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
  std::vector<RankQuery> queries;
  queries.reserve(facts.size());
  for (const Triple& fact : facts) queries.push_back({fact.head, fact.relation, fact.tail, Side::kTail});
  return margins_of(decisions, queries, context);
}

}  // namespace greenkgc::rank
