#include "pipeline/learn_fact_trees.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "base/permutation.h"
#include "base/progress.h"
#include "base/random.h"
#include "decide/list_learner.h"
#include "graph/known_facts.h"
#include "kernels/parallel.h"
#include "rank/fit_fact_curve.h"
#include "rank/likely_queries.h"

// Queries (h, r, ?) are asked as `complete` asks them, and each gives some rows: its best candidates, and a
// few of the others, chosen by chance, so that the trees know them too. A row is positive if the candidate
// makes a held-out fact. Nearly all are not; those that are true but missing from the data altogether count
// as negatives here, and the curve corrects for them (rank/fit_fact_curve.cc).
//
// Trees of a fold are grown on the rows of the other folds, and judge the rows of their own: these judgments,
// which are as honest as those of new queries, are what the curve is fitted to.
namespace greenkgc {
namespace {

using graph::Query;

constexpr std::uint32_t kSampleStream = 0x66616374;
constexpr std::uint32_t kPickStream = 0x66616375;
constexpr std::size_t kBestPicks = 16;
constexpr std::size_t kOtherPicks = 4;
constexpr std::size_t kCutQueries = 1000;
constexpr std::size_t kBins = 64;
constexpr std::size_t kQueriesAtOnce = 1024;
constexpr std::size_t kMatchQueries = 2000;
constexpr float kMaxMove = 4;
constexpr int kBisections = 30;
constexpr std::size_t kQueryTrees = 40;
constexpr std::size_t kQueryDepth = 4;

std::vector<Query> sample(std::vector<Query> all, std::uint64_t most, const Context& context) {
  if (all.size() <= most) return all;
  const Permutation order(all.size(), CounterRandom(context.seed, kSampleStream), 0);
  std::vector<Query> chosen;
  for (std::uint64_t i = 0; i < most; ++i) chosen.push_back(all[order(i)]);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

std::vector<RelationId> all_relations(const rank::TwoStageRanker& ranker) {
  std::vector<RelationId> relations;
  for (std::uint32_t r = 0; r < ranker.evidence()->graph().directed_count() / 2; ++r)
    relations.push_back(RelationId{r});
  return relations;
}

// Which candidates of a list become rows: the best, and some others.
std::vector<std::size_t> picks_of(std::span<const float> scores, std::span<const EntityId> entities,
                                  const CounterRandom& random, std::uint64_t query) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t best = std::min(kBestPicks, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(best), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      return scores[a] != scores[b] ? scores[a] > scores[b] : entities[a] < entities[b];
                    });
  std::sort(order.begin() + static_cast<std::ptrdiff_t>(best), order.end());
  const std::size_t others = order.size() - best;
  for (std::size_t i = 0; i < std::min(kOtherPicks, others); ++i) {
    const std::uint64_t drawn = random.bits(kOtherPicks * query + i) % (others - i);
    std::swap(order[best + i], order[best + i + drawn]);
  }
  order.resize(best + std::min(kOtherPicks, others));
  return order;
}

// Keeps only those cuts that trees ask for: a file stores no others.
void drop_unused_cuts(std::span<std::vector<model::ListTree>* const> groups, model::FeatureCuts& cuts) {
  std::vector<std::vector<std::uint8_t>> used(cuts.size());
  const auto each_split = [&](const auto& visit) {
    for (std::vector<model::ListTree>* trees : groups) {
      for (model::ListTree& tree : *trees) {
        for (model::ListTreeNode& node : tree.nodes) {
          if (!node.is_leaf()) visit(node);
        }
      }
    }
  };
  each_split([&](const model::ListTreeNode& node) { used[node.feature].push_back(node.bin); });
  for (std::size_t f = 0; f < cuts.size(); ++f) {
    std::sort(used[f].begin(), used[f].end());
    used[f].erase(std::unique(used[f].begin(), used[f].end()), used[f].end());
    std::vector<float> kept;
    for (const std::uint8_t bin : used[f]) kept.push_back(cuts[f][bin]);
    cuts[f] = std::move(kept);
  }
  each_split([&](model::ListTreeNode& node) {
    const auto& bins = used[node.feature];
    node.bin = static_cast<std::uint8_t>(std::lower_bound(bins.begin(), bins.end(), node.bin) - bins.begin());
  });
}

class FactLearner {
 public:
  FactLearner(const rank::TwoStageRanker& ranker, std::span<const Triple> held_out,
              std::span<const Triple> negatives, const FactTreesPlan& plan, const Context& context)
      : ranker_(ranker),
        plan_(plan),
        context_(context),
        held_out_(std::array{held_out}, ranker.entity_count(), context),
        negatives_(negatives),
        random_(context.seed, kPickStream) {}

