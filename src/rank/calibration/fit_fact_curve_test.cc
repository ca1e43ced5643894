#include "rank/calibration/fit_fact_curve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace greenkgc::rank {
namespace {

constexpr std::uint32_t kCurveRelations = 3;

double of_log_odds(double x) {
  return 1 / (1 + std::exp(-x));
}

// Candidates whose true probability of having been missing is known: `gain` times the log-odds of the trees,
// plus `offset` and something for the relation. Half of those that were missing are held out.
struct PlantedFacts {
  std::vector<JudgedFact> facts;
  std::vector<double> was_missing;
};

PlantedFacts planted_facts(std::size_t n, double gain, double offset, std::vector<double> own) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> unit(0, 1);
  PlantedFacts all;
  for (std::size_t i = 0; i < n; ++i) {
    const double v = 0.5 * unit(random) * unit(random);
    const auto relation = static_cast<std::uint32_t>(random() % own.size());
    const double t = of_log_odds(gain * std::log(v / (0.5 - v)) + offset + own[relation]);
    const bool missing = unit(random) < t;
    all.facts.push_back(
        {static_cast<float>(std::log(v / (1 - v))), RelationId{relation}, missing && unit(random) < 0.5});
    all.was_missing.push_back(t);
  }
  return all;
}

TEST(FactCurve, PredictsHowManyAreStillMissing) {
  const PlantedFacts data = planted_facts(60'000, 1.3, 0.4, {0, 0.8, -0.8});
  model::FactTrees trees;
  trees.folds.resize(1);
  fit_fact_curve(data.facts, kCurveRelations, trees);
  // In each tenth of the candidates, those that are no held-out facts: t / 2 of all are missing still.
  for (std::uint32_t r = 0; r < kCurveRelations; ++r) {
    double predicted = 0;
    double expected = 0;
    for (std::size_t i = 0; i < data.facts.size(); ++i) {
      if (data.facts[i].relation != RelationId{r}) continue;
      predicted += trees.probability(data.facts[i].sum, RelationId{r});
      expected += data.was_missing[i] / 2 / (1 - data.was_missing[i] / 2);
    }
    EXPECT_NEAR(predicted / expected, 1, 0.05) << r;
  }
}

TEST(FactCurve, NeverFallsAndStaysInside) {
  const PlantedFacts data = planted_facts(500, 0.7, 0, {0, 0, 0});
  model::FactTrees trees;
  trees.folds.resize(1);
  fit_fact_curve(data.facts, kCurveRelations, trees);
  double last = 0;
  for (float sum = -12; sum < 12; sum += 0.25F) {
    const double p = trees.probability(sum, RelationId{1});
    EXPECT_GE(p, last);
    EXPECT_GT(p, 0);
    EXPECT_LT(p, 1);
    last = p;
  }
  EXPECT_GT(last, trees.probability(-12, RelationId{1}));
}

TEST(FactCurve, CandidatesKnownToBeFalseLowerIt) {
  PlantedFacts data = planted_facts(4000, 1, 0, {0, 0, 0});
  model::FactTrees unsure;
  unsure.folds.resize(1);
  fit_fact_curve(data.facts, kCurveRelations, unsure);
  for (JudgedFact& fact : data.facts) fact.known_false = !fact.held_out;
  model::FactTrees sure;
  sure.folds.resize(1);
  fit_fact_curve(data.facts, kCurveRelations, sure);
  // If all that are not held out are false, a candidate was missing as often as it is held out.
  double was_missing = 0;
  double held_out = 0;
  for (const JudgedFact& fact : data.facts) {
    const double odds = static_cast<double>(sure.slope) * sure.evidence(fact.sum) +
                        static_cast<double>(sure.offset + sure.relation_offsets[index(fact.relation)]);
    was_missing += of_log_odds(odds);
    held_out += fact.held_out ? 1 : 0;
  }
  EXPECT_NEAR(was_missing / held_out, 1, 0.05);
  EXPECT_LT(sure.offset, unsure.offset);
}

TEST(FactCurve, ARelationWithoutHeldOutFactsHasTheCurveOfAll) {
  PlantedFacts data = planted_facts(4000, 1, 0, {0, 0, 0});
  for (JudgedFact& fact : data.facts) fact.held_out = fact.held_out && fact.relation != RelationId{2};
  model::FactTrees trees;
  trees.folds.resize(1);
  fit_fact_curve(data.facts, kCurveRelations, trees);
  EXPECT_EQ(trees.relation_offsets[2], 0);
  EXPECT_NE(trees.relation_offsets[0], 0);
}

TEST(FactCurve, FewFactsAndNoneGiveFiniteNumbers) {
  for (const std::size_t n : {0U, 1U, 3U}) {
    const PlantedFacts data = planted_facts(n, 1, 0, {0, 0, 0});
    model::FactTrees trees;
    trees.folds.resize(1);
    fit_fact_curve(data.facts, kCurveRelations, trees);
    EXPECT_TRUE(std::isfinite(trees.slope) && std::isfinite(trees.offset));
    EXPECT_TRUE(std::isfinite(trees.probability(0, RelationId{0})));
  }
}

TEST(MissingShare, ChangesTheOddsByThoseOfTheRates) {
  EXPECT_DOUBLE_EQ(model::at_missing_share(0.3, 0.1, 0.1), 0.3);
  // Odds 1, times (1/4) / (1/9).
  EXPECT_NEAR(model::at_missing_share(0.5, 0.1, 0.2), 2.25 / 3.25, 1e-12);
}

}  // namespace
}  // namespace greenkgc::rank
