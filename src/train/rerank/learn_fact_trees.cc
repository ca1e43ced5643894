#include "train/rerank/learn_fact_trees.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/parallel.h"
#include "base/progress.h"
#include "base/random.h"
#include "graph/known_facts.h"
#include "rank/calibration/fit_fact_curve.h"
#include "rank/candidate_counts.h"
#include "rank/rankers/likely_queries.h"
#include "train/rerank/fact_queries.h"
#include "trees/train/lists/list_learner.h"

// Queries (h, r, ?) are asked as `complete` asks them, and each gives some rows: its best candidates, and a
// few of the others, chosen by chance, so that the trees know them too. A row is positive if the candidate
// makes a held-out fact. Nearly all are not; those that are true but missing from the data altogether count
// as negatives here, and the curve corrects for them (rank/calibration/fit_fact_curve.cc). Of a row that is
// not held out the trees cannot be sure, and each false one stands for itself and a share of the true ones;
// of facts that are known to be false they can, so those count as often as the curve's correction says:
// twice, where as many facts are missing as are held out.
//
// Queries are in folds. Those of a fold are asked in a graph that lacks the held-out facts of the fold alone:
// what is held out of a query is what is to be found, and everything around it is nearly as complete as in
// the graph that the model is used with. (If all held-out facts were lacking at once, the trees would learn
// how complete a sparser graph is: on world, average precision fell from .63 to .50 with three times as many
// held-out facts.) Trees of a fold are grown on the rows of the other folds, and judge the rows of their own:
// these judgments, which are as honest as those of new queries, are what the curve is fitted to.
//
// A few hundred positives are few for trees. The facts that the list trees learned from are others, seen by
// list trees of other folds and by the first stage that lacked them; these stages are a little worse than the
// model's own, so a tree that learns from both alike is misled in dense graphs (umls lost .03 of average
// precision). Boosting therefore begins with them, and goes on with the model's own source alone, which also
// is the only one that the curve sees.
namespace greenkgc {
namespace {

using graph::Query;

constexpr std::size_t kCutQueries = 1000;
constexpr std::size_t kBins = 64;
constexpr std::size_t kQueriesAtOnce = 1024;
// Of the queries of a source that is not the model's own, those without a held-out fact are asked by one in:
constexpr std::uint64_t kOneIn = 3;
constexpr int kCopiesOfKnownFalse = 2;
constexpr std::size_t kQueryTrees = 40;
constexpr std::size_t kQueryDepth = 4;

// Keeps only those cuts that trees ask for: a file stores no others.
void drop_unused_cuts(std::span<std::vector<trees::ListTree>* const> groups, trees::FeatureCuts& cuts) {
  std::vector<std::vector<std::uint8_t>> used(cuts.size());
  const auto each_split = [&](const auto& visit) {
    for (std::vector<trees::ListTree>* trees : groups) {
      for (trees::ListTree& tree : *trees) {
        for (trees::ListTreeNode& node : tree.nodes) {
          if (!node.is_leaf()) visit(node);
        }
      }
    }
  };
  each_split([&](const trees::ListTreeNode& node) { used[node.feature].push_back(node.bin); });
  for (std::size_t f = 0; f < cuts.size(); ++f) {
    std::sort(used[f].begin(), used[f].end());
    used[f].erase(std::unique(used[f].begin(), used[f].end()), used[f].end());
    std::vector<float> kept;
    for (const std::uint8_t bin : used[f]) kept.push_back(cuts[f][bin]);
    cuts[f] = std::move(kept);
  }
  each_split([&](trees::ListTreeNode& node) {
    const auto& bins = used[node.feature];
    node.bin = static_cast<std::uint8_t>(std::lower_bound(bins.begin(), bins.end(), node.bin) - bins.begin());
  });
}

// A ranker whose graph lacks the held-out facts of one fold.
class FoldRanker {
 public:
  FoldRanker(const HeldOutSource& input, const model::FactTrees& trees, std::size_t fold,
             const Context& context)
      : stage_(input.stage), facts_(facts_of(input, trees, fold)) {
    stage_.facts = {};
    stage_.trees.trees = input.list_trees[fold];
    stage_.evidence.assign(facts_.size(), 1);
    ranker_.emplace(input.decisions, stage_, facts_, context);
  }
  const rank::TwoStageRanker& get() const { return *ranker_; }

