// The writer; the reader is xgboost_json.cc.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "greenkgc/error.h"
#include "trees/xgboost_json.h"
#include "trees/xgboost_json_format.h"

namespace greenkgc::trees {
namespace {

using namespace xgboost;

class Writer {
 public:
  explicit Writer(std::span<const TripleColumn> features) : features_(features.size()) {
    for (std::size_t f = 0; f < features.size(); ++f) numbers_.emplace(features[f], f);
  }

  Json model(const TreeEnsemble& ensemble) {
    const auto score = static_cast<float>(1 / (1 + std::exp(-ensemble.base_margin)));
    const double error = std::abs(static_cast<double>(margin_of_score(score)) - ensemble.base_margin);
    const bool exact = error <= 1e-6;  // false for a score of 0 or 1
    if (!exact) add(Tree{{TreeNode{.value = static_cast<float>(ensemble.base_margin)}}});
    for (const Tree& tree : ensemble.trees) add(tree);
    const Json booster = {{"name", "gbtree"},
                          {"model",
                           {{"gbtree_model_param",
                             {{"num_parallel_tree", "1"},
                              {"num_trees", fmt::to_string(trees_.size())},
                              {"size_leaf_vector", "0"}}},
                            {"tree_info", std::vector<int>(trees_.size(), 0)},
                            {"trees", std::move(trees_)}}}};
    return {
        {"version", {1, 7, 4}},
        {"learner",
         {{"attributes", Json::object()},
          {"feature_names", Json::array()},
          {"feature_types", Json::array()},
          {"gradient_booster", booster},
          {"learner_model_param",
           {{"base_score", fmt::to_string(exact ? score : 0.5F)},
            {"boost_from_average", "0"},
            {"num_class", "0"},
            {"num_feature", fmt::to_string(features_)},
            {"num_target", "1"}}},
          {"objective", {{"name", "binary:logistic"}, {"reg_loss_param", {{"scale_pos_weight", "1"}}}}}}}};
  }

 private:
  // Lists of one number per node. What only training needs (gains, hessians) is 0.
  void add(const Tree& tree) {
    const std::size_t n = tree.nodes.size();
    std::vector<int> left(n, kNoChild);
    std::vector<int> right(n, kNoChild);
    std::vector<int> parents(n, kNoParent);
    std::vector<std::size_t> columns(n, 0);
    std::vector<float> conditions(n);  // of a leaf: its value
    for (std::size_t i = 0; i < n; ++i) {
      const TreeNode& node = tree.nodes[i];
      conditions[i] = node.is_leaf() ? node.value : node.threshold;
      if (node.is_leaf()) continue;
      left[i] = node.left;
      right[i] = node.left + 1;
      parents[node.left] = parents[node.left + 1U] = static_cast<int>(i);
      columns[i] = number_of(node.column);
    }
    const std::vector<int> zeros(n, 0);
    const std::vector<float> unknown(n, 0);
    trees_.push_back({{"base_weights", unknown},
                      {"categories", Json::array()},
                      {"categories_nodes", Json::array()},
                      {"categories_segments", Json::array()},
                      {"categories_sizes", Json::array()},
                      {"default_left", zeros},
                      {"id", trees_.size()},
                      {"left_children", left},
                      {"loss_changes", unknown},
                      {"parents", parents},
                      {"right_children", right},
                      {"split_conditions", conditions},
                      {"split_indices", columns},
                      {"split_type", zeros},
                      {"sum_hessian", unknown},
                      {"tree_param",
                       {{"num_deleted", "0"},
                        {"num_feature", fmt::to_string(features_)},
                        {"num_nodes", fmt::to_string(n)},
                        {"size_leaf_vector", "0"}}}});
  }

  std::size_t number_of(const TripleColumn& column) const {
    const auto found = numbers_.find(column);
    if (found != numbers_.end()) return found->second;
    throw Error(ErrorCode::kUsage,
                fmt::format("trees use {}, which is not among the features to export", described(column)));
  }

  std::size_t features_;
  std::map<TripleColumn, std::size_t> numbers_;
  std::vector<Json> trees_;
};

}  // namespace

std::string to_xgboost_json(const TreeEnsemble& ensemble, std::span<const TripleColumn> features) {
  return Writer(features).model(ensemble).dump();
}

}  // namespace greenkgc::trees
