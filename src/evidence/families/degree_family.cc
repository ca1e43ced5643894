#include <algorithm>
#include <array>

#include "evidence/families/families.h"

namespace greenkgc::evidence {
namespace {

// How well the two ends are known, and how the relation is filled: with one answer (as functions are) or with
// many.
class DegreeReader : public FamilyReader {
 public:
  void ask(const QuestionView& view) override { view_ = &view; }
  void fill(const CandidateList& candidates, const FeatureRows& out) override {
    const EvidenceGraph& graph = view_->graph();
    const Query& query = view_->query();
    const DirectedRelation relation = view_->relation();
    const bool leaves_out = query.left_out != kNoEntity;
    const float facts = static_cast<float>(graph.fact_count(relation)) - (leaves_out ? 1 : 0);
    const float knowns = static_cast<float>(graph.slots_of(relation).size()) -
                         (leaves_out && view_->answers().empty() ? 1 : 0);
    const float answers = static_cast<float>(graph.slots_of(inverse(relation)).size()) -
                          (leaves_out && view_->range_count(query.left_out) == 0 ? 1 : 0);
    const std::array<float, 5> shared = {static_cast<float>(view_->degree(query.known)),
                                         static_cast<float>(view_->answers().size()), facts,
                                         knowns > 0 ? facts / knowns : 0, answers > 0 ? facts / answers : 0};
    for (std::size_t i = 0; i < candidates.entities.size(); ++i) {
      float* row = out.row(i);
      row[0] = static_cast<float>(view_->degree(candidates.entities[i]));
      std::copy(shared.begin(), shared.end(), row + 1);
    }
  }

 private:
  const QuestionView* view_ = nullptr;
};

}  // namespace

Family degree_family() {
  return {
      "degree",
      {"degree", "known_degree", "known_answers", "relation_facts", "answers_per_known", "knowns_per_answer"},
      [](const Sources&) -> std::unique_ptr<FamilyReader> { return std::make_unique<DegreeReader>(); }};
}

}  // namespace greenkgc::evidence
