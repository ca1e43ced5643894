#include "trees/train/sample_metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"

namespace greenkgc::trees {
namespace {

using Labels = std::vector<std::uint8_t>;
using Margins = std::vector<float>;

TEST(LogLoss, IsTheMeanOfMinusLogProbability) {
  // Probabilities 1/2, 3/4, 3/4 of being a fact.
  const auto odds = static_cast<float>(std::log(3.0));
  const double expected = (std::log(2.0) + std::log(4.0 / 3) + std::log(4.0)) / 3;
  EXPECT_NEAR(log_loss(Margins{0, odds, odds}, Labels{1, 1, 0}), expected, 1e-7);
}

TEST(LogLoss, IsFiniteForCertainMistakes) {
  EXPECT_NEAR(log_loss(Margins{-1000, 1000}, Labels{1, 0}), 1000, 1e-9);
  EXPECT_EQ(log_loss({}, {}), 0);
}

TEST(AucPr, IsThePrecisionAtEachFact) {
  // In order of margin: fact, false, fact, false: precisions 1 and 2/3.
  EXPECT_NEAR(auc_pr(Margins{0.1F, 3, 2, 1}, Labels{0, 1, 0, 1}), (1 + 2.0 / 3) / 2, 1e-12);
  EXPECT_NEAR(auc_pr(Margins{2, 1}, Labels{1, 0}), 1, 1e-12);
  EXPECT_NEAR(auc_pr(Margins{1, 2}, Labels{1, 0}), 0.5, 1e-12);
}

TEST(AucPr, TiesAreTakenTogether) {
  EXPECT_NEAR(auc_pr(Margins{1, 1, 1, 1}, Labels{1, 0, 0, 0}), 0.25, 1e-12);
  // One fact above a tie of a fact and a false one: 1 and 2/3.
  EXPECT_NEAR(auc_pr(Margins{1, 5, 1}, Labels{0, 1, 1}), (1 + 2.0 / 3) / 2, 1e-12);
}

// Against the mean over positives of the precision among samples that are at least as high, in O(n^2).
TEST(AucPr, ManySamplesGiveThePlainSumForAnyThreads) {
  const CounterRandom random(1, 1);
  Margins margins;
  Labels labels;
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const auto margin = static_cast<float>(8 * random.unit(3 * i) - 6);
    margins.push_back(random.below(3, 3 * i + 1) == 0 ? std::round(margin) : margin);  // 0 and -0 among them
    labels.push_back(random.below(10, 3 * i + 2) == 0 ? 1 : 0);
  }
  double precisions = 0;
  double positives = 0;
  for (std::size_t i = 0; i < margins.size(); ++i) {
    if (labels[i] == 0) continue;
    double higher = 0;
    double higher_positives = 0;
    for (std::size_t j = 0; j < margins.size(); ++j) {
      if (margins[j] < margins[i]) continue;
      higher += 1;
      higher_positives += labels[j];
    }
    precisions += higher_positives / higher;
    positives += 1;
  }
  const double area = auc_pr(margins, labels, Context{.threads = 1});
  EXPECT_NEAR(area, precisions / positives, 1e-12);
  Margins many_margins;
  Labels many_labels;
  for (int i = 0; i < 64; ++i) {
    many_margins.insert(many_margins.end(), margins.begin(), margins.end());
    many_labels.insert(many_labels.end(), labels.begin(), labels.end());
  }
  const Context one{.threads = 1};
  const Context three{.threads = 3};
  const double of_many = auc_pr(many_margins, many_labels, one);
  EXPECT_NEAR(of_many, area, 1e-12);  // the same precisions
  EXPECT_EQ(auc_pr(many_margins, many_labels, three), of_many);
  EXPECT_EQ(log_loss(many_margins, many_labels, three), log_loss(many_margins, many_labels, one));
}

TEST(AucPr, IsZeroWithoutFacts) {
  EXPECT_EQ(auc_pr(Margins{1, 2}, Labels{0, 0}), 0);
  EXPECT_EQ(auc_pr({}, {}), 0);
}

}  // namespace
}  // namespace greenkgc::trees
