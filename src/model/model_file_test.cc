#include "model/model_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <optional>

#include "greenkgc/error.h"
#include "support/temporary_folder.h"

namespace greenkgc::model {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;

trees::TreeNode inner(features::TriplePart part, std::uint32_t variable, std::uint8_t bin, std::uint8_t left,
                      const features::SideTables& tables) {
  return {{part, variable}, tables.of(part).cuts(variable)[bin], 0, bin, left};
}
trees::TreeNode leaf(float value) {
  trees::TreeNode node;
  node.value = value;
  return node;
}

// Four entities, two relations in two groups, DistMult in two dimensions, of which each group keeps one.
struct Tiny {
  Decisions decisions;
  graph::Vocabulary entities;
  graph::Vocabulary relations;
  std::vector<Triple> facts;
  std::vector<Triple> negatives;
  kge::Provenance provenance;
  std::optional<SecondStage> second;
};
// For two different facts.
SecondStage tiny_stage() {
  SecondStage stage;
  stage.labels = "valid";
  stage.evidence = {1, 0};
  stage.rules = {{.head = RelationId{1}, .length = 2, .steps = {1, 2}, .pairs = {4, 5}, .facts = {1, 2}}};
  stage.trees.features = {"score"};
  stage.trees.cuts = {{0.5F}};
  stage.trees.trees = {{{{.feature = 0, .left = 1}, {.value = 1}, {.value = 2}}}};
  stage.calibration = {{0, 1}, {0.25F, 0.5F}};
  return stage;
}
Tiny tiny(bool with_base) {
  Tiny named;
  for (const char* label : {"a", "b", "c", "d"}) named.entities.intern(label);
  for (const char* label : {"likes", "hates"}) named.relations.intern(label);
  named.provenance = {{"seed", "7"}};
  Decisions& d = named.decisions;
  d.tables = {features::BinnedTable(4), features::BinnedTable(2)};
  const std::vector<std::vector<float>> entities = {{1, 2, 3, 4}, {5, 5, 6, 7}};
  const std::vector<std::vector<float>> relations = {{0, 1}, {2, 2}};
  d.tables.entities.fill(entities, "entity", 256, {});
  d.tables.relations.fill(relations, "relation", 256, {});
  d.group_of = {1, 0};
  d.embeddings.kge = &kge::kge_model("distmult");
  d.embeddings.similarity = kge::Similarity::kDot;
  d.embeddings.dims = 2;
  d.embeddings.relation_count = 2;
  d.embeddings.relations = {0, 2, 1, 2};
  d.groups.resize(2);
  d.groups[0].kept = {1};
  d.groups[1].kept = {0};
  d.groups[0].trees.base_margin = 0.5;
  // Not level by level: the right child's children stand first.
  d.groups[0].trees.trees = {
      {{inner(features::TriplePart::kHead, 1, 0, 1, d.tables),
        inner(features::TriplePart::kTail, 1, 1, 5, d.tables),
        inner(features::TriplePart::kHead, 1, 1, 3, d.tables), leaf(3), leaf(4), leaf(1), leaf(2)}},
      {{leaf(9)}}};
  d.groups[1].trees.trees = {
      {{inner(features::TriplePart::kRelation, 0, 0, 1, d.tables), leaf(-1), leaf(1)}}};
  named.facts = {{EntityId{2}, RelationId{1}, EntityId{3}},
                 {EntityId{0}, RelationId{0}, EntityId{1}},
                 {EntityId{2}, RelationId{1}, EntityId{3}}};
  d.groups[1].calibration = {{-1, 2}, {0.25F, 0.75F}};
  if (with_base) {
    d.base = {BaseMarginsBySide{.head = {5, 6, 7, 8, 9}, .tail = {9, 8, 7, 6, 5}},
              BaseMarginsBySide{.head = {1, 2, 3, 4, 5}, .tail = {5, 4, 3, 2, 1}}};
    const std::vector<Triple> facts = {{EntityId{0}, RelationId{0}, EntityId{1}},
                                       {EntityId{0}, RelationId{0}, EntityId{3}},
                                       {EntityId{2}, RelationId{1}, EntityId{3}}};
    d.counts = {facts, 2};
  }
  return named;
}

class ModelFileTest : public testing::Test {
 protected:
  std::filesystem::path path() const { return folder_.path() / "m.gkgc"; }
  void write(const Tiny& named) const {
    write_model(path(), {named.decisions, named.entities, named.relations, named.facts, named.provenance,
                         named.second ? &*named.second : nullptr, named.negatives});
  }
  std::string error_of_reading() const {
    try {
      read_model(path()).facts.read();
      read_model(path()).negatives.read();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kCorrupt) << error.what();
      return error.what();
    }
    return "no error";
  }
  TemporaryFolder folder_;
};