  model::FactTrees learn() {
    const structure::EvidenceGraph& graph = ranker_.evidence()->graph();
    const std::vector<RelationId> relations = all_relations(ranker_);
    const auto likely = rank::likely_queries(ranker_.profiles(), relations);
    queries_ = sample(likely, plan_.max_queries, context_);
    const double asked =
        static_cast<double>(queries_.size()) / static_cast<double>(std::max<std::size_t>(1, likely.size()));
    trees_.features =
        rank::FactRows::names(structure::EvidenceReader::feature_names(ranker_.evidence()->options()));
    trees_.query_features = rank::FactRows::query_names();
    trees_.folds.resize(plan_.folds);
    find_cuts();
    read_rows();
    const auto positives = std::count(rows_.labels.begin(), rows_.labels.end(), 1);
    if (positives == 0) return {};
    context_.say(
        LogLevel::kInfo,
        fmt::format("{} queries of all kinds ({:.0f} % of the likely ones) have {} of {} held-out facts "
                    "among their best answers",
                    queries_.size(), 100 * asked, positives, held_out_.size()));
    std::vector<rank::JudgedFact> judged(rows_.rows());
    std::vector<std::vector<model::ListTree>*> groups;
    for (std::size_t fold = 0; fold < plan_.folds; ++fold) {
      learn_fold(fold, judged);
      groups.push_back(&trees_.folds[fold]);
    }
    drop_unused_cuts(groups, trees_.cuts);
    rank::fit_fact_curve(judged, static_cast<std::uint32_t>(relations.size()), trees_);
    trees_.missing_per_query =
        static_cast<float>(static_cast<double>(positives) / static_cast<double>(queries_.size()));
    trees_.missing_share = static_cast<float>(static_cast<double>(held_out_.size()) /
                                              static_cast<double>(held_out_.size() + graph.fact_count()));
    learn_queries();
    return std::move(trees_);
  }

 private:
  std::vector<float> rows_of(std::size_t i, const structure::EvidenceReader::List& list,
                             std::vector<std::uint8_t>* labels) const {
    std::vector<float> scores;
    ranker_.score(list, scores);
    const auto picks = picks_of(scores, list.entities, random_, i);
    std::vector<float> rows;
    ranker_.fact_rows().fill(queries_[i], list, scores, picks, rows);
    if (labels != nullptr) {
      for (const std::size_t pick : picks)
        labels->push_back(held_out_.contains(queries_[i].fact(list.entities[pick])) ? 1 : 0);
    }
    return rows;
  }

  void find_cuts() {
    std::vector<std::size_t> chosen;
    const std::size_t step = std::max<std::size_t>(1, queries_.size() / kCutQueries);
    for (std::size_t i = 0; i < queries_.size(); i += step) chosen.push_back(i);
    std::vector<Query> some;
    for (const std::size_t i : chosen) some.push_back(queries_[i]);
    std::vector<std::vector<float>> parts(some.size());
    ranker_.evidence()->read(
        some,
        [&](std::size_t i, std::span<const float>, const structure::EvidenceReader::List& list) {
          parts[i] = rows_of(chosen[i], list, nullptr);
        },
        context_);
    std::vector<float> rows;
    for (const auto& part : parts) rows.insert(rows.end(), part.begin(), part.end());
    trees_.cuts = decide::cuts_of_rows(rows, trees_.features.size(), kBins, context_);
  }

  void read_rows() {
    ProgressTask progress(context_, "asking queries of all kinds", queries_.size(), "queries");
    for (std::size_t begin = 0; begin < queries_.size(); begin += kQueriesAtOnce) {
      const auto block =
          std::span(queries_).subspan(begin, std::min(kQueriesAtOnce, queries_.size() - begin));
      std::vector<decide::Lists> parts(block.size());
      ranker_.evidence()->read(
          block,
          [&](std::size_t i, std::span<const float>, const structure::EvidenceReader::List& list) {
            std::vector<std::uint8_t> labels;
            const std::vector<float> rows = rows_of(begin + i, list, &labels);
            parts[i].add(trees_.cuts, rows, labels);
          },
          context_);
      for (const decide::Lists& part : parts) rows_.append(part);
      progress.advance(block.size());
    }
  }

  std::size_t fold_of(std::size_t query) const {
    return trees_.fold_of(queries_[query].known, queries_[query].relation);
  }

  void learn_fold(std::size_t fold, std::vector<rank::JudgedFact>& judged) {
    decide::Lists others;
    others.features = rows_.features;
    for (std::size_t q = 0; q < queries_.size(); ++q) {
      if (fold_of(q) != fold) copy_list(q, others);
    }
    trees_.folds[fold] = grow(others, trees_.cuts, plan_.trees, plan_.depth, plan_.column_share);
    for (std::size_t q = 0; q < queries_.size(); ++q) {
      if (fold_of(q) != fold) continue;
      const std::size_t begin = rows_.begin(q);
      std::vector<float> sums(rows_.end(q) - begin, 0.0F);
      for (const model::ListTree& tree : trees_.folds[fold])
        model::packed_for_bins(tree).add_values(rows_.bins.data() + begin * rows_.features, rows_.features,
                                                sums);
      for (std::size_t i = 0; i < sums.size(); ++i)
        judged[begin + i] = {sums[i], queries_[q].relation, rows_.labels[begin + i] != 0};
    }
  }

