#include "rank/calibration/calibrate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "rank/calibration/counted_margins.h"
#include "rank/rankers/fact_margins.h"
#include "rank/rankers/first_stage_ranker.h"
#include "support/random_decisions.h"

namespace greenkgc::rank {
namespace {

using Samples = std::vector<CountedMargin>;

double size(const CountedMargin& sample) {
  return static_cast<double>(sample.positives + sample.negatives);
}

// Noisy samples whose share rises with the margin.
Samples random_samples(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  Samples samples;
  for (std::size_t i = 0; i < count; ++i) {
    const auto margin = static_cast<float>(i) * 0.25F - 0.125F * static_cast<float>(count);
    const std::uint64_t n = 1 + random() % 9;
    const double p = 1 / (1 + std::exp(-static_cast<double>(margin)));
    std::uint64_t positives = 0;
    for (std::uint64_t k = 0; k < n; ++k) positives += random() % 1000 < p * 1000 ? 1 : 0;
    samples.push_back({margin, positives, n - positives});
  }
  return samples;
}

// The share that isotonic regression gives sample i, by its max-min formula.
double max_min_share(const Samples& samples, std::size_t i) {
  double best = 0;
  for (std::size_t begin = 0; begin <= i; ++begin) {
    double least = 1;
    for (std::size_t end = i + 1; end <= samples.size(); ++end) {
      double positives = 0;
      double all = 0;
      for (std::size_t k = begin; k < end; ++k) {
        positives += static_cast<double>(samples[k].positives);
        all += size(samples[k]);
      }
      least = std::min(least, positives / all);
    }
    best = std::max(best, least);
  }
  return best;
}

void expect_rising(const model::Calibration& curve) {
  ASSERT_FALSE(curve.margins.empty());
  ASSERT_EQ(curve.margins.size(), curve.probabilities.size());
  EXPECT_LE(curve.margins.size(), kMostKnots);
  EXPECT_TRUE(std::is_sorted(curve.margins.begin(), curve.margins.end()));
  EXPECT_TRUE(std::is_sorted(curve.probabilities.begin(), curve.probabilities.end()));
  EXPECT_GT(curve.probabilities.front(), 0);
  EXPECT_LT(curve.probabilities.back(), 1);
}

TEST(IsotonicFit, AgreesWithTheMaxMinFormula) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    const Samples samples = random_samples(12, seed);
    const model::Calibration curve = fit_isotonic(samples);
    expect_rising(curve);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const double expected = max_min_share(samples, i);
      if (expected == 0 || expected == 1) continue;  // smoothed
      EXPECT_NEAR(curve.probability(static_cast<double>(samples[i].margin)), expected, 1e-6)
          << "seed " << seed << ", sample " << i;
    }
  }
}

TEST(IsotonicFit, OutermostPoolsAreSmoothed) {
  const model::Calibration curve = fit_isotonic(Samples{{-1, 0, 5}, {0, 0, 3}, {1, 1, 1}, {2, 3, 0}});
  EXPECT_NEAR(curve.probability(-7), 1.0 / 10, 1e-7);
  EXPECT_NEAR(curve.probability(0), 1.0 / 10, 1e-7);
  EXPECT_NEAR(curve.probability(0.5), (1.0 / 10 + 0.5) / 2, 1e-7);
  EXPECT_NEAR(curve.probability(1), 0.5, 1e-7);
  EXPECT_NEAR(curve.probability(9), 4.0 / 5, 1e-7);
}

TEST(IsotonicFit, ManyPoolsBecomeFewAndStayNear) {
  Samples samples;
  for (std::uint64_t i = 1; i < 2000; ++i) samples.push_back({static_cast<float>(i), i, 2000 - i});
  const model::Calibration curve = fit_isotonic(samples);
  expect_rising(curve);
  EXPECT_GT(curve.margins.size(), kMostKnots / 2);
  for (const CountedMargin& sample : samples) {
    EXPECT_NEAR(curve.probability(static_cast<double>(sample.margin)),
                static_cast<double>(sample.positives) / 2000, 0.02);
  }
}

struct Platt {
  double slope = 0;
  double offset = 0;
  double at(double margin) const { return 1 / (1 + std::exp(-slope * margin - offset)); }
};

// Descends slowly along the gradient of Platt's loss.
Platt slow_platt(const Samples& samples) {
  double positives = 0;
  double all = 0;
  for (const CountedMargin& sample : samples) {
    positives += static_cast<double>(sample.positives);
    all += size(sample);
  }
  const double high = (positives + 1) / (positives + 2);
  const double low = 1 / (all - positives + 2);
  Platt platt;
  for (int step = 0; step < 200'000; ++step) {
    double slope = 0;
    double offset = 0;
    for (const CountedMargin& sample : samples) {
      const auto margin = static_cast<double>(sample.margin);
      const double p = platt.at(margin);
      const double gradient = static_cast<double>(sample.positives) * (p - high) +
                              static_cast<double>(sample.negatives) * (p - low);
      slope += gradient * margin;
      offset += gradient;
    }
    platt.slope -= 0.1 * slope / all;
    platt.offset -= 0.1 * offset / all;
  }
  return platt;
}

