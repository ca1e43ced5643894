#include "trees/xgboost_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "greenkgc/error.h"

namespace greenkgc::trees {
namespace {

using testing::HasSubstr;

const std::vector<TripleColumn> kFeatures = {
    {features::TriplePart::kHead, 3}, {features::TriplePart::kRelation, 0}, {features::TriplePart::kTail, 1}};

TreeNode inner(TripleColumn column, float threshold, std::uint8_t left) {
  return {.column = column, .threshold = threshold, .left = left};
}
TreeNode leaf(float value) {
  return {.value = value};
}

// Two trees whose numbers need all digits of a float.
TreeEnsemble small_ensemble() {
  TreeEnsemble ensemble;
  ensemble.base_margin = std::log(0.25);
  ensemble.trees = {
      {{inner(kFeatures[2], 0.1F, 1), inner(kFeatures[0], -1.0F / 3, 3), leaf(1e-7F), leaf(0.7F), leaf(-3)}},
      {{leaf(std::numeric_limits<float>::max())}}};
  return ensemble;
}

std::string small_model() {
  return to_xgboost_json(small_ensemble(), kFeatures);
}

// As XGBoost 1.7.4 wrote it, for three features: one split, and a pruned tree whose nodes 1 and 2 are gone.
constexpr std::string_view kTheirs =
    R"({"learner":{"attributes":{},"feature_names":[],"feature_types":[],"gradient_booster":{"model":{)"
    R"("gbtree_model_param":{"num_parallel_tree":"1","num_trees":"2","size_leaf_vector":"0"},"tree_info":[0,0],)"
    R"("trees":[{"base_weights":[-4.6871305E-1,5.459462E-1,-5.9920055E-1],"categories":[],"categories_nodes":[],)"
    R"("categories_segments":[],"categories_sizes":[],"default_left":[0,0,0],"id":0,"left_children":[1,-1,-1],)"
    R"("loss_changes":[4.3800117E3,0E0,0E0],"parents":[2147483647,0,0],"right_children":[2,-1,-1],)"
    R"("split_conditions":[1.01E2,5.459462E-1,-5.9920055E-1],"split_indices":[1,0,0],"split_type":[0,0,0],)"
    R"("sum_hessian":[1.25E3,5.005E2,7.495E2],"tree_param":{"num_deleted":"0","num_feature":"3",)"
    R"("num_nodes":"3","size_leaf_vector":"0"}},)"
    R"({"base_weights":[0E0,0E0,0E0,0E0,0E0],"categories":[],"categories_nodes":[],"categories_segments":[],)"
    R"("categories_sizes":[],"default_left":[1,0,0,0,0],"id":1,"left_children":[4,-1,-1,-1,-1],)"
    R"("loss_changes":[1E0,0E0,0E0,0E0,0E0],"parents":[2147483647,0,0,0,0],"right_children":[3,-1,-1,-1,-1],)"
    R"("split_conditions":[-5E-1,9E0,9E0,2.5E-1,-2E0],"split_indices":[2,0,0,0,0],"split_type":[0,0,0,0,0],)"
    R"("sum_hessian":[0E0,0E0,0E0,0E0,0E0],"tree_param":{"num_deleted":"2","num_feature":"3",)"
    R"("num_nodes":"5","size_leaf_vector":"0"}}]},"name":"gbtree"},"learner_model_param":{"base_score":"2E-1",)"
    R"("boost_from_average":"0","num_class":"0","num_feature":"3","num_target":"1"},"objective":{)"
    R"("name":"binary:logistic","reg_loss_param":{"scale_pos_weight":"1"}}},"version":[1,7,4]})";

TEST(XgboostJson, WhatWasWrittenIsReadBack) {
  const TreeEnsemble read = from_xgboost_json(small_model(), kFeatures, "x");
  EXPECT_NEAR(read.base_margin, std::log(0.25), 1e-6);
  EXPECT_EQ(read.trees, small_ensemble().trees);
}

TEST(XgboostJson, ReadsWhatXgboostWrites) {
  const TreeEnsemble read = from_xgboost_json(kTheirs, kFeatures, "x");
  EXPECT_NEAR(read.base_margin, std::log(0.25), 1e-6);
  ASSERT_EQ(read.trees.size(), 2U);
  EXPECT_EQ(read.trees[0].nodes,
            (std::vector{inner(kFeatures[1], 101, 1), leaf(0.5459462F), leaf(-0.59920055F)}));
  EXPECT_EQ(read.trees[1].nodes, (std::vector{inner(kFeatures[2], -0.5F, 1), leaf(-2), leaf(0.25F)}));
}

// The base score is a float: near 1 it is too coarse, far away it is 0 or 1.
TEST(XgboostJson, AnyBaseMarginIsKept) {
  for (const double base : {0.0, 3.0, -12.0, 12.0, 60.0, -1000.0}) {
    TreeEnsemble ensemble = small_ensemble();
    ensemble.base_margin = base;
    const TreeEnsemble read = from_xgboost_json(to_xgboost_json(ensemble, kFeatures), kFeatures, "x");
    const bool exact = read.trees.size() == 2;
    const double rest = exact ? 0 : static_cast<double>(read.trees[0].nodes[0].value);
    EXPECT_NEAR(read.base_margin + rest, base, 1e-6);
    EXPECT_EQ(exact, std::abs(base) < 4 || base == -12);
  }
}

TEST(XgboostJson, NodesGetTheBinsOfTheirThresholds) {
  features::SideTables tables{features::BinnedTable(4), features::BinnedTable(2)};
  tables.entities.fill(std::vector<std::vector<float>>{{1, 3, 5, 5}, {0, 0, 0, 0}}, "entity",
                       features::kMostBins, {});
  tables.relations.fill(std::vector<std::vector<float>>{{1, 2}}, "relation", features::kMostBins, {});
  const TripleColumn tail{features::TriplePart::kTail, 0};
  TreeEnsemble ensemble;
  ensemble.trees = {
      {{inner(tail, 4, 1), inner({features::TriplePart::kRelation, 0}, 1.5F, 3), leaf(1), leaf(2), leaf(3)}}};
  find_bins(ensemble, tables);
  EXPECT_EQ(ensemble.trees[0].nodes[0].bin, 1);
  EXPECT_EQ(ensemble.trees[0].nodes[1].bin, 0);
  for (const float between : {0.0F, 3.9F, 4.1F}) {
    ensemble.trees[0].nodes[0].threshold = between;
    EXPECT_THROW(find_bins(ensemble, tables), Error);
  }
  ensemble.trees[0].nodes[0] = inner({features::TriplePart::kHead, 1}, 0, 1);  // constant: without cuts
  EXPECT_THROW(find_bins(ensemble, tables), Error);
}

TEST(XgboostJson, ColumnsThatAreNotExportedAreRefused) {
  EXPECT_THROW(to_xgboost_json(small_ensemble(), std::span(kFeatures).first(2)), Error);
}

Error error_of(std::string_view text) {
  try {
    from_xgboost_json(text, kFeatures, "some.json");
  } catch (const Error& error) {
    return error;
  }
  return {ErrorCode::kInterrupted, "none"};
}

TEST(XgboostJson, CutOffAnywhereItIsRefused) {
  const std::string whole = small_model();
  ASSERT_EQ(error_of(whole).code(), ErrorCode::kInterrupted);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const Error error = error_of(std::string_view(whole).substr(0, length));
    ASSERT_EQ(error.code(), ErrorCode::kCorrupt);
    ASSERT_THAT(error.what(), HasSubstr("some.json: byte "));
  }
}

struct Damage {
  std::string_view what;  // the first of this in kTheirs
  std::string_view with;
  ErrorCode code;
  std::string_view message;
};

TEST(XgboostJson, DamageIsNamed) {
  constexpr ErrorCode kCorrupt = ErrorCode::kCorrupt;
  constexpr ErrorCode kUnsupported = ErrorCode::kUnsupported;
  const std::vector<Damage> all = {
      {"\"learner\"", "\"lerner\"", kCorrupt, "the model has no 'learner'"},
      {"\"left_children\"", "\"left\"", kCorrupt, "trees[0] has no 'left_children'"},
      {"[1,-1,-1]", "[]", kCorrupt, "left_children"},
      {"[1,-1,-1]", "7", kCorrupt, "left_children is not a list"},
      {"[1,-1,-1]", "{}", kCorrupt, "left_children is not a list"},
      {"[1,-1,-1]", "[1,-1]", kCorrupt, "right_children has 3 values, but left_children has 2"},
      {"[1,-1,-1]", "[1,-1,null]", kCorrupt, "left_children[2] is not a whole number"},
      {"[1,-1,-1]", "[\"1\",-1,-1]", kCorrupt, "left_children[0] is not a whole number"},
      {"[1,-1,-1]", "[1.5,-1,-1]", kCorrupt, "left_children[0] is not a whole number"},
      {"[1,-1,-1]", "[0,-1,-1]", kCorrupt, "left_children[0] leads to node 0"},
      {"[1,-1,-1]", "[2,-1,-1]", kCorrupt, "right_children[0] leads to node 2"},
      {"[1,-1,-1]", "[3,-1,-1]", kCorrupt, "left_children[0] is 3"},
      {"[1,-1,-1]", "[-2,-1,-1]", kCorrupt, "left_children[0] is -2"},
      {"[1,-1,-1]", "[-1,-1,-1]", kCorrupt, "right_children[0] has one child"},
      {"[1,-1,-1]", "[18446744073709551615,-1,-1]", kCorrupt, "left_children[0] is 18446744073709551615"},
      {"[1,-1,-1]", "[99999999999999999999999,-1,-1]", kCorrupt, "left_children[0] is not a whole number"},
      {"[1,0,0]", "[3,0,0]", kCorrupt, "split_indices[0] is 3"},
      {"[1,0,0]", "[-1,0,0]", kCorrupt, "split_indices[0] is -1"},
      {"1.01E2", "\"1\"", kCorrupt, "split_conditions[0] is not a number"},
      {"1.01E2", "1e39", kCorrupt, "has a number that a float cannot represent"},
      {"1.01E2", "1e999999999", kCorrupt, "has a number that a float cannot represent"},
      {"1.01E2", "NaN", kCorrupt, "byte"},
      {"\"num_nodes\":\"3\"", "\"num_nodes\":\"4294967295\"", kCorrupt, "num_nodes is not 3"},
      {"\"num_nodes\":\"3\"", "\"num_nodes\":3", kCorrupt, "num_nodes is not a string"},
      {"\"num_nodes\":\"3\"", "\"num_nodes\":\"-3\"", kCorrupt, "num_nodes is '-3', which is not a count"},
      {"\"num_feature\":\"3\",\"num_target\"", "\"num_feature\":\"4\",\"num_target\"", kCorrupt,
       "num_feature is 4, but there are 3 features"},
      {"\"2E-1\"", "\"1\"", kCorrupt, "base_score is not between 0 and 1"},
      {"\"2E-1\"", "\"1e-60\"", kCorrupt, "base_score is not between 0 and 1"},
      {"\"2E-1\"", "\"half\"", kCorrupt, "base_score is 'half'"},
      {"[0,0],\"trees\"", "[0],\"trees\"", kCorrupt, "tree_info does not have one value per tree"},
      {"[0,0],\"trees\"", "[0,1],\"trees\"", kUnsupported, "tree_info[1] is not 0"},
      {"\"split_type\":[0,0,0]", "\"split_type\":[1,0,0]", kUnsupported,
       "split_type[0] is a categorical split"},
      {"\"gbtree\"", "\"dart\"", kUnsupported, "name is 'dart'; only gbtree is supported"},
      {"binary:logistic", "multi:softprob", kUnsupported, "only binary:logistic is supported"},
      {"\"num_class\":\"0\"", "\"num_class\":\"3\"", kUnsupported, "num_class is above 1"},
      {"\"num_target\":\"1\"", "\"num_target\":\"2\"", kUnsupported, "num_target is above 1"},
      {"\"3\",\"size_leaf_vector\":\"0\"", "\"3\",\"size_leaf_vector\":\"2\"", kUnsupported,
       "size_leaf_vector"},
  };
  for (const Damage& damage : all) {
    SCOPED_TRACE(damage.with);
    std::string text(kTheirs);
    const std::size_t at = text.find(damage.what);
    ASSERT_NE(at, std::string::npos);
    const Error error = error_of(text.replace(at, damage.what.size(), damage.with));
    EXPECT_EQ(error.code(), damage.code);
    EXPECT_THAT(error.what(), HasSubstr("some.json: "));
    EXPECT_THAT(error.what(), HasSubstr(std::string(damage.message)));
  }
}

TEST(XgboostJson, OtherTextsAreNoModels) {
  for (const std::string_view text : {"", "null", "[]", "{\"learner\": []}", "\xff", "{} {}"})
    EXPECT_EQ(error_of(text).code(), ErrorCode::kCorrupt);
  EXPECT_THAT(error_of(std::string(1'000'000, '[')).what(), HasSubstr("has more than"));
}

// A chain of `depth` splits to the right.
std::string chain(std::size_t depth) {
  TreeEnsemble ensemble;
  auto& nodes = ensemble.trees.emplace_back().nodes;
  for (std::size_t level = 0; level < depth; ++level) {
    if (level > 0) nodes.push_back(leaf(0));
    nodes.push_back(inner(kFeatures[0], 0, static_cast<std::uint8_t>(2 * level + 1)));
  }
  nodes.insert(nodes.end(), 2, leaf(1));
  return to_xgboost_json(ensemble, kFeatures);
}

TEST(XgboostJson, TreesThatAreTooDeepAreRefused) {
  EXPECT_EQ(error_of(chain(7)).code(), ErrorCode::kInterrupted);
  EXPECT_EQ(error_of(chain(8)).code(), ErrorCode::kUnsupported);
  EXPECT_THAT(error_of(chain(8)).what(), HasSubstr("left_children[14] goes below depth 7"));
}

}  // namespace
}  // namespace greenkgc::trees
