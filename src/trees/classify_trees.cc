#include "trees/classed_trees.h"

#include <algorithm>
#include <array>
#include <optional>

namespace greenkgc::trees {
namespace {

// Of a block: so that the classes of a granule of rows fill half of the first cache, and the tables of a
// hundred queries a part of the second.
constexpr std::size_t kBlockClassifiers = 48;
constexpr std::size_t kBlockTrees = 64;

constexpr float kNothing = -0.0F;  // x + kNothing has the bits of x, whatever x is

constexpr std::uint32_t bit(std::size_t i) {
  return std::uint32_t{1} << i;
}
constexpr std::uint32_t bits_below(std::size_t i) {
  return i < 32 ? bit(i) - 1 : ~std::uint32_t{0};
}

}  // namespace

// Builds ClassedTrees, tree by tree.
class TreeClassifier {
 public:
  // Without a candidate, all splits are the rows' own. With a row, the query's splits are answered by it.
  struct Roles {
    std::optional<TriplePart> candidate;
    std::span<const std::uint8_t> row;
  };

  TreeClassifier(ClassedTrees& out, const features::SideTables& tables, Roles roles)
      : out_(out),
        roles_(roles),
        one_block_(!roles.candidate || !roles.row.empty()),
        entity_columns_(static_cast<std::uint32_t>(tables.entities.columns())) {
    for (std::size_t part = 0; part < numbers_.size(); ++part)
      numbers_[part].assign(tables.of(static_cast<TriplePart>(part)).columns(), kNoNumber);
  }

  void add(const trees::TreeEnsemble& ensemble) {
    reserve(ensemble.trees.size());
    for (const trees::Tree& tree : ensemble.trees) {
      if (out_.blocks_.empty() || (!one_block_ && is_block_full())) begin_block();
      nodes_.clear();
      copy(tree, 0);
      out_.roots_.push_back(route(0));
      out_.most_classifiers_ = std::max(out_.most_classifiers_, block_size());
    }
  }

 private:
  enum class Kind : std::uint8_t { kLeaf, kCandidate, kQuery };
  struct Node {
    Kind kind;
    std::uint8_t bin;
    std::uint8_t low;
    std::uint8_t high;
    std::uint32_t column;
    float value;
    std::uint32_t classes;  // that the node's subtree tells apart; kTooMany or more are not told apart
    std::uint32_t leaves;
  };
  static constexpr std::uint32_t kTooMany = 1000;
  static constexpr std::uint32_t kNoNumber = 0xFFFFFFFF;

  // A split of the candidate above a look-up, and which side the look-up is on.
  struct Passed {
    std::uint32_t column;
    std::uint8_t bin;
    bool high;
  };
  struct Masks {
    std::array<std::uint32_t, simd::kMostClasses> of;
    std::size_t count = 0;
    void add(std::uint32_t mask) { of[count++] = mask; }
  };

  std::size_t block_size() const {
    return out_.blocks_.empty() ? 0 : out_.classifiers_.size() - out_.blocks_.back().first_classifier;
  }

  bool is_block_full() const {
    return block_size() >= kBlockClassifiers ||
           out_.roots_.size() - out_.blocks_.back().first_tree >= kBlockTrees;
  }

  // For a look-up per tree; there may be more.
  void reserve(std::size_t trees) {
    out_.classifiers_.reserve(trees);
    out_.sources_.reserve(trees);
    out_.subtrees_.reserve(trees);
    out_.routes_.reserve(trees);
    out_.roots_.reserve(trees);
  }

  // The first classifier of a block puts all rows into class 0: for what does not depend on them.
  void begin_block() {
    out_.blocks_.push_back({static_cast<std::uint32_t>(out_.classifiers_.size()),
                            static_cast<std::uint32_t>(out_.roots_.size())});
    out_.classifiers_.push_back({0, 0, simd::ClassStep::kZeros});
  }

  bool is_own(TriplePart part) const { return !roles_.candidate || part == *roles_.candidate; }

  // In a query's bins.
  std::uint32_t place_of(const trees::TripleColumn& column) const {
    return column.part == TriplePart::kRelation ? entity_columns_ + column.variable : column.variable;
  }
  // Among the columns of the rows.
  std::uint32_t number_of(const trees::TripleColumn& column) {
    std::uint32_t& number = numbers_[static_cast<std::size_t>(column.part)][column.variable];
    if (number == kNoNumber) {
      number = static_cast<std::uint32_t>(out_.columns_.size());
      out_.columns_.push_back(column);
    }
    return number;
  }

