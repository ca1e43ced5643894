#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "support/random_problem.h"
#include "trees/train/split.h"

namespace greenkgc::trees {

// For tests: a tree by its definition, in double precision, looking at every row for every split. It knows
// features as numbers and rows as features, nothing of tables and sums.
class ExactTree {
 public:
  struct Node {
    features::TriplePart part = features::TriplePart::kHead;
    std::uint32_t variable = 0;
    std::uint8_t bin = 0;
    int left = -1;  // -1: a leaf
    double value = 0;
  };
  struct Derivatives {
    double gradient;
    double hessian;
  };

  ExactTree(const RandomProblem& problem, const std::vector<Derivatives>& derivatives, const SplitRule& rule,
            std::size_t depth)
      : problem_(problem), derivatives_(derivatives), rule_(rule), leaf_(derivatives.size()) {
    nodes.resize(1);
    std::size_t level_begin = 0;
    for (std::size_t d = 0; d <= depth; ++d) {
      const std::size_t level_end = nodes.size();
      for (std::size_t node = level_begin; node < level_end; ++node) grow(static_cast<int>(node), d < depth);
      level_begin = level_end;
    }
  }

  std::vector<Node> nodes;
  double value_of(std::size_t row) const { return nodes[static_cast<std::size_t>(leaf_[row])].value; }

 private:
  double score(const Derivatives& sums) const {
    return sums.gradient * sums.gradient / (sums.hessian + rule_.lambda);
  }

  void grow(int node, bool may_split) {
    std::vector<std::size_t> rows;
    Derivatives total{0, 0};
    for (std::size_t row = 0; row < leaf_.size(); ++row) {
      if (leaf_[row] != node) continue;
      rows.push_back(row);
      total.gradient += derivatives_[row].gradient;
      total.hessian += derivatives_[row].hessian;
    }
    Node grown;
    grown.value = total.hessian > 0 ? -total.gradient / (total.hessian + rule_.lambda) : 0;
    double best = 1e-6;
    for (int part = 0; may_split && part < 3; ++part) {
      const auto& table = part == 1 ? problem_.tables.relations : problem_.tables.entities;
      for (std::uint32_t v = 0; v < table.columns(); ++v) {
        for (std::size_t bin = 0; bin < table.cuts(v).size(); ++bin) {
          Derivatives left{0, 0};
          for (const std::size_t row : rows) {
            if (goes_left(row, part, v, bin)) {
              left.gradient += derivatives_[row].gradient;
              left.hessian += derivatives_[row].hessian;
            }
          }
          const Derivatives right{total.gradient - left.gradient, total.hessian - left.hessian};
          if (left.hessian < 1e-12 || right.hessian < 1e-12 || left.hessian < rule_.min_child_weight ||
              right.hessian < rule_.min_child_weight)
            continue;
          const double gain = score(left) + score(right) - score(total);
          if (gain > best && gain >= rule_.gamma) {
            best = gain;
            grown.part = static_cast<features::TriplePart>(part);
            grown.variable = v;
            grown.bin = static_cast<std::uint8_t>(bin);
            grown.left = static_cast<int>(nodes.size());
          }
        }
      }
    }
    nodes[static_cast<std::size_t>(node)] = grown;
    if (grown.left < 0) return;
    nodes.resize(nodes.size() + 2);
    for (const std::size_t row : rows)
      leaf_[row] =
          grown.left + (goes_left(row, static_cast<int>(grown.part), grown.variable, grown.bin) ? 0 : 1);
  }

  bool goes_left(std::size_t row, int part, std::uint32_t variable, std::size_t bin) const {
    const auto& table = part == 1 ? problem_.tables.relations : problem_.tables.entities;
    return problem_.value(row, static_cast<features::TriplePart>(part), variable) < table.cuts(variable)[bin];
  }

  const RandomProblem& problem_;
  const std::vector<Derivatives>& derivatives_;
  const SplitRule rule_;
  std::vector<int> leaf_;  // the node of each row
};

inline std::vector<ExactTree::Derivatives> logistic_derivatives(const std::vector<double>& margins,
                                                                const std::vector<std::uint8_t>& labels) {
  std::vector<ExactTree::Derivatives> derivatives;
  for (std::size_t i = 0; i < margins.size(); ++i) {
    const double p = 1 / (1 + std::exp(-margins[i]));
    derivatives.push_back({p - labels[i], p * (1 - p)});
  }
  return derivatives;
}

}  // namespace greenkgc::trees
