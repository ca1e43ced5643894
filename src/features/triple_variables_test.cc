#include "features/triple_variables.h"
#include "features/phase_form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace greenkgc::features {
namespace {

using testing::ElementsAre;

kge::Embeddings two_dims(std::string_view model, std::size_t relation_rows) {
  kge::Embeddings e;
  e.kge = &kge::kge_model(model);
  e.dims = 2;
  e.entity_count = 2;
  e.relation_count = 1;
  e.reciprocal = relation_rows == 2;
  for (std::size_t i = 0; i < 2 * e.entity_width(); ++i) e.entities.push_back(static_cast<float>(i));
  for (std::size_t i = 0; i < relation_rows * e.relation_width(); ++i)
    e.relations.push_back(static_cast<float>(i) + 4);
  return e;
}

TEST(TripleVariables, AsManyAsInThePapersTable) {
  const std::vector<std::pair<std::string, std::size_t>> models = {
      {"transe", 3}, {"distmult", 3}, {"complex", 6}, {"rotate", 5}};
  for (const auto& [model, count] : models)
    EXPECT_EQ(TripleVariables(two_dims(model, 1), PhaseForm::kAngle).count(), count) << model;
  EXPECT_EQ(TripleVariables(two_dims("rotate", 1), PhaseForm::kCosSin).count(), 6U);
  EXPECT_EQ(TripleVariables(two_dims("complex", 1), PhaseForm::kCosSin).count(), 6U);
}

TEST(TripleVariables, ColumnsOfADimension) {
  const kge::Embeddings complex = two_dims("complex", 2);
  DimensionColumns columns;
  TripleVariables(complex, PhaseForm::kAngle).copy_dimension(1, columns);
  EXPECT_THAT(columns.entity[0], ElementsAre(1, 5));
  EXPECT_THAT(columns.entity[1], ElementsAre(3, 7));
  EXPECT_THAT(columns.relation[0], ElementsAre(5)) << "the row for tails";
  EXPECT_THAT(columns.relation[1], ElementsAre(7));
}

TEST(TripleVariables, PhasesAreAnglesWithinATurnOrPointsOnTheCircle) {
  const kge::Embeddings rotate = two_dims("rotate", 1);  // phases 4 and 5
  DimensionColumns columns;
  TripleVariables(rotate, PhaseForm::kAngle).copy_dimension(0, columns);
  EXPECT_NEAR(columns.relation[0][0], 4 - 2 * M_PI, 1e-6);
  TripleVariables(rotate, PhaseForm::kCosSin).copy_dimension(0, columns);
  EXPECT_NEAR(columns.relation[0][0], std::cos(4), 1e-6);
  EXPECT_NEAR(columns.relation[1][0], std::sin(4), 1e-6);
}

}  // namespace
}  // namespace greenkgc::features