  void copy_list(std::size_t query, decide::Lists& out) const {
    const auto begin = static_cast<std::ptrdiff_t>(rows_.begin(query));
    const auto end = static_cast<std::ptrdiff_t>(rows_.end(query));
    const auto width = static_cast<std::ptrdiff_t>(rows_.features);
    out.bins.insert(out.bins.end(), rows_.bins.begin() + begin * width, rows_.bins.begin() + end * width);
    out.labels.insert(out.labels.end(), rows_.labels.begin() + begin, rows_.labels.begin() + end);
    out.base.resize(out.labels.size(), 0.0F);
    out.ends.push_back(out.labels.size());
  }

  std::vector<model::ListTree> grow(const decide::Lists& lists, const model::FeatureCuts& cuts,
                                    std::size_t trees, std::size_t depth, double column_share) const {
    decide::ListLearnerOptions options;
    options.objective = decide::Objective::kLogLoss;
    options.trees = trees;
    options.depth = depth;
    options.rate = plan_.rate;
    options.split = {.lambda = plan_.lambda, .gamma = 0, .min_child_weight = plan_.min_child_weight};
    options.list_share = 1;
    options.column_share = column_share;
    options.evaluate_every = 0;
    return decide::learn_list_trees({.lists = lists, .cuts = cuts}, options, context_).trees;
  }

  // A row per query; positive if one of its best answers is a held-out fact.
  void learn_queries() {
    std::vector<float> values;
    std::vector<float> row;
    for (const Query& query : queries_) {
      ranker_.fact_rows().fill_query(query, row);
      values.insert(values.end(), row.begin(), row.end());
    }
    const std::size_t width = trees_.query_features.size();
    trees_.query_cuts = decide::cuts_of_rows(values, width, kBins, context_);
    decide::Lists lists;
    for (std::size_t q = 0; q < queries_.size(); ++q) {
      const auto own = std::span(rows_.labels).subspan(rows_.begin(q), rows_.end(q) - rows_.begin(q));
      const std::array<std::uint8_t, 1> label = {
          static_cast<std::uint8_t>(std::find(own.begin(), own.end(), 1) != own.end() ? 1 : 0)};
      lists.add(trees_.query_cuts, std::span(values).subspan(q * width, width), label);
    }
    trees_.query_trees = grow(lists, trees_.query_cuts, kQueryTrees, kQueryDepth, 1);
    std::array<std::vector<model::ListTree>*, 1> groups = {&trees_.query_trees};
    drop_unused_cuts(groups, trees_.query_cuts);
  }

  const rank::TwoStageRanker& ranker_;
  const FactTreesPlan& plan_;
  const Context& context_;
  const graph::KnownFacts held_out_;
  const std::span<const Triple> negatives_;
  const CounterRandom random_;
  std::vector<Query> queries_;
  decide::Lists rows_;
  model::FactTrees trees_;
};

}  // namespace

float matched_offset(const rank::TwoStageRanker& ranker, const Context& context) {
  const model::FactTrees& trees = ranker.fact_trees();
  const auto queries =
      sample(rank::likely_queries(ranker.profiles(), all_relations(ranker)), kMatchQueries, context);
  const CounterRandom random(context.seed, kPickStream);
  std::vector<std::vector<float>> sums(queries.size());
  ranker.evidence()->read(
      queries,
      [&](std::size_t i, std::span<const float>, const structure::EvidenceReader::List& list) {
        std::vector<float> scores;
        ranker.score(list, scores);
        ranker.leaf_sums(queries[i], list, scores, picks_of(scores, list.entities, random, i), sums[i]);
      },
      context);
  const auto expected_by = [&](float offset) {
    model::FactTrees moved;
    moved.ceiling = trees.ceiling;
    moved.slope = trees.slope;
    moved.offset = offset;
    moved.labeled_share = trees.labeled_share;
    moved.relation_offsets = trees.relation_offsets;
    double expected = 0;
    for (std::size_t i = 0; i < queries.size(); ++i) {
      for (const float sum : sums[i]) expected += moved.probability(sum, queries[i].relation);
    }
    return expected;
  };
  const double wanted = static_cast<double>(trees.missing_per_query) * static_cast<double>(queries.size());
  float low = trees.offset - kMaxMove;
  float high = trees.offset + kMaxMove;
  for (int step = 0; step < kBisections; ++step) {
    const float middle = (low + high) / 2;
    (expected_by(middle) < wanted ? low : high) = middle;
  }
  return (low + high) / 2;
}

model::FactTrees learn_fact_trees(const rank::TwoStageRanker& ranker, std::span<const Triple> held_out,
                                  std::span<const Triple> negatives, const FactTreesPlan& plan,
                                  const Context& context) {
  return FactLearner(ranker, held_out, negatives, plan, context).learn();
}

}  // namespace greenkgc
