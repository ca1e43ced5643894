#include <algorithm>
#include <cmath>
#include <numeric>

#include "evidence/families/families.h"

namespace greenkgc::evidence {
namespace {

// What the first stage thinks: its score, how far that is below the best of the list, how many of the list
// are better, and the share of a softmax over the list.
class FirstStageReader : public FamilyReader {
 public:
  void ask(const QuestionView&) override {}
  void fill(const CandidateList& candidates, const FeatureRows& out) override {
    const auto scores = candidates.first_scores;
    if (scores.empty()) return;
    sorted_.assign(scores.begin(), scores.end());
    std::sort(sorted_.begin(), sorted_.end(), std::greater<>());
    const float best = sorted_.front();
    const double total = std::accumulate(sorted_.begin(), sorted_.end(), 0.0, [&](double sum, float score) {
      return sum + std::exp(score - best);
    });
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const auto first_equal = std::lower_bound(sorted_.begin(), sorted_.end(), scores[i], std::greater<>());
      float* row = out.row(i);
      row[0] = scores[i];
      row[1] = scores[i] - best;
      row[2] = static_cast<float>(first_equal - sorted_.begin());
      row[3] = static_cast<float>(std::exp(scores[i] - best) / total);
    }
  }

 private:
  std::vector<float> sorted_;
};

}  // namespace

Family first_stage_family() {
  return {
      "first_stage",
      {"first_score", "first_margin", "first_rank", "first_share"},
      [](const Sources&) -> std::unique_ptr<FamilyReader> { return std::make_unique<FirstStageReader>(); }};
}

}  // namespace greenkgc::evidence