TEST(PlattFit, AgreesWithGradientDescent) {
  for (std::uint32_t seed = 0; seed < 3; ++seed) {
    Samples samples = random_samples(20, seed);
    samples[3].negatives += 200;  // shares of candidates are small
    const Platt expected = slow_platt(samples);
    const model::Calibration curve = fit_platt(samples);
    expect_rising(curve);
    for (double margin = -12; margin < 12; margin += 0.01)
      ASSERT_NEAR(curve.probability(margin), expected.at(margin), 1e-4) << margin;
    for (double margin = -12; margin < -3; margin += 0.01)
      ASSERT_NEAR(curve.probability(margin) / expected.at(margin), 1, 0.05) << margin;
  }
}

TEST(PlattFit, IsLevelWhereTheShareFalls) {
  const model::Calibration curve = fit_platt(Samples{{-1, 5, 1}, {1, 1, 5}});
  EXPECT_NEAR(curve.probability(-1), 0.5, 1e-6);
  EXPECT_NEAR(curve.probability(1), 0.5, 1e-6);
}

TEST(PlattFit, WithstandsOddSamples) {
  expect_rising(fit_platt(Samples{{-1e6F, 0, 1'000'000'000'000}, {1e6F, 1, 0}}));
  expect_rising(fit_platt(Samples{{3, 1, 0}}));
  expect_rising(fit_platt(Samples{{-3e38F, 0, 7}, {3e38F, 7, 0}}));
  expect_rising(fit_isotonic(Samples{{3, 1, 0}}));
}

class CountedMargins : public testing::Test {
 protected:
  CountedMargins() : decisions_(RandomDecisions({}).make()) {
    std::mt19937 random(3);
    const auto entity = [&] { return EntityId{static_cast<std::uint32_t>(random() % 300)}; };
    std::vector<Triple> train;
    std::vector<Triple> valid;
    for (std::uint32_t i = 0; i < 400; ++i) {
      train.push_back({entity(), RelationId{2 * (i % 2)}, entity()});
      valid.push_back({entity(), RelationId{2 * (i % 2)}, entity()});
    }
    valid.push_back(train[7]);
    train_ = {std::array<std::span<const Triple>, 1>{train}, 300, Context{}};
    valid_ = {std::array<std::span<const Triple>, 1>{valid}, 300, Context{}};
    for (std::size_t i = 0; i < 60; ++i) queries_.push_back({valid[i].head, valid[i].relation, Side::kTail});
    queries_.push_back({train[7].tail, train[7].relation, Side::kHead});
  }

  // Every candidate a sample.
  Samples all_candidates() const {
    Samples all;
    for (const Query& query : queries_) {
      for (std::uint32_t c = 0; c < 300; ++c) {
        const bool tail = query.side == Side::kTail;
        const EntityId candidate{c};
        const Triple fact = tail ? Triple{query.known, query.relation, candidate}
                                 : Triple{candidate, query.relation, query.known};
        if (train_.contains(fact)) continue;
        const RankQuery asked{query.known, query.relation, candidate, query.side};
        const bool is_fact = valid_.contains(fact);
        all.push_back({margins_of(decisions_, {&asked, 1}, Context{.threads = 1})[0], is_fact ? 1U : 0U,
                       is_fact ? 0U : 1U});
      }
    }
    const std::array parts = {all};
    return merged(parts);
  }

  model::Decisions decisions_;
  graph::KnownFacts train_;
  graph::KnownFacts valid_;
  std::vector<Query> queries_;
};

TEST_F(CountedMargins, AreThoseOfAllCandidates) {
  const Samples all = all_candidates();
  const Samples counted = count_margins(decisions_, queries_, {valid_, train_}, Context{});
  double expected = 0;
  double found = 0;
  for (const CountedMargin& sample : all) expected += size(sample);
  for (const CountedMargin& sample : counted) found += size(sample);
  EXPECT_EQ(found, expected);
  EXPECT_EQ(positives_in(counted), positives_in(all));
  const model::Calibration exact = fit_isotonic(all);
  const model::Calibration curve = fit_isotonic(counted);
  const model::Calibration exact_platt = fit_platt(all);
  const model::Calibration platt = fit_platt(counted);
  for (const CountedMargin& sample : all) {
    const auto margin = static_cast<double>(sample.margin);
    if (sample.positives > 0) {
      EXPECT_NEAR(curve.probability(margin), exact.probability(margin), 1e-6);
    }
    EXPECT_NEAR(platt.probability(margin), exact_platt.probability(margin), 1e-4);
  }
}

TEST_F(CountedMargins, AreTheSameForAnyThreads) {
  const Truth truth{valid_, train_};
  EXPECT_TRUE(count_margins(decisions_, queries_, truth, Context{.threads = 1}) ==
              count_margins(decisions_, queries_, truth, Context{.threads = 3}));
}

}  // namespace
}  // namespace greenkgc::rank