  // Copies the subtree at `at` without the splits that are answered already; returns its root.
  std::uint8_t copy(const trees::Tree& tree, std::uint8_t at) {
    const trees::TreeNode* node = &tree.nodes[at];
    while (!node->is_leaf() && !roles_.row.empty() && !is_own(node->column.part))
      node = &tree.nodes[node->left + (roles_.row[place_of(node->column)] > node->bin ? 1U : 0U)];
    const auto root = static_cast<std::uint8_t>(nodes_.size());
    if (node->is_leaf()) {
      nodes_.push_back({Kind::kLeaf, 0, 0, 0, 0, node->value, 1, 1});
      return root;
    }
    const Kind kind = is_own(node->column.part) ? Kind::kCandidate : Kind::kQuery;
    const std::uint32_t column = kind == Kind::kCandidate ? number_of(node->column) : place_of(node->column);
    nodes_.push_back({kind, node->bin, 0, 0, column, 0, 0, 0});
    const std::uint8_t low = copy(tree, node->left);
    const std::uint8_t high = copy(tree, static_cast<std::uint8_t>(node->left + 1));
    const Node& l = nodes_[low];
    const Node& h = nodes_[high];
    nodes_[root].low = low;
    nodes_[root].high = high;
    nodes_[root].classes =
        std::min(kTooMany, kind == Kind::kCandidate ? l.classes + h.classes : l.classes * h.classes);
    nodes_[root].leaves = l.leaves + h.leaves;
    return root;
  }

  std::uint32_t route(std::uint8_t at) {
    const Node node = nodes_[at];
    const std::size_t outside = passed_.empty() ? 0 : 1;
    if (std::max(node.classes, node.leaves) + outside <= simd::kMostClasses)
      return add_route({.kind = ClassedTrees::Route::Kind::kSubtree, .column = subtree(at)});
    if (node.kind == Kind::kQuery) {
      const std::uint32_t low = route(node.low);
      const std::uint32_t high = route(node.high);
      return add_route({ClassedTrees::Route::Kind::kAsk, node.bin, node.column, low, high});
    }
    passed_.push_back({node.column, node.bin, false});
    const std::uint32_t low = route(node.low);
    passed_.back().high = true;
    const std::uint32_t high = route(node.high);
    passed_.pop_back();
    return add_route({.kind = ClassedTrees::Route::Kind::kBoth, .low = low, .high = high});
  }

  std::uint32_t add_route(const ClassedTrees::Route& route) {
    out_.routes_.push_back(route);
    return static_cast<std::uint32_t>(out_.routes_.size() - 1);
  }

  std::uint32_t subtree(std::uint8_t at) {
    const auto first_ask = static_cast<std::uint32_t>(out_.asks_.size());
    simd::TableSource& source = out_.sources_.emplace_back();
    Masks masks;
    leaves_ = 0;
    if (!passed_.empty()) {
      source.values[leaves_] = kNothing;
      masks.add(bit(leaves_++));
    }
    const Masks inside = collect(at, source);
    for (std::size_t i = 0; i < inside.count; ++i) masks.add(inside.of[i]);
    while (masks.count < simd::kMostClasses) masks.add(masks.of[0]);
    source.masks = masks.of;
    out_.subtrees_.push_back({classifier(at), first_ask, static_cast<std::uint32_t>(out_.asks_.size())});
    return static_cast<std::uint32_t>(out_.subtrees_.size() - 1);
  }

  // Numbers the leaves below, collects the query's splits, and returns the leaves of each class, in the order
  // of the numbers that emit() gives them.
  Masks collect(std::uint8_t at, simd::TableSource& source) {
    const Node node = nodes_[at];
    Masks masks;
    if (node.kind == Kind::kLeaf) {
      source.values[leaves_] = node.value;
      masks.add(bit(leaves_++));
      return masks;
    }
    const std::size_t begin = leaves_;
    const Masks low = collect(node.low, source);
    const std::size_t middle = leaves_;
    const Masks high = collect(node.high, source);
    if (node.kind == Kind::kCandidate) {
      masks = low;
      for (std::size_t i = 0; i < high.count; ++i) masks.add(high.of[i]);
      return masks;
    }
    for (std::size_t i = 0; i < low.count; ++i) {
      for (std::size_t j = 0; j < high.count; ++j) masks.add(low.of[i] | high.of[j]);
    }
    const std::uint32_t low_leaves = bits_below(middle) & ~bits_below(begin);
    const std::uint32_t high_leaves = bits_below(leaves_) & ~bits_below(middle);
    out_.asks_.push_back({node.column, node.bin, {~high_leaves, ~low_leaves}});
    return masks;
  }