 private:
  static std::vector<Triple> facts_of(const HeldOutSource& input, const model::FactTrees& trees,
                                      std::size_t fold) {
    std::vector<Triple> facts(input.evidence.begin(), input.evidence.end());
    for (const Triple& fact : input.held_out) {
      if (trees.fold_of(fact.head, fact.relation) != fold) facts.push_back(fact);
    }
    return facts;
  }

  model::SecondStage stage_;
  std::vector<Triple> facts_;
  std::optional<rank::TwoStageRanker> ranker_;  // refers to both
};

class FactLearner {
 public:
  FactLearner(const FactTreesInput& input, const FactTreesPlan& plan, const Context& context)
      : input_(input),
        plan_(plan),
        context_(context),
        own_(input.sources.front()),
        relations_(own_.decisions.tables.relations.rows()),
        negatives_(std::array{input.negatives}, own_.decisions.tables.entities.rows(), context),
        random_(pick_random(context)) {}

  model::FactTrees learn() {
    trees_.features =
        rank::FactRows::names(evidence::EvidenceReader::feature_names(rank::list_options(own_.stage)));
    trees_.query_features = rank::FactRows::query_names();
    trees_.folds.resize(kFactFolds);
    for (const HeldOutSource& source : input_.sources) {
      held_out_.emplace(std::array{source.held_out}, source.decisions.tables.entities.rows(), context_);
      for (std::size_t fold = 0; fold < kFactFolds; ++fold) {
        const FoldRanker ranker(source, trees_, fold, context_);
        ask(ranker.get(), fold);
      }
      ends_.push_back(queries_.size());
    }
    const std::size_t own_rows = rows_.begin(ends_[0]);
    const auto own_labels = std::span(rows_.labels).first(own_rows);
    const auto positives = std::ranges::count(own_labels, 1);
    if (positives == 0) return {};
    context_.say(LogLevel::kInfo, fmt::format("{} queries of all kinds have {} of {} held-out facts among "
                                              "their best answers",
                                              ends_[0], positives, own_.held_out.size()));
    std::vector<rank::JudgedFact> judged(own_rows);
    std::vector<std::vector<trees::ListTree>*> groups;
    for (std::size_t fold = 0; fold < kFactFolds; ++fold) {
      learn_fold(fold, judged);
      groups.push_back(&trees_.folds[fold]);
    }
    drop_unused_cuts(groups, trees_.cuts);
    const auto held_out = static_cast<double>(own_.held_out.size());
    const auto missing = static_cast<double>(input_.missing);
    trees_.labeled_share = static_cast<float>(held_out / (held_out + missing));
    rank::fit_fact_curve(judged, relations_, trees_);
    trees_.missing_per_query = static_cast<float>(static_cast<double>(positives) * missing / held_out /
                                                  static_cast<double>(ends_[0]));
    trees_.missing_share =
        static_cast<float>(missing / (held_out + static_cast<double>(own_.evidence.size())));
    learn_queries();
    return std::move(trees_);
  }

 private:
  // What is said of each row of a query.
  struct Labels {
    std::vector<std::uint8_t> held_out;
    std::vector<std::uint8_t> known_false;
  };

  // Asks the likely queries of a fold, or a sample.
  void ask(const rank::TwoStageRanker& ranker, std::size_t fold) {
    auto likely = rank::likely_queries(ranker.profiles(), all_relations(ranker));
    std::erase_if(likely, [&](const Query& query) { return fold_of(query) != fold; });
    std::uint64_t most = plan_.max_queries / kFactFolds + 1;
    if (!ends_.empty()) {
      most /= kOneIn;
      std::erase_if(likely, [&](const Query& query) {
        return random_.bits(key_of(query)) % kOneIn != 0 && rank::known_answers(*held_out_, query).empty();
      });
    }
    const std::vector<Query> queries = sample_queries(std::move(likely), most, context_);
    if (trees_.cuts.empty()) find_cuts(ranker, queries);
    read_rows(ranker, queries);
    std::vector<float> row;
    for (const Query& query : queries) {
      ranker.fact_rows().fill_query(query, row);
      query_values_.insert(query_values_.end(), row.begin(), row.end());
    }
  }

