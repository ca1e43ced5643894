#include "greenkgc/vectors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "greenkgc/error.h"
#include "kge/embedding_file.h"
#include "support/random_model.h"
#include "support/temporary_folder.h"

namespace greenkgc {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ModelVectors, AreTheRowsThatTheModelScoresBy) {
  const RandomModel files({.entities = 30, .relations = 4, .trees = 3}, 100);
  const Model model = files.open();
  const ModelVectors vectors = vectors_of(model);
  const model::Decisions& decisions = model.impl().decisions;
  const std::vector<float> rows = model::restored_rows(decisions.tables.entities);
  ASSERT_EQ(vectors.entities, 30u);
  ASSERT_EQ(rows.size(), 30 * vectors.entity_width());
  for (std::size_t e = 0; e < 30; ++e) {
    for (std::size_t c = 0; c < vectors.entity_width(); ++c)
      EXPECT_EQ(vectors.levels[c][vectors.bins[c * 30 + e]], rows[e * vectors.entity_width() + c]);
  }
  EXPECT_EQ(vectors.relation_rows * vectors.relation_width(), vectors.relations.size());
  EXPECT_EQ(vectors.relations.data(), decisions.embeddings.relations.data());
  EXPECT_EQ(vectors_of(model).bins.data(), vectors.bins.data());
}

TEST(EmbeddingFile, ShowsWhatWasWritten) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "e.safetensors";
  kge::Embeddings embeddings{.kge = &kge::kge_model("complex"),
                             .dims = 1,
                             .reciprocal = true,
                             .entity_count = 2,
                             .relation_count = 1,
                             .entities = {1, 2, 3, 4},
                             .relations = {5, 6, 7, 8}};
  graph::Vocabulary entities;
  entities.intern("a");
  entities.intern("b");
  graph::Vocabulary relations;
  relations.intern("r");
  kge::write_embeddings(path, embeddings, entities, relations, {});

  const EmbeddingFile file = EmbeddingFile::open(path);
  EXPECT_THAT(std::vector(file.entities().begin(), file.entities().end()), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(std::vector(file.relations().begin(), file.relations().end()), ElementsAre(5, 6, 7, 8));
  EXPECT_EQ(file.entity_count(), 2u);
  EXPECT_EQ(file.relation_count(), 1u);
  EXPECT_EQ(file.relation_rows(), 2u);
  EXPECT_EQ(file.dims(), 1u);
  EXPECT_TRUE(file.reciprocal());
  EXPECT_EQ(file.model(), "complex");
  EXPECT_EQ(file.similarity(), "dot");
  EXPECT_EQ(file.label(EntityId{1}), "b");
  EXPECT_EQ(file.label(RelationId{0}), "r");
}

TEST(EmbeddingFile, RefusesAModel) {
  const RandomModel files({.entities = 5, .relations = 2, .trees = 1}, 5);
  try {
    EmbeddingFile::open(files.path());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
    EXPECT_THAT(error.what(), HasSubstr("greenkgc.model"));
  }
}

}  // namespace
}  // namespace greenkgc
