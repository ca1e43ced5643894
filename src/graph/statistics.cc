#include "graph/statistics.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/progress.h"
#include "graph/fact_index.h"
#include "graph/inverse_relations.h"
#include "graph/known_facts.h"

namespace greenkgc {

std::string_view category_name(RelationCategory category) {
  constexpr std::string_view kNames[] = {"1-1", "1-N", "N-1", "N-N"};
  return kNames[static_cast<std::size_t>(category)];
}

namespace graph {
namespace {

constexpr double kManyPerOne = 1.5;
constexpr std::size_t kLinesPerPiece = 1 << 14;

TrainGraph index_train(const Dataset& dataset, const Context& context) {
  const std::span<const Triple> train = dataset[Split::kTrain].triples;
  const std::uint32_t entities = dataset.entities.size();
  return {entities, KnownFacts({&train, 1}, entities, context),
          FactIndex<ByPair>({&train, 1}, entities, context)};
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

RelationCategory category_of(const RelationStats& relation) {
  const bool many_tails = relation.tails_per_head >= kManyPerOne;
  const bool many_heads = relation.heads_per_tail >= kManyPerOne;
  if (many_tails) return many_heads ? RelationCategory::kNToN : RelationCategory::kOneToN;
  return many_heads ? RelationCategory::kNToOne : RelationCategory::kOneToOne;
}

std::vector<RelationStats> relation_stats(const TrainGraph& train, std::uint32_t relation_count) {
  std::vector<RelationStats> relations(relation_count);
  for (std::uint32_t r = 0; r < relation_count; ++r) relations[r].relation = RelationId{r};
  for (std::uint32_t e = 0; e < train.entity_count; ++e) {
    for_each_run(train.facts.out_edges(EntityId{e}).relations, [&](RelationId r, std::size_t facts) {
      relations[index(r)].train += facts;
      ++relations[index(r)].heads;
    });
    for_each_run(train.facts.in_edges(EntityId{e}).relations,
                 [&](RelationId r, std::size_t) { ++relations[index(r)].tails; });
  }
  for (RelationStats& relation : relations) {
    relation.tails_per_head = share(relation.train, relation.heads);
    relation.heads_per_tail = share(relation.train, relation.tails);
    relation.category = category_of(relation);
  }
  return relations;
}

void count_categories(GraphStats& stats) {
  for (const RelationStats& relation : stats.by_relation) {
    if (relation.train == 0) continue;
    const auto category = static_cast<std::size_t>(relation.category);
    ++stats.category_relations[category];
    stats.category_triples[category] += relation.train;
  }
}

void count_degrees(const TrainGraph& train, GraphStats& stats) {
  std::vector<std::uint64_t> degrees(train.entity_count);
  stats.degrees.push_back({0, 0, 0});
  for (std::uint32_t e = 0; e < train.entity_count; ++e) {
    const std::uint64_t degree =
        train.facts.out_edges(EntityId{e}).others.size() + train.facts.in_edges(EntityId{e}).others.size();
    degrees[e] = degree;
    const auto bucket = static_cast<std::size_t>(std::bit_width(degree));
    while (stats.degrees.size() <= bucket) {
      const std::uint64_t from = std::uint64_t{1} << (stats.degrees.size() - 1);
      stats.degrees.push_back({from, 2 * from - 1, 0});
    }
    ++stats.degrees[bucket].entities;
    if (degree > stats.max_degree) {
      stats.max_degree = degree;
      stats.max_degree_entity = EntityId{e};
    }
  }
  stats.unseen_entities = stats.degrees[0].entities;
  stats.mean_degree = share(2 * train.facts.size(), train.entity_count);
  if (degrees.empty()) return;
  const auto middle = degrees.begin() + static_cast<std::ptrdiff_t>((degrees.size() - 1) / 2);
  std::nth_element(degrees.begin(), middle, degrees.end());
  stats.median_degree = *middle;
}

// Compares the lines of a split with train.
class LineCounter {
 public:
  LineCounter(const TrainGraph& train, const GraphStats& stats)
      : train_(train), relations_(stats.by_relation) {
    for (const InversePair& pair : stats.inverse_pairs) {
      inverse_.emplace_back(pair.relation, pair.inverse);
      inverse_.emplace_back(pair.inverse, pair.relation);
    }
    std::sort(inverse_.begin(), inverse_.end());
  }

  // The shares are counts here.
  void add(const Triple& line, SplitStats& counts) const {
    const auto& [head, relation, tail] = line;
    const auto backwards = train_.links.find(tail, head);
    counts.self_loops += head == tail ? 1 : 0;
    counts.in_train += train_.facts.contains(line) ? 1 : 0;
    counts.inverse_in_train += has_inverse(relation, backwards) ? 1 : 0;
    counts.pair_linked += !backwards.empty() || !train_.links.find(head, tail).empty() ? 1 : 0;
    counts.unseen_entity += is_unseen(head) || is_unseen(tail) ? 1 : 0;
    counts.unseen_relation += relations_[index(relation)].train == 0 ? 1 : 0;
    counts.head_in_range += train_.facts.tails(head, relation).empty() ? 0 : 1;
    counts.tail_in_range += train_.facts.heads(relation, tail).empty() ? 0 : 1;
  }

 private:
  bool has_inverse(RelationId relation, std::span<const RelationId> backwards) const {
    backwards = backwards.first(std::min(backwards.size(), kMostLinks));
    return std::any_of(backwards.begin(), backwards.end(), [&](RelationId other) {
      return std::binary_search(inverse_.begin(), inverse_.end(), std::pair(relation, other));
    });
  }
  bool is_unseen(EntityId entity) const {
    return train_.facts.out_edges(entity).others.empty() && train_.facts.in_edges(entity).others.empty();
  }

  const TrainGraph& train_;
  const std::vector<RelationStats>& relations_;
  std::vector<std::pair<RelationId, RelationId>> inverse_;  // in both orders, sorted
};

void add_counts(const SplitStats& part, SplitStats& sum) {
  for (const auto count :
       {&SplitStats::self_loops, &SplitStats::in_train, &SplitStats::inverse_in_train,
        &SplitStats::pair_linked, &SplitStats::unseen_entity, &SplitStats::unseen_relation})
    sum.*count += part.*count;
  for (const auto count : {&SplitStats::head_in_range, &SplitStats::tail_in_range}) sum.*count += part.*count;
}

SplitStats compare_with_train(Split split, std::span<const Triple> lines, const LineCounter& counter,
                              const Context& context) {
  std::vector<SplitStats> parts(lines.size() / kLinesPerPiece + 1);
  ProgressTask progress(context, "comparing splits", lines.size(), "facts");
  parallel_for(context, lines.size(), kLinesPerPiece, [&](std::size_t begin, std::size_t end) {
    SplitStats& part = parts[begin / kLinesPerPiece];
    for (const Triple& line : lines.subspan(begin, end - begin)) counter.add(line, part);
    progress.advance(end - begin);
  });
  SplitStats sum{.split = split, .triples = lines.size()};
  for (const SplitStats& part : parts) add_counts(part, sum);
  sum.head_in_range /= static_cast<double>(lines.size());
  sum.tail_in_range /= static_cast<double>(lines.size());
  return sum;
}

SplitStats train_stats(const TrainGraph& train, std::span<const Triple> lines) {
  const auto is_loop = [](const Triple& line) { return line.head == line.tail; };
  return {.split = Split::kTrain,
          .triples = lines.size(),
          .duplicates = lines.size() - train.facts.size(),
          .self_loops = static_cast<std::uint64_t>(std::count_if(lines.begin(), lines.end(), is_loop)),
          .head_in_range = 1,
          .tail_in_range = 1};
}

// Sets valid or test of each relation; returns the number of distinct facts.
std::size_t count_distinct(const Dataset& dataset, Split split, std::vector<RelationStats>& relations,
                           const Context& context) {
  const std::span<const Triple> lines = dataset[split].triples;
  const FactIndex<ByHead> distinct({&lines, 1}, dataset.entities.size(), context);
  for (const RelationId r : distinct.labels()) {
    relations[index(r)].valid += split == Split::kValid ? 1 : 0;
    relations[index(r)].test += split == Split::kTest ? 1 : 0;
  }
  return distinct.size();
}

}  // namespace

GraphStats statistics(const Dataset& dataset, const Context& context) {
  const TrainGraph train = index_train(dataset, context);
  GraphStats stats;
  stats.entities = dataset.entities.size();
  stats.relations = dataset.relations.size();
  stats.by_relation = relation_stats(train, stats.relations);
  stats.inverse_pairs = find_inverses(train, stats.by_relation, context);
  count_categories(stats);
  count_degrees(train, stats);

  const LineCounter counter(train, stats);
  for (const Split split : kAllSplits) {
    const std::span<const Triple> lines = dataset[split].triples;
    if (lines.empty()) continue;
    if (split == Split::kTrain) {
      stats.splits.push_back(train_stats(train, lines));
      continue;
    }
    stats.splits.push_back(compare_with_train(split, lines, counter, context));
    stats.splits.back().duplicates =
        lines.size() - count_distinct(dataset, split, stats.by_relation, context);
  }
  return stats;
}

}  // namespace graph
}  // namespace greenkgc