  std::vector<float> rows_of(const rank::TwoStageRanker& ranker, const Query& query,
                             const evidence::EvidenceReader::List& list, Labels* labels) const {
    std::vector<float> scores;
    ranker.score(list, scores);
    const auto picks = picks_of(scores, list.entities, random_, key_of(query));
    std::vector<float> rows;
    ranker.fact_rows().fill(query, list, scores, picks, rows);
    if (labels != nullptr) {
      for (const std::size_t pick : picks) {
        const Triple fact = query.fact(list.entities[pick]);
        labels->held_out.push_back(held_out_->contains(fact) ? 1 : 0);
        labels->known_false.push_back(negatives_.contains(fact) ? 1 : 0);
      }
    }
    return rows;
  }

  void find_cuts(const rank::TwoStageRanker& ranker, std::span<const Query> queries) {
    std::vector<Query> some;
    const std::size_t step = std::max<std::size_t>(1, queries.size() / kCutQueries);
    for (std::size_t i = 0; i < queries.size(); i += step) some.push_back(queries[i]);
    std::vector<std::vector<float>> parts(some.size());
    ranker.evidence()->read(
        some,
        [&](std::size_t i, std::span<const float>, const evidence::EvidenceReader::List& list) {
          parts[i] = rows_of(ranker, some[i], list, nullptr);
        },
        context_);
    std::vector<float> rows;
    for (const auto& part : parts) rows.insert(rows.end(), part.begin(), part.end());
    trees_.cuts = trees::cuts_of_rows(rows, trees_.features.size(), kBins, context_);
  }

  void read_rows(const rank::TwoStageRanker& ranker, std::span<const Query> queries) {
    ProgressTask progress(context_, "asking queries of all kinds", queries.size(), "queries");
    for (std::size_t begin = 0; begin < queries.size(); begin += kQueriesAtOnce) {
      const auto block = queries.subspan(begin, std::min(kQueriesAtOnce, queries.size() - begin));
      std::vector<trees::Lists> parts(block.size());
      std::vector<Labels> labels(block.size());
      ranker.evidence()->read(
          block,
          [&](std::size_t i, std::span<const float>, const evidence::EvidenceReader::List& list) {
            const std::vector<float> rows = rows_of(ranker, block[i], list, &labels[i]);
            parts[i].add(trees_.cuts, rows, labels[i].held_out);
          },
          context_);
      for (std::size_t i = 0; i < block.size(); ++i) {
        rows_.append(parts[i]);
        known_false_.insert(known_false_.end(), labels[i].known_false.begin(), labels[i].known_false.end());
      }
      progress.advance(block.size());
    }
    queries_.insert(queries_.end(), queries.begin(), queries.end());
  }

  std::size_t fold_of(const Query& query) const { return trees_.fold_of(query.known, query.relation); }

  void learn_fold(std::size_t fold, std::vector<rank::JudgedFact>& judged) {
    for (std::size_t source = ends_.size(); source-- > 0;) boost(fold, source);
    for (std::size_t q = 0; q < ends_[0]; ++q) {
      if (fold_of(queries_[q]) != fold) continue;
      const std::size_t begin = rows_.begin(q);
      std::vector<float> sums(rows_.end(q) - begin, 0.0F);
      add_trees(trees_.folds[fold], rows_.bins.data() + begin * rows_.features, sums);
      for (std::size_t i = 0; i < sums.size(); ++i)
        judged[begin + i] = {sums[i], queries_[q].relation, rows_.labels[begin + i] != 0,
                             known_false_[begin + i] != 0};
    }
  }

