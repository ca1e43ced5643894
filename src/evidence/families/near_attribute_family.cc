#include <algorithm>
#include <cmath>

#include "evidence/families/families.h"
#include "evidence/families/neighbour_votes.h"

namespace greenkgc::evidence {
namespace {

// Work per question, as in attribute_family.cc.
constexpr std::size_t kNearAttributeMaxHoldersInAll = 100'000;
constexpr std::size_t kNearAttributeMaxCount = 500;
constexpr std::size_t kNearAttributeMaxHolders = 1000;
constexpr std::size_t kCompared = 100;   // that share most with the known entity
constexpr std::size_t kNeighbours = 40;  // the nearest of them

// What entities answer that share attributes with the known one: the rarer an attribute, the more it weighs.
// Nearness is the weight of what two share by the weight of what at least one has.
class NearAttributeReader : public FamilyReader {
 public:
  explicit NearAttributeReader(const Sources& sources)
      : shared_(sources.graph->entity_count()), votes_(*sources.graph) {}

  void ask(const QuestionView& view) override {
    view_ = &view;
    add_shared();
    choose_neighbours();
    votes_.ask(view, neighbours_);
  }
  void propose(std::size_t most, std::vector<EntityId>& out) const override { votes_.propose(most, out); }
  void fill(const CandidateList& candidates, const FeatureRows& out) override {
    for (std::size_t i = 0; i < candidates.entities.size(); ++i)
      votes_.fill(candidates.entities[i], out.row(i));
  }

 private:
  float weight(Slot attribute) const { return 1 / std::log2(1 + static_cast<float>(view_->size(attribute))); }

  void add_shared() {
    const EvidenceGraph& graph = view_->graph();
    shared_.clear();
    own_weight_ = 0;
    const Sampled<Slot> attributes(graph.attributes(view_->known()), kNearAttributeMaxCount);
    if (attributes.size() == 0) return;
    const std::size_t most_holders =
        std::min(kNearAttributeMaxHolders, kNearAttributeMaxHoldersInAll / attributes.size());
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      const Slot attribute = attributes[i];
      if (graph.owner(attribute) == view_->known() || view_->leaves_out(view_->known(), attribute)) continue;
      const float shared = weight(attribute);
      own_weight_ += shared;
      const Sampled<EntityId> holders(graph.members(attribute), most_holders);
      for (std::size_t j = 0; j < holders.size(); ++j) {
        if (holders[j] != view_->known() && view_->answer_slot(holders[j]) != kNoSlot)
          shared_[index(holders[j])] += shared;
      }
    }
  }

  void choose_neighbours() {
    BestEntities best(kCompared);
    for (const std::uint32_t e : shared_.touched()) best.add({EntityId{e}, *shared_.find(e)});
    most_alike_.clear();
    append_best(best, most_alike_);
    neighbours_.clear();
    for (const EntityId entity : most_alike_) {
      const float shared = *shared_.find(index(entity));
      neighbours_.push_back({entity, shared / (own_weight_ + weight_of(entity) - shared)});
    }
    std::ranges::sort(neighbours_, [](const NearEntity& a, const NearEntity& b) {
      return a.weight != b.weight ? a.weight > b.weight : a.entity < b.entity;
    });
    neighbours_.resize(std::min(neighbours_.size(), kNeighbours));
  }

  float weight_of(EntityId entity) const {
    const EvidenceGraph& graph = view_->graph();
    const Sampled<Slot> attributes(graph.attributes(entity), kNearAttributeMaxCount);
    float sum = 0;
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      if (!view_->leaves_out(entity, attributes[i])) sum += weight(attributes[i]);
    }
    return sum * static_cast<float>(graph.degree(entity)) / static_cast<float>(attributes.size());
  }

  const QuestionView* view_ = nullptr;
  float own_weight_ = 0;
  StampedArray<float> shared_;  // by entity
  std::vector<EntityId> most_alike_;
  std::vector<NearEntity> neighbours_;
  NeighbourVotes votes_;
};

}  // namespace

Family near_attribute_family() {
  return {"near_attribute",
          {"near_attribute_best", "near_attribute_sum", "near_attribute_share"},
          [](const Sources& sources) -> std::unique_ptr<FamilyReader> {
            return std::make_unique<NearAttributeReader>(sources);
          },
          {"near_attribute_sum"}};
}

}  // namespace greenkgc::evidence
