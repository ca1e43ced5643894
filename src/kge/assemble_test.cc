#include "kge/assemble.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "greenkgc/error.h"

namespace greenkgc::kge {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;

tensors::TableFile table(std::vector<std::string> labels, std::uint64_t rows, std::vector<float> values) {
  tensors::TableFile file{
      .name = "t.npy",
      .table = {.rows = rows, .columns = values.size() / rows, .values = std::move(values)},
      .labels = graph::Vocabulary(),
      .note = ""};
  for (const std::string& label : labels) file.labels->intern(label);
  return file;
}

TableMeaning meaning(std::string_view model) {
  return {.kge = &kge_model(model), .similarity = parse_similarity(kge_model(model), "auto")};
}

std::string error_of(tensors::TableFile entities, tensors::TableFile relations, const TableMeaning& meaning) {
  try {
    assemble(std::move(entities), std::move(relations), meaning);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    return error.what();
  }
  return "no error";
}

TEST(Assemble, NumbersStayAsTheyAre) {
  const NamedEmbeddings named =
      assemble(table({"a", "b"}, 2, {1, 2, 3, 4}), table({"r"}, 1, {5}), meaning("rotate"));
  EXPECT_EQ(named.embeddings.dims, 1U);
  EXPECT_THAT(named.embeddings.entities, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(named.embeddings.relations, ElementsAre(5));  // beyond one turn, and left there
  EXPECT_EQ(named.entities.label(1), "b");
}

TEST(Assemble, PhasesFromCosinesAndSines) {
  TableMeaning how = meaning("rotate");
  how.cos_sin = true;
  const auto phases = [&](double scale) {
    how.relation_scale = scale;
    // A quarter and minus an eighth of a turn: cosines, then sines.
    const float diagonal = std::sqrt(0.5F);
    return assemble(table({"a"}, 1, {1, 2, 3, 4}), table({"r"}, 1, {0, diagonal, 1, -diagonal}), how)
        .embeddings.relations;
  };
  const float pi = std::numbers::pi_v<float>;
  EXPECT_THAT(phases(1), ElementsAre(FloatNear(pi / 2, 1e-6F), FloatNear(-pi / 4, 1e-6F)));
  // Five quarters of a turn are one quarter; minus five eighths are three.
  EXPECT_THAT(phases(5), ElementsAre(FloatNear(pi / 2, 1e-6F), FloatNear(pi * 3 / 4, 1e-6F)));
}

TEST(Assemble, StoredPhasesAreScaledAndTurnedBack) {
  TableMeaning how = meaning("rotate");
  how.relation_scale = 2;
  const auto relations =
      assemble(table({"a"}, 1, {1, 2, 3, 4}), table({"r"}, 1, {1, 3}), how).embeddings.relations;
  EXPECT_THAT(relations, ElementsAre(2.0F, FloatNear(static_cast<float>(6 - 2 * std::numbers::pi), 1e-6F)));
}

TEST(Assemble, MisfitsAreNamed) {
  const tensors::TableFile entities = table({"a", "b"}, 2, {1, 2, 3, 4});
  const tensors::TableFile relation = table({"r"}, 1, {5});
  EXPECT_THAT(error_of(table({"a"}, 2, {1, 2, 3, 4}), relation, meaning("rotate")),
              HasSubstr("t.npy: has 2 rows, but there are 1 entity label"));
  EXPECT_THAT(error_of(entities, table({"r"}, 2, {5, 6}), meaning("rotate")), HasSubstr("use --reciprocal"));
  EXPECT_THAT(error_of(table({"a"}, 1, {1, 2, 3}), relation, meaning("rotate")),
              HasSubstr("rows of 3 numbers"));
  EXPECT_THAT(error_of(entities, table({"r"}, 1, {5, 6}), meaning("rotate")),
              HasSubstr("--relation-form cos-sin"));
  EXPECT_THAT(error_of(entities, relation, meaning("transe")), HasSubstr("needs 2"));
  TableMeaning how = meaning("rotate");
  how.reciprocal = true;
  EXPECT_THAT(error_of(entities, relation, how), HasSubstr("each with two rows"));
  EXPECT_EQ(error_of(entities, table({"r"}, 2, {5, 6}), how), "no error");
  how = meaning("rotate");
  how.cos_sin = true;
  EXPECT_THAT(error_of(entities, relation, how), HasSubstr("leave out --relation-form"));
  EXPECT_THAT(error_of(entities, table({"r"}, 1, {0.5F, 0.1F}), how), HasSubstr("row 0, columns 0 and 1"));
}

TEST(Assemble, NumbersThatAreNotFiniteAreNamed) {
  for (const float wrong :
       {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    EXPECT_THAT(error_of(table({"a", "b"}, 2, {1, 2, 3, wrong}), table({"r"}, 1, {5}), meaning("rotate")),
                HasSubstr("row 1, column 1 (from 0)"));
  }
}

TEST(Assemble, SimilarityMustGoWithTheModel) {
  EXPECT_EQ(parse_similarity(kge_model("distmult"), "auto"), Similarity::kDot);
  EXPECT_EQ(parse_similarity(kge_model("transe"), "l1"), Similarity::kManhattan);
  EXPECT_THROW(parse_similarity(kge_model("distmult"), "l1"), Error);
}

TEST(Assemble, ReverseRowsAreNamedAfterTheirs) {
  const auto rows = [](const std::vector<std::string>& labels) {
    graph::Vocabulary vocabulary;
    for (const std::string& label : labels) vocabulary.intern(label);
    return vocabulary;
  };
  const graph::Vocabulary forward = forward_labels(rows({"a", "b", "a_reverse", "b_reverse"}), "r.vec");
  ASSERT_EQ(forward.size(), 2U);
  EXPECT_EQ(forward.label(1), "b");
  EXPECT_THROW(forward_labels(rows({"a", "b", "b_reverse", "a_reverse"}), "r.vec"), Error);
  EXPECT_THROW(forward_labels(rows({"a", "b", "a_reverse"}), "r.vec"), Error);
}

}  // namespace
}  // namespace greenkgc::kge