  // Adds trees to those of a fold, which learn from the rows that a source has in other folds.
  void boost(std::size_t fold, std::size_t source) {
    trees::Lists others;
    others.features = rows_.features;
    for (std::size_t q = source == 0 ? 0 : ends_[source - 1]; q < ends_[source]; ++q) {
      if (fold_of(queries_[q]) != fold) copy_list(q, others);
    }
    std::vector<trees::ListTree>& own = trees_.folds[fold];
    add_trees(own, others.bins.data(), others.base);
    const auto grown = grow(others, trees_.cuts, plan_.trees / ends_.size(), plan_.depth, plan_.column_share);
    own.insert(own.end(), grown.begin(), grown.end());
  }

  void add_trees(std::span<const trees::ListTree> trees, const std::uint8_t* bins,
                 std::span<float> sums) const {
    for (const trees::ListTree& tree : trees)
      trees::packed_for_bins(tree).add_values(bins, rows_.features, sums);
  }

  void copy_list(std::size_t query, trees::Lists& out) const {
    out.append_rows(rows_, rows_.begin(query), rows_.end(query));
    for (std::size_t row = rows_.begin(query); row < rows_.end(query); ++row) {
      for (int copy = 1; known_false_[row] != 0 && copy < kCopiesOfKnownFalse; ++copy)
        out.append_rows(rows_, row, row + 1);
    }
    out.ends.push_back(out.labels.size());
  }

  std::vector<trees::ListTree> grow(const trees::Lists& lists, const trees::FeatureCuts& cuts,
                                    std::size_t trees, std::size_t depth, double column_share) const {
    trees::ListLearnerOptions options;
    options.objective = trees::Objective::kLogLoss;
    options.trees = trees;
    options.depth = depth;
    options.rate = plan_.rate;
    options.split = {.lambda = plan_.lambda, .gamma = 0, .min_child_weight = plan_.min_child_weight};
    options.list_share = 1;
    options.column_share = column_share;
    options.evaluate_every = 0;
    return trees::learn_list_trees({.lists = lists, .cuts = cuts}, options, context_).trees;
  }

  // A row per query; positive if one of its best answers is a held-out fact.
  void learn_queries() {
    const std::size_t width = trees_.query_features.size();
    trees_.query_cuts =
        trees::cuts_of_rows(std::span(query_values_).first(ends_[0] * width), width, kBins, context_);
    trees::Lists lists;
    for (std::size_t q = 0; q < ends_[0]; ++q) {
      const auto own = std::span(rows_.labels).subspan(rows_.begin(q), rows_.end(q) - rows_.begin(q));
      const std::array<std::uint8_t, 1> label = {
          static_cast<std::uint8_t>(std::find(own.begin(), own.end(), 1) != own.end() ? 1 : 0)};
      lists.add(trees_.query_cuts, std::span(query_values_).subspan(q * width, width), label);
    }
    trees_.query_trees = grow(lists, trees_.query_cuts, kQueryTrees, kQueryDepth, 1);
    std::array<std::vector<trees::ListTree>*, 1> groups = {&trees_.query_trees};
    drop_unused_cuts(groups, trees_.query_cuts);
  }

  const FactTreesInput& input_;
  const FactTreesPlan& plan_;
  const Context& context_;
  const HeldOutSource& own_;  // the first
  const std::uint32_t relations_;
  std::optional<graph::KnownFacts> held_out_;  // of the source that is asked
  const graph::KnownFacts negatives_;
  const CounterRandom random_;
  std::vector<Query> queries_;       // source after source, fold after fold
  std::vector<std::size_t> ends_;    // of each source, in queries
  std::vector<float> query_values_;  // features of each
  trees::Lists rows_;
  std::vector<std::uint8_t> known_false_;  // by row
  model::FactTrees trees_;
};

}  // namespace

model::FactTrees learn_fact_trees(const FactTreesInput& input, const FactTreesPlan& plan,
                                  const Context& context) {
  return FactLearner(input, plan, context).learn();
}

}  // namespace greenkgc
