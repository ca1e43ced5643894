#include "trees/train/learning_loop.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "base/parallel.h"
#include "base/progress.h"
#include "greenkgc/error.h"
#include "trees/train/objective.h"
#include "trees/train/sample_metrics.h"

namespace greenkgc::trees {
namespace {

using trees::Tree;

constexpr std::size_t kRowsPerPiece = 1 << 16;

float log_odds(double probability) {
  return static_cast<float>(std::log(probability / (1 - probability)));
}

std::vector<float> first_margins(const Samples& samples, std::span<const float> known, float base) {
  if (known.empty()) return std::vector<float>(samples.size(), base);
  return {known.begin(), known.end()};
}

class LearningLoop {
 public:
  LearningLoop(const LearnerInput& input, const LearnerOptions& options, const Context& context,
               const GrowTree& grow)
      : input_(input),
        options_(options),
        context_(context),
        boosting_(options.classifier == Classifier::kBoosting),
        base_(input.margins.empty() ? log_odds(options.base_score) : 0),
        grow_(grow),
        margins_(first_margins(input.samples, input.margins, base_)),
        gradients_(input.samples.size()),
        held_out_margins_(input.held_out == nullptr
                              ? std::vector<float>()
                              : first_margins(*input.held_out, input.held_out_margins, base_)) {}

  LearnedTrees learn() {
    const std::size_t trees = options_.classifier == Classifier::kTree ? 1 : options_.trees;
    ProgressTask progress(context_, "growing trees", trees, "trees");
    learned_.ensemble.base_margin = static_cast<double>(base_);
    while (learned_.ensemble.trees.size() < trees && !finished()) {
      grow_tree();
      const std::size_t grown = learned_.ensemble.trees.size();
      if (options_.evaluate_every > 0 && (grown % options_.evaluate_every == 0 || grown == trees))
        add_point();
      progress.set(grown);
    }
    if (stops_early() && best_) learned_.ensemble.trees.resize(best_->trees);
    if (!boosting_) take_mean();
    return std::move(learned_);
  }

 private:
  struct Best {
    std::size_t trees;
    double metric;  // higher is better
  };

  bool stops_early() const { return boosting_ && input_.held_out != nullptr && options_.patience > 0; }
  bool finished() const {
    if (asked_to_end_) return true;
    return stops_early() && best_ && learned_.ensemble.trees.size() - best_->trees >= options_.patience;
  }

  void grow_tree() {
    const std::uint64_t number = learned_.ensemble.trees.size();
    make_gradients(number);
    Tree tree = grow_(gradients_, number,
                      [this](const Tree& grown, std::span<const std::uint8_t> leaves, std::size_t begin) {
                        add_leaf_values(grown, leaves, begin);
                      });
    add_held_out_values(tree);
    learned_.ensemble.trees.push_back(std::move(tree));
  }

  void make_gradients(std::uint64_t number) {
    if (boosting_) {
      if (number == 0 || !is_logistic())
        objective_gradients(options_.objective, input_.samples, margins_, gradients_, context_);
      keep_share(gradients_, options_.row_share, number, context_);
      return;
    }
    base_gradients();
    if (options_.classifier == Classifier::kForest) weigh_as_bootstrap(gradients_, number, context_);
  }

  // Every tree of a forest starts from the base: there are two gradients only, one per label.
  void base_gradients() {
    const std::array<float, 2> margins = {base_, base_};
    const std::array<std::uint8_t, 2> labels = {0, 1};
    std::array<simd::GradientPair, 2> pairs;
    simd::logistic_gradients(margins, labels, pairs);
    parallel_for(context_, gradients_.size(), kRowsPerPiece, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) gradients_[row] = pairs[input_.samples.labels[row]];
    });
  }

  bool is_logistic() const { return boosting_ && options_.objective == Objective::kLogLoss; }

  // Where a sample's gradient depends on its margin alone, the next tree's is made while that is at hand.
  void add_leaf_values(const Tree& tree, std::span<const std::uint8_t> leaves, std::size_t begin) {
    std::array<float, 256> values = {};
    for (std::size_t node = 0; node < tree.nodes.size(); ++node) values[node] = tree.nodes[node].value;
    const std::span margins = std::span(margins_).subspan(begin, leaves.size());
    for (std::size_t i = 0; i < leaves.size(); ++i) margins[i] += values[leaves[i]];
    if (!is_logistic()) return;
    simd::logistic_gradients(margins, std::span(input_.samples.labels).subspan(begin, leaves.size()),
                             std::span(gradients_).subspan(begin, leaves.size()));
  }