TEST_F(ModelFileTest, HoldsFactsKnownToBeFalse) {
  Tiny named = tiny(true);
  write(named);
  EXPECT_TRUE(read_model(path()).negatives.empty());
  named.negatives = {{EntityId{3}, RelationId{1}, EntityId{0}}, {EntityId{1}, RelationId{0}, EntityId{2}}};
  write(named);
  EXPECT_THAT(read_model(path()).negatives.read(), ElementsAre(named.negatives[1], named.negatives[0]));
  EXPECT_EQ(read_model(path()).facts.size(), 2U);  // each once
  named.negatives[0].tail = EntityId{4};
  write(named);
  EXPECT_THAT(error_of_reading(), HasSubstr("negatives.tails"));
}

TEST_F(ModelFileTest, RoundTrip) {
  const Tiny named = tiny(true);
  write(named);
  EXPECT_TRUE(holds_model(path()));
  const NamedDecisions back = read_model(path());
  const Decisions& d = back.decisions;
  EXPECT_EQ(back.entities.label(3), "d");
  EXPECT_EQ(back.entities.find("c"), 2U);
  EXPECT_EQ(back.entities.find("ca"), std::nullopt);
  EXPECT_EQ(back.relations.find("likes"), 0U);
  EXPECT_THAT(back.relations.in_order(), ElementsAre(1, 0));
  EXPECT_THAT(back.facts.read(), ElementsAre(named.facts[1], named.facts[0]));
  EXPECT_TRUE(d.groups[0].calibration.margins.empty());
  EXPECT_NEAR(d.groups[1].calibration.probability(0.5), 0.5, 1e-6);
  EXPECT_EQ(back.relations.label(1), "hates");
  EXPECT_EQ(back.provenance.at("seed"), "7");
  EXPECT_THAT(d.group_of, ElementsAre(1, 0));
  EXPECT_THAT(d.groups[0].kept, ElementsAre(1));
  EXPECT_THAT(d.tables.entities.bins(1), ElementsAre(0, 0, 1, 2));
  EXPECT_THAT(d.tables.entities.cuts(1), ElementsAre(5.5F, 6.5F));
  EXPECT_THAT(d.tables.entities.levels(1), ElementsAre(5, 6, 7));
  EXPECT_EQ(d.embeddings.kge, &kge::kge_model("distmult"));
  EXPECT_EQ(d.embeddings.entity_count, 4U);
  EXPECT_THAT(d.embeddings.relations, ElementsAre(0, 2, 1, 2));
  EXPECT_EQ(d.base, named.decisions.base);
  for (std::uint32_t r = 0; r < 2; ++r) {
    const graph::RelationRanges& counts = named.decisions.counts;
    EXPECT_THAT(d.counts.heads(RelationId{r}), ElementsAreArray(counts.heads(RelationId{r})));
    EXPECT_THAT(d.counts.tails(RelationId{r}), ElementsAreArray(counts.tails(RelationId{r})));
    EXPECT_THAT(d.counts.head_counts(RelationId{r}), ElementsAreArray(counts.head_counts(RelationId{r})));
    EXPECT_THAT(d.counts.tail_counts(RelationId{r}), ElementsAreArray(counts.tail_counts(RelationId{r})));
  }
  EXPECT_EQ(d.groups[0].trees.base_margin, 0.5);
  for (std::uint32_t h = 0; h < 4; ++h) {
    for (std::uint32_t t = 0; t < 4; ++t) {
      for (std::size_t g = 0; g < 2; ++g) {
        const Triple fact{EntityId{h}, RelationId{static_cast<std::uint32_t>(1 - g)}, EntityId{t}};
        EXPECT_EQ(trees::margin_of(d.groups[g].trees, d.tables, fact),
                  trees::margin_of(named.decisions.groups[g].trees, named.decisions.tables, fact));
      }
    }
  }
  // Nodes come back level by level.
  EXPECT_EQ(d.groups[0].trees.trees[0].nodes[1].left, 3);
  EXPECT_EQ(d.groups[0].trees.trees[0].nodes[6].value, 4);
}

TEST_F(ModelFileTest, WithoutBaseMarginsThereAreNoCounts) {
  write(tiny(false));
  const Decisions d = read_model(path()).decisions;
  EXPECT_FALSE(d.has_base());
  EXPECT_TRUE(d.counts.all_heads().entities.empty());
}

TEST_F(ModelFileTest, RelationsWithoutABaseMarginHaveThatOfTheirTrees) {
  Tiny named = tiny(true);
  named.decisions.base[1].reset();
  write(named);
  const BaseMargin constant{.constant = 0.5F};
  EXPECT_THAT(read_model(path()).decisions.base,
              ElementsAre(named.decisions.base[0], BaseMarginsBySide{constant, constant}));
}

TEST_F(ModelFileTest, RefusesWhatItDoesNotKnowButWouldNeed) {
  tensors::SafetensorsWriter writer;
  for (const auto& [key, value] : std::map<std::string, std::string>{{"format", "greenkgc.model"},
                                                                     {"version", "1"},
                                                                     {"model", "distmult"},
                                                                     {"similarity", "dot"},
                                                                     {"dims", "2"},
                                                                     {"reciprocal", "0"},
                                                                     {"needs", "telepathy"}})
    writer.set_metadata(key, value);
  writer.write(path());
  try {
    read_model(path());
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    EXPECT_THAT(error.what(), HasSubstr("needs telepathy"));
  }
}

