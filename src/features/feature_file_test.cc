#include "features/feature_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "greenkgc/error.h"
#include "kge/chosen_dims.h"
#include "support/temporary_folder.h"

namespace greenkgc::features {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Three entities, two relations in two groups; RotatE, of whose five dimensions 1, 2 and 4 stay, two in each
// group.
NamedFeatures tiny() {
  NamedFeatures named;
  for (const char* label : {"a", "b", "c"}) named.entities.intern(label);
  for (const char* label : {"likes", "hates"}) named.relations.intern(label);
  Features& f = named.features;
  f.pruned.kge = &kge::kge_model("rotate");
  f.pruned.similarity = kge::Similarity::kEuclidean;
  f.pruned.dims = 3;
  f.pruned.entity_count = 3;
  f.pruned.relation_count = 2;
  for (int i = 0; i < 18; ++i) f.pruned.entities.push_back(static_cast<float>(i) / 4);
  for (int i = 0; i < 6; ++i) f.pruned.relations.push_back(static_cast<float>(i));
  f.source_dims = {1, 2, 4};
  f.source_dim_count = 5;
  f.group_of = {0, 1};
  const std::vector<float> all_costs = {1, 0.5F, 0.75F, 1, 0.25F};
  f.groups = {{{2, 0}, {0.25F, 0.5F}, {0, 1}, std::vector<float>(10, 0.5F), all_costs},
              {{1, 2}, {0.75F, 0.25F}, {3, 1}, std::vector<float>(10, 0.25F), all_costs}};
  named.provenance = {{"seed", "7"}};
  return named;
}

class FeatureFileTest : public testing::Test {
 protected:
  std::filesystem::path path() const { return folder_.path() / "f.safetensors"; }
  void write(const NamedFeatures& named, std::vector<FeatureForm> forms = {FeatureForm::kFloat32}) const {
    write_features(path(), named, forms, Context{});
  }
  std::string error_of_reading() const {
    try {
      read_features(path());
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kCorrupt) << error.what();
      return error.what();
    }
    return "no error";
  }
  TemporaryFolder folder_;
};

TEST_F(FeatureFileTest, RoundTrip) {
  const NamedFeatures named = tiny();
  write(named);
  EXPECT_TRUE(holds_features(path()));
  const NamedFeatures back = read_features(path());
  EXPECT_EQ(back.features.pruned.entities, named.features.pruned.entities);
  EXPECT_EQ(back.features.pruned.relations, named.features.pruned.relations);
  EXPECT_EQ(back.features.source_dims, named.features.source_dims);
  EXPECT_EQ(back.features.source_dim_count, 5U);
  EXPECT_EQ(back.features.group_of, named.features.group_of);
  ASSERT_EQ(back.features.groups.size(), 2U);
  EXPECT_THAT(back.features.groups[1].kept, ElementsAre(1, 2));
  EXPECT_THAT(back.features.groups[1].costs, ElementsAre(0.75F, 0.25F));
  EXPECT_THAT(back.features.groups[0].splits, ElementsAre(0, 1));
  EXPECT_EQ(back.features.groups[1].weights, named.features.groups[1].weights);
  EXPECT_EQ(back.entities.label(2), "c");
  EXPECT_EQ(back.provenance.at("seed"), "7");
}

TEST_F(FeatureFileTest, QuantisedFormsStandAlone) {
  const NamedFeatures named = tiny();
  for (const FeatureForm form : {FeatureForm::k8Bit, FeatureForm::k5Bit}) {
    write(named, {form});
    EXPECT_EQ(read_features(path()).features.pruned.entities, named.features.pruned.entities)
        << "three values have a level each";
  }
  write(named, {FeatureForm::k5Bit, FeatureForm::kFloat32, FeatureForm::k8Bit});
  EXPECT_EQ(read_features(path()).features.pruned.entities, named.features.pruned.entities);
}

TEST_F(FeatureFileTest, AGroupRanksByItsOwnDimensions) {
  const kge::Embeddings group = group_embeddings(tiny().features, 0);
  EXPECT_EQ(group.dims, 2U);
  EXPECT_THAT(group.entity(EntityId{1}), ElementsAre(2.0F, 1.5F, 2.75F, 2.25F));  // 8/4 6/4 11/4 9/4
  EXPECT_THAT(group.relation_row(1), ElementsAre(5, 3));
}