  void add_held_out_values(const Tree& tree) {
    parallel_for(context_, held_out_margins_.size(), kRowsPerPiece, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) {
        const std::uint8_t leaf = leaf_of(tree, input_.tables, input_.held_out->triple(row));
        held_out_margins_[row] += tree.nodes[leaf].value;
      }
    });
  }

  Curve curve_of(const Samples& samples, const std::vector<float>& margins) const {
    if (boosting_)
      return {objective_loss(options_.objective, samples, margins, context_),
              auc_pr(margins, samples.labels, context_)};
    std::vector<float> means(margins.size());
    const auto trees = static_cast<float>(learned_.ensemble.trees.size());
    std::transform(margins.begin(), margins.end(), means.begin(),
                   [&](float sum) { return base_ + (sum - base_) / trees; });
    return {log_loss(means, samples.labels, context_), auc_pr(means, samples.labels, context_)};
  }

  void add_point() {
    CurvePoint point{learned_.ensemble.trees.size(), curve_of(input_.samples, margins_), {}};
    if (input_.held_out != nullptr) {
      point.held_out = curve_of(*input_.held_out, held_out_margins_);
      const double metric =
          options_.stop_metric == StopMetric::kAucPr ? point.held_out.auc_pr : -point.held_out.loss;
      if (!best_ || metric > best_->metric) best_ = {point.trees, metric};
    }
    learned_.curve.push_back(point);
    if (input_.on_point) asked_to_end_ = !input_.on_point(point, learned_.ensemble);
  }

  void take_mean() {
    const auto trees = static_cast<float>(learned_.ensemble.trees.size());
    for (Tree& tree : learned_.ensemble.trees) {
      for (trees::TreeNode& node : tree.nodes) node.value /= trees;
    }
  }

  const LearnerInput& input_;
  const LearnerOptions& options_;
  const Context& context_;
  const bool boosting_;
  const float base_;
  const GrowTree& grow_;
  std::vector<float> margins_;  // base and the sum of leaf values
  std::vector<simd::GradientPair> gradients_;
  std::vector<float> held_out_margins_;
  std::optional<Best> best_;
  bool asked_to_end_ = false;
  LearnedTrees learned_;
};

}  // namespace

void check_input(const LearnerInput& input, const LearnerOptions& options) {
  options.validate();
  const auto lacks_queries = [](const Samples* samples) {
    return samples != nullptr && samples->size() > 0 && samples->facts.empty();
  };
  if (options.objective == Objective::kSoftmax &&
      (lacks_queries(&input.samples) || lacks_queries(input.held_out)))
    throw Error(ErrorCode::kUsage, "the softmax objective needs samples that are grouped by query");
  const auto fits = [](std::size_t samples, std::span<const float> margins) {
    return margins.empty() || margins.size() == samples;
  };
  if (!fits(input.samples.size(), input.margins) ||
      !fits(input.held_out != nullptr ? input.held_out->size() : 0, input.held_out_margins))
    throw Error(ErrorCode::kUsage, "there must be one prior per sample");
  if (!input.margins.empty() && options.classifier != Classifier::kBoosting)
    throw Error(ErrorCode::kUsage, "only boosting can start from a prior");
}

std::vector<trees::TripleColumn> columns_of(const LearnerInput& input) {
  if (!input.columns.empty()) return input.columns;
  std::vector<trees::TripleColumn> columns;
  for (const TriplePart part : {TriplePart::kHead, TriplePart::kRelation, TriplePart::kTail}) {
    for (std::uint32_t v = 0; v < input.tables.of(part).columns(); ++v) columns.push_back({part, v});
  }
  return columns;
}

LearnedTrees run_learning_loop(const LearnerInput& input, const LearnerOptions& options,
                               const Context& context, const GrowTree& grow) {
  return LearningLoop(input, options, context, grow).learn();
}

}  // namespace greenkgc::trees