TEST_F(ModelFileTest, SecondStageComesBack) {
  Tiny named = tiny(true);
  write(named);
  EXPECT_FALSE(read_model(path()).second.has_value());
  named.second = tiny_stage();
  write(named);
  const NamedDecisions back = read_model(path());
  ASSERT_TRUE(back.second.has_value());
  EXPECT_EQ(back.second->rules, named.second->rules);
  EXPECT_EQ(back.second->trees, named.second->trees);
  EXPECT_EQ(back.second->evidence, named.second->evidence);
  // Without facts there is no evidence.
  named.facts.clear();
  write(named);
  EXPECT_THAT(error_of_reading(), HasSubstr("second.evidence"));
}

TEST_F(ModelFileTest, DamageIsNoticed) {
  Tiny named = tiny(true);
  named.second = tiny_stage();
  write(named);
  const std::string whole = folder_.read("m.gkgc");
  std::vector<std::pair<std::string, std::size_t>> places;  // a byte in the middle of each tensor
  {
    const tensors::SafetensorsFile file(path());
    const std::byte* end = nullptr;  // of the file
    for (const auto& [name, tensor] : file.tensors())
      end = std::max(end, tensor.bytes.data() + tensor.bytes.size());
    for (const auto& [name, tensor] : file.tensors()) {
      const std::byte* const middle = tensor.bytes.data() + tensor.bytes.size() / 2;
      if (!name.starts_with("padding"))
        places.emplace_back(name, whole.size() - static_cast<std::size_t>(end - middle));
    }
  }
  EXPECT_GT(places.size(), 45U);
  for (const auto& [name, at] : places) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
    folder_.write("m.gkgc", damaged);
    EXPECT_THAT(error_of_reading(), HasSubstr("'" + name + "'"));
  }
  for (std::size_t size = 0; size < whole.size(); size += 397) {
    folder_.write("m.gkgc", whole.substr(0, size));
    EXPECT_THROW(read_model(path()), Error) << size;
  }
}

// What a hostile file with right checksums could hold.
TEST_F(ModelFileTest, RefusesWhatDoesNotFitTogether) {
  const auto error_with = [&](const std::function<void(Tiny&)>& change) {
    Tiny named = tiny(true);
    change(named);
    write(named);
    return error_of_reading();
  };
  const auto first_node = [](Tiny& n) -> trees::TreeNode& {
    return n.decisions.groups[0].trees.trees[0].nodes[0];
  };
  EXPECT_THAT(error_with([&](auto& n) { first_node(n).bin = 77; }), HasSubstr("tree 0: splits at bin 77"));
  EXPECT_THAT(error_with([&](auto& n) {
                n.decisions.groups[0].trees.trees[1].nodes[0].value = std::numeric_limits<float>::infinity();
              }),
              HasSubstr("tree 1: a leaf has no finite value"));
  EXPECT_THAT(error_with([&](auto& n) { n.decisions.group_of[0] = 2; }), HasSubstr("2 must be below 2"));
  EXPECT_THAT(error_with([&](auto& n) { n.decisions.groups[0].kept = {9}; }), HasSubstr("9 must be below 2"));
  EXPECT_THAT(
      error_with([&](auto& n) { n.decisions.base[0]->tail.score = std::numeric_limits<float>::quiet_NaN(); }),
      HasSubstr("row 1 of base, column 1"));
  EXPECT_THAT(error_with([&](auto& n) {
                n.decisions.groups[1].calibration.probabilities = {0.75F, 0.25F};
              }),
              HasSubstr("calibration of group 1 is not in ascending order"));
  EXPECT_THAT(error_with([&](auto& n) {
                n.decisions.groups[1].calibration.probabilities = {0.25F, 1.25F};
              }),
              HasSubstr("outside 0 to 1"));
  EXPECT_THAT(error_with([&](auto& n) { n.facts[0].tail = EntityId{4}; }), HasSubstr("facts.tails"));
  EXPECT_THAT(error_with([&](auto& n) { n.decisions.embeddings.dims = 3; }), HasSubstr("relations.rows"));
  EXPECT_THAT(
      error_with([&](auto& n) {
        auto heads = n.decisions.counts.all_heads();
        const auto wrong = std::make_shared<std::vector<EntityId>>(heads.entities.size(), EntityId{4});
        heads.entities = *wrong;
        heads.owner = std::make_shared<std::pair<decltype(heads.owner), decltype(wrong)>>(heads.owner, wrong);
        n.decisions.counts = {heads, n.decisions.counts.all_tails()};
      }),
      HasSubstr("4 must be below 4"));
}

}  // namespace
}  // namespace greenkgc::model
