#include "trees/train/lists/list_learner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/parallel.h"
#include "base/permutation.h"
#include "base/progress.h"
#include "base/random.h"
#include "greenkgc/error.h"
#include "trees/train/lists/list_grower.h"

namespace greenkgc::trees {
namespace {

constexpr std::uint32_t kListStream = 0x6c697301;
constexpr std::uint32_t kListColumnStream = 0x6c697302;
constexpr int kListTreeShift = 32;  // counters of two trees do not meet
constexpr std::size_t kListRowsPerPiece = 1 << 14;

class ListBoosting {
 public:
  ListBoosting(const ListLearnerInput& input, const ListLearnerOptions& options, const Context& context)
      : input_(input),
        options_(options),
        context_(context),
        grower_(input.lists, input.cuts, {options.split, options.depth, options.rate}),
        offset_(options.objective == Objective::kLogLoss ? log_odds(input.lists) : 0),
        margins_(first_margins(input.lists)),
        gradients_(input.lists.rows()),
        held_out_margins_(input.held_out == nullptr ? std::vector<float>() : first_margins(*input.held_out)) {
  }

  LearnedListTrees learn() {
    ProgressTask progress(context_, "growing trees over candidates", options_.trees, "trees");
    while (learned_.trees.size() < options_.trees && !finished()) {
      grow_tree();
      const std::size_t grown = learned_.trees.size();
      if (options_.evaluate_every > 0 && (grown % options_.evaluate_every == 0 || grown == options_.trees))
        add_point();
      progress.set(grown);
    }
    if (stops_early() && best_) learned_.trees.resize(best_->trees);
    for (trees::ListTreeNode& node : learned_.trees[0].nodes) node.value += node.is_leaf() ? offset_ : 0;
    return std::move(learned_);
  }

 private:
  struct Best {
    std::size_t trees;
    double metric;  // higher is better
  };

  std::vector<float> first_margins(const Lists& lists) const {
    std::vector<float> margins = lists.base;
    for (float& margin : margins) margin += offset_;
    return margins;
  }

  // Of an answer among all rows; 0 where there are none, or nothing else, or where margins begin with
  // something.
  static float log_odds(const Lists& lists) {
    if (std::any_of(lists.base.begin(), lists.base.end(), [](float margin) { return margin != 0; })) return 0;
    const auto answers = static_cast<double>(std::count(lists.labels.begin(), lists.labels.end(), 1));
    const double others = static_cast<double>(lists.rows()) - answers;
    return answers > 0 && others > 0 ? static_cast<float>(std::log(answers / others)) : 0;
  }

  bool stops_early() const { return input_.held_out != nullptr && options_.patience > 0; }
  bool finished() const {
    return stops_early() && best_ && learned_.trees.size() - best_->trees >= options_.patience;
  }

  void grow_tree() {
    const std::uint64_t number = learned_.trees.size();
    list_gradients(options_.objective, input_.lists, margins_, gradients_, context_);
    trees::ListTree tree = grower_.grow(gradients_, rows_of_tree(number), columns_of_tree(number), context_);
    const auto packed = trees::packed_for_bins(tree);
    add_values(packed, input_.lists, margins_);
    if (input_.held_out != nullptr) add_values(packed, *input_.held_out, held_out_margins_);
    learned_.trees.push_back(std::move(tree));
  }

  // Those of a share of the lists that have a gradient.
  std::vector<std::uint32_t> rows_of_tree(std::uint64_t tree) const {
    const Lists& lists = input_.lists;
    const CounterRandom random(context_.seed, kListStream);
    std::vector<std::uint32_t> rows;
    rows.reserve(static_cast<std::size_t>(options_.list_share * static_cast<double>(lists.rows())));
    for (std::size_t list = 0; list < lists.size(); ++list) {
      if (options_.list_share < 1 && random.unit((tree << kListTreeShift) + list) >= options_.list_share)
        continue;
      if (lists.begin(list) == lists.end(list) || gradients_[lists.begin(list)].hessian == 0) continue;
      for (std::size_t row = lists.begin(list); row < lists.end(list); ++row)
        rows.push_back(static_cast<std::uint32_t>(row));
    }
    return rows;
  }

  std::vector<std::uint16_t> columns_of_tree(std::uint64_t tree) const {
    const std::size_t features = input_.cuts.size();
    if (features == 0) return {};
    const double wanted = std::floor(options_.column_share * static_cast<double>(features));
    const Permutation order(features, CounterRandom(context_.seed, kListColumnStream), tree);
    std::vector<std::uint16_t> columns(std::max<std::size_t>(1, static_cast<std::size_t>(wanted)));
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i] = static_cast<std::uint16_t>(order(i));
    std::sort(columns.begin(), columns.end());
    return columns;
  }

  void add_values(const trees::PackedTree<std::uint8_t>& tree, const Lists& lists,
                  std::vector<float>& margins) const {
    parallel_for(context_, margins.size(), kListRowsPerPiece, [&](std::size_t begin, std::size_t end) {
      tree.add_values(lists.bins.data() + begin * lists.features, lists.features,
                      std::span(margins).subspan(begin, end - begin));
    });
  }

  void add_point() {
    ListCurvePoint point{
        learned_.trees.size(), list_figures(options_.objective, input_.lists, margins_, context_), {}};
    if (input_.held_out != nullptr) {
      point.held_out = list_figures(options_.objective, *input_.held_out, held_out_margins_, context_);
      const double metric =
          options_.stop_metric == ListStopMetric::kMrr ? point.held_out.mrr : -point.held_out.loss;
      if (!best_ || metric > best_->metric) best_ = {point.trees, metric};
    }
    learned_.curve.push_back(point);
    if (input_.on_point) input_.on_point(point);
  }

  const ListLearnerInput& input_;
  const ListLearnerOptions& options_;
  const Context& context_;
  ListGrower grower_;
  const float offset_;
  std::vector<float> margins_;
  std::vector<simd::GradientPair> gradients_;
  std::vector<float> held_out_margins_;
  std::optional<Best> best_;
  LearnedListTrees learned_;
};

}  // namespace

void ListLearnerOptions::validate() const {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw Error(ErrorCode::kUsage, fmt::format("cannot grow trees over candidates: {}", what));
  };
  require(depth >= 1 && depth <= trees::kMostListDepth, "the depth must be from 1 to 8");
  require(trees >= 1, "at least one tree is needed");
  require(rate > 0 && std::isfinite(rate), "the learning rate must be above 0");
  require(list_share > 0 && list_share <= 1, "the share of lists must be above 0 and at most 1");
  require(column_share > 0 && column_share <= 1, "the share of columns must be above 0 and at most 1");
  require(split.lambda >= 0 && std::isfinite(split.lambda), "lambda must not be negative");
  require(split.gamma >= 0 && split.min_child_weight >= 0, "gamma and child weight must not be negative");
}

LearnedListTrees learn_list_trees(const ListLearnerInput& input, const ListLearnerOptions& options,
                                  const Context& context) {
  options.validate();
  if (input.lists.rows() > std::numeric_limits<std::uint32_t>::max())
    throw Error(ErrorCode::kBadInput,
                fmt::format("{} candidates are more than trees can be grown on", input.lists.rows()));
  if (input.cuts.size() > trees::kMostListFeatures)
    throw Error(ErrorCode::kBadInput, fmt::format("{} features are more than the maximum of {}",
                                                  input.cuts.size(), trees::kMostListFeatures));
  return ListBoosting(input, options, context).learn();
}

}  // namespace greenkgc::trees