  // In the current block.
  std::uint32_t classifier(std::uint8_t at) {
    if (nodes_[at].classes == 1 && passed_.empty()) return 0;
    const std::size_t first = out_.steps_.size();
    std::uint8_t result = emit(at, 1, kFirstSlot);
    if (!passed_.empty()) result = emit_passed(result);
    const auto number = static_cast<std::uint32_t>(block_size());
    out_.classifiers_.push_back(
        {static_cast<std::uint32_t>(first), static_cast<std::uint16_t>(out_.steps_.size() - first), result});
    return number;
  }

  // Steps for `scale` times the class by the node's subtree, into `slot` or a constant one; slots behind it
  // are free. Returns where it is.
  std::uint8_t emit(std::uint8_t at, std::uint32_t scale, std::uint8_t slot) {
    const Node node = nodes_[at];
    if (node.classes == 1) return simd::ClassStep::kZeros;
    const std::uint32_t low_scale = node.kind == Kind::kQuery ? scale * nodes_[node.high].classes : scale;
    const std::uint8_t low = emit(node.low, low_scale, slot);
    const std::uint8_t high =
        emit(node.high, scale, low == slot ? static_cast<std::uint8_t>(slot + 1) : slot);
    if (node.kind == Kind::kCandidate) {
      const auto add = static_cast<std::uint8_t>(scale * nodes_[node.low].classes);
      out_.steps_.push_back({node.column, node.bin, add, low, high, slot});
      return slot;
    }
    if (low == simd::ClassStep::kZeros) return high;
    if (high == simd::ClassStep::kZeros) return low;
    out_.steps_.push_back({simd::ClassStep::kSum, 0, 0, low, high, slot});
    return slot;
  }

  // Class 0 is for those who went another way, so the others move up by one.
  std::uint8_t emit_passed(std::uint8_t inside) {
    std::uint8_t result = simd::ClassStep::kOnes;
    if (inside != simd::ClassStep::kZeros) {
      out_.steps_.push_back({simd::ClassStep::kSum, 0, 0, inside, simd::ClassStep::kOnes, kFirstSlot});
      result = kFirstSlot;
    }
    for (const Passed& split : passed_) {
      const std::uint8_t low = split.high ? simd::ClassStep::kZeros : result;
      const std::uint8_t high = split.high ? result : simd::ClassStep::kZeros;
      out_.steps_.push_back({split.column, split.bin, 0, low, high, kFirstSlot});
      result = kFirstSlot;
    }
    return result;
  }

  static constexpr std::uint8_t kFirstSlot = 2;
  static_assert(kFirstSlot + trees::kMostTreeDepth < simd::ClassStep::kSlots);

  ClassedTrees& out_;
  const Roles roles_;
  const bool one_block_;
  const std::uint32_t entity_columns_;
  std::array<std::vector<std::uint32_t>, features::kTripleParts> numbers_;  // by part and variable
  std::vector<Node> nodes_;                                                 // of the tree that is added
  std::vector<Passed> passed_;                                              // on the way to the current node
  std::size_t leaves_ = 0;                                                  // of the current look-up so far
};

ClassedTrees::ClassedTrees(const trees::TreeEnsemble& ensemble, const features::SideTables& tables,
                           TriplePart candidate) {
  TreeClassifier(*this, tables, {candidate, {}}).add(ensemble);
}

ClassedTrees::ClassedTrees(const trees::TreeEnsemble& ensemble, const features::SideTables& tables,
                           TriplePart candidate, std::span<const std::uint8_t> row) {
  TreeClassifier(*this, tables, {candidate, row}).add(ensemble);
}

ClassedTrees::ClassedTrees(const trees::TreeEnsemble& ensemble, const features::SideTables& tables) {
  TreeClassifier(*this, tables, {std::nullopt, {}}).add(ensemble);
}

}  // namespace greenkgc::trees
