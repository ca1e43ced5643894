#include "rank/calibration/fit_fact_curve.h"

#include <algorithm>
#include <cmath>

// The model: a candidate was true and missing in training with the probability t = 1 / (1 + exp(-z)), where z
// is linear in the evidence of its trees; if it was, it is one of the held-out facts with probability c, the
// labeled share. So it is labeled with probability v = c t, and what is fitted is z, by the likelihood of the
// labels. Fisher's scoring is Newton's method with the expected second derivatives, which are never negative:
// with dv/dz = c t (1 - t), the score is (y - v) / (v (1 - v)) dv/dz and the information (dv/dz)^2 / (v (1 -
// v)). A candidate that is known to be false has the likelihood 1 - t instead: score -t, information t (1 -
// t).
namespace greenkgc::rank {
namespace {

constexpr int kMaxSteps = 60;
constexpr double kMaxMove = 1;  // of a parameter in one step
constexpr double kConverged = 1e-7;
constexpr double kSlopePrior = 20;    // precision with which the slope is drawn towards 1
constexpr double kRelationPrior = 8;  // precision of relation offsets around 0
// How far the ceiling is above the labeled share: a part of it always, and more where held-out facts are few.
constexpr double kAbove = 0.05;
constexpr double kAbovePerFact = 60;

struct Pull {
  double score;
  double information;
};

Pull pull_of(double z, const JudgedFact& fact, double labeled) {
  const double t = std::clamp(1 / (1 + std::exp(-z)), 1e-12, 1 - 1e-12);
  if (fact.known_false) return {-t, t * (1 - t)};
  const double v = labeled * t;
  const double slope = v * (1 - t);
  return {((fact.held_out ? 1.0 : 0.0) - v) / (v * (1 - v)) * slope, slope * slope / (v * (1 - v))};
}

double bounded(double move) {
  return std::clamp(move, -kMaxMove, kMaxMove);
}

}  // namespace

void fit_fact_curve(std::span<const JudgedFact> facts, std::uint32_t relations, model::FactTrees& trees) {
  const auto labeled = static_cast<double>(trees.labeled_share);
  std::vector<std::uint32_t> positives(relations);
  double all_positives = 0;
  for (const JudgedFact& fact : facts) {
    positives[index(fact.relation)] += fact.held_out ? 1 : 0;
    all_positives += fact.held_out ? 1 : 0;
  }
  const double above = kAbove + kAbovePerFact / std::max(1.0, all_positives);
  trees.ceiling = static_cast<float>(std::min(0.99, labeled * (1 + above)));
  std::vector<double> evidence;
  evidence.reserve(facts.size());
  for (const JudgedFact& fact : facts) evidence.push_back(trees.evidence(fact.sum));

  double slope = 1;
  double offset = 0;
  for (int step = 0; step < kMaxSteps; ++step) {
    double score_slope = kSlopePrior * (1 - slope);
    double score_offset = 0;
    double slope_slope = kSlopePrior;
    double slope_offset = 0;
    double offset_offset = 1e-9;
    for (std::size_t i = 0; i < facts.size(); ++i) {
      const double x = evidence[i];
      const Pull pull = pull_of(slope * x + offset, facts[i], labeled);
      score_slope += pull.score * x;
      score_offset += pull.score;
      slope_slope += pull.information * x * x;
      slope_offset += pull.information * x;
      offset_offset += pull.information;
    }
    const double determinant = slope_slope * offset_offset - slope_offset * slope_offset;
    if (!(determinant > 0)) break;
    const double move_slope =
        bounded((offset_offset * score_slope - slope_offset * score_offset) / determinant);
    const double move_offset =
        bounded((slope_slope * score_offset - slope_offset * score_slope) / determinant);
    slope += move_slope;
    offset += move_offset;
    if (std::abs(move_slope) + std::abs(move_offset) < kConverged) break;
  }
  slope = std::max(slope, 0.05);  // probabilities never fall where the evidence rises
  trees.slope = static_cast<float>(slope);
  trees.offset = static_cast<float>(offset);

  std::vector<double> own(relations);
  for (int step = 0; step < kMaxSteps; ++step) {
    std::vector<Pull> pulls(relations, {0, kRelationPrior});
    for (std::uint32_t r = 0; r < relations; ++r) pulls[r].score = -kRelationPrior * own[r];
    for (std::size_t i = 0; i < facts.size(); ++i) {
      const std::uint32_t r = index(facts[i].relation);
      const Pull pull = pull_of(slope * evidence[i] + offset + own[r], facts[i], labeled);
      pulls[r].score += pull.score;
      pulls[r].information += pull.information;
    }
    double largest = 0;
    for (std::uint32_t r = 0; r < relations; ++r) {
      if (positives[r] == 0) continue;
      const double move = bounded(pulls[r].score / pulls[r].information);
      own[r] += move;
      largest = std::max(largest, std::abs(move));
    }
    if (largest < kConverged) break;
  }
  trees.relation_offsets.assign(own.begin(), own.end());
}

}  // namespace greenkgc::rank