TEST_F(FeatureFileTest, DimensionsGoBackWhereTheyCameFrom) {
  kge::Embeddings whole = tiny().features.pruned;
  const std::vector<std::uint32_t> dims = {2, 0};
  kge::Embeddings part = kge::with_dims(whole, dims);
  part.entities[4] = 50;   // entity 1, first variable of dimension 2
  part.relations[3] = 60;  // relation 1, dimension 0
  std::vector<float> entities = whole.entities;
  std::vector<float> relations = whole.relations;
  kge::put_dims(part, dims, whole);
  entities[1 * 6 + 2] = 50;
  relations[1 * 3 + 0] = 60;
  EXPECT_EQ(whole.entities, entities);
  EXPECT_EQ(whole.relations, relations);
}

TEST_F(FeatureFileTest, RangeDimensionsAreKeptAndNotReadByOlderPrograms) {
  NamedFeatures named = tiny();
  write(named);
  EXPECT_EQ(tensors::SafetensorsFile(path()).metadata_value("version"), "1");
  named.features.pruned.range_dims = {1, 2};
  write(named);
  EXPECT_THAT(read_features(path()).features.pruned.range_dims, ElementsAre(1, 2));
  EXPECT_EQ(tensors::SafetensorsFile(path()).metadata_value("version"), "1.1");
  named.features.pruned.range_dims = {0, 1, 2, 3};
  write(named);
  EXPECT_THAT(error_of_reading(), HasSubstr("metadata range_dims must be 1 to 3, not 4"));
}

TEST_F(FeatureFileTest, ArrangedByLabel) {
  graph::Vocabulary entities;
  for (const char* label : {"c", "a"}) entities.intern(label);
  graph::Vocabulary relations;
  relations.intern("hates");
  const Features features = arranged(tiny(), entities, relations);
  EXPECT_THAT(features.group_of, ElementsAre(1));
  EXPECT_EQ(features.pruned.entity(EntityId{0})[0], 3.0F);
  entities.intern("stranger");
  EXPECT_THROW(arranged(tiny(), entities, relations), Error);
}

// Files that are whole, but say what cannot be.
TEST_F(FeatureFileTest, NamedContradictions) {
  using Change = std::function<void(Features&)>;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<std::pair<Change, std::string>> cases = {
      {[](Features& f) { f.group_of[1] = 2; }, "'group_of', number 1: 2 must be below 2"},
      {[](Features& f) { f.groups[0].kept[1] = 3; }, "'kept', number 1: 3 must be below 3"},
      {[](Features& f) {
         f.groups[1].kept = {1, 1};
       },
       "group 1 keeps a dimension twice"},
      {[](Features& f) {
         f.source_dims = {1, 4, 2};
       },
       "'dims' is not in ascending order"},
      {[](Features& f) { f.source_dims[2] = 5; }, "'dims', number 2: 5 must be below 5"},
      {[&](Features& f) { f.pruned.entities[7] = nan; }, "row 1 of entities, column 1, is not a finite"},
      {[&](Features& f) { f.groups[1].weights[3] = nan; }, "is not a finite number"},
      {[](Features& f) { f.groups.push_back(f.groups[0]); }, "has 3 groups"},
      {[](Features& f) { f.groups.clear(); }, "has 0 groups with 0 dimensions each"},
      {[](Features& f) { f.group_of.pop_back(); }, "tensor 'group_of' has shape [1]; the others require [2]"},
  };
  for (const auto& [change, expected] : cases) {
    NamedFeatures named = tiny();
    change(named.features);
    write(named);
    EXPECT_THAT(error_of_reading(), HasSubstr(expected));
  }
}

TEST_F(FeatureFileTest, TruncationAtEveryByteIsRefused) {
  write(tiny());
  const std::string whole = folder_.read("f.safetensors");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    folder_.write("f.safetensors", whole.substr(0, length));
    EXPECT_NE(error_of_reading(), "no error") << length;
  }
}

TEST_F(FeatureFileTest, OtherFilesAreRefused) {
  tensors::SafetensorsWriter writer;
  const std::array<float, 1> x = {1};
  writer.add("x", {1}, std::span<const float>(x));
  writer.write(path());
  EXPECT_FALSE(holds_features(path()));
  EXPECT_THAT(error_of_reading(), HasSubstr("has no metadata 'format'"));
  writer.set_metadata("format", "greenkgc.embeddings");
  writer.write(path());
  EXPECT_THAT(error_of_reading(), HasSubstr("not 'greenkgc.features'"));
}

}  // namespace
}  // namespace greenkgc::features
