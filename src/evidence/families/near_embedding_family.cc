#include "evidence/families/families.h"
#include "evidence/families/neighbour_votes.h"

namespace greenkgc::evidence {
namespace {

// What the known entity's neighbors by embedding answer.
class NearEmbeddingReader : public FamilyReader {
 public:
  explicit NearEmbeddingReader(const Sources& sources) : find_near_(sources.near), votes_(*sources.graph) {}

  void ask(const QuestionView& view) override {
    if (find_near_) find_near_(view.known(), near_);
    votes_.ask(view, near_);
  }
  void propose(std::size_t most, std::vector<EntityId>& out) const override { votes_.propose(most, out); }
  void fill(const CandidateList& candidates, const FeatureRows& out) override {
    for (std::size_t i = 0; i < candidates.entities.size(); ++i)
      votes_.fill(candidates.entities[i], out.row(i));
  }

 private:
  FindNear find_near_;
  std::vector<NearEntity> near_;
  NeighbourVotes votes_;
};

}  // namespace

Family near_embedding_family() {
  return {"near_embedding",
          {"near_embedding_best", "near_embedding_sum", "near_embedding_share"},
          [](const Sources& sources) -> std::unique_ptr<FamilyReader> {
            return std::make_unique<NearEmbeddingReader>(sources);
          },
          {"near_embedding_sum"}};
}

}  // namespace greenkgc::evidence
