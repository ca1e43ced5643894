#include <algorithm>

#include "evidence/families/families.h"
#include "evidence/families/votes.h"
#include "evidence/sampled.h"

namespace greenkgc::evidence {
namespace {

constexpr std::size_t kMostMembers = 256;  // proposed of one link

// Facts between the known entity and the candidate, by the confidence of the rules of length 1: the
// strongest, any, and how many there are.
class LinkReader : public FamilyReader {
 public:
  explicit LinkReader(const Sources& sources) : rules_(sources.rules) {}

  void ask(const QuestionView& view) override {
    view_ = &view;
    links_.clear();
    if (rules_ == nullptr) return;
    for (const DirectedRule& rule : rules_->of(view.relation(), 1)) {
      const Slot slot = view.graph().find(view.known(), rule.body[0]);
      if (slot != kNoSlot) links_.push_back({slot, confidence(rule.from_known)});
    }
    std::ranges::stable_sort(links_, std::greater<>(), [](const Link& l) { return l.strength; });
  }

  void propose(std::size_t most, std::vector<EntityId>& out) const override {
    const std::size_t end = out.size() + most;
    for (const Link& link : links_) {
      const Sampled<EntityId> members(view_->graph().members(link.slot), kMostMembers);
      for (std::size_t i = 0; i < members.size() && out.size() < end; ++i) {
        if (!view_->is_answer(members[i]) && !is_left_out(link, members[i])) out.push_back(members[i]);
      }
    }
  }

  void fill(const CandidateList& candidates, const FeatureRows& out) override {
    for (std::size_t i = 0; i < candidates.entities.size(); ++i) {
      const EntityId candidate = candidates.entities[i];
      Votes votes;
      for (const Link& link : links_) {
        const auto members = view_->graph().members(link.slot);
        if (std::binary_search(members.begin(), members.end(), candidate) && !is_left_out(link, candidate))
          votes.add(link.strength);
      }
      out.row(i)[0] = votes.strongest();
      out.row(i)[1] = votes.any();
      out.row(i)[2] = static_cast<float>(votes.count());
    }
  }

 private:
  struct Link {
    Slot slot;
    float strength;
  };

  bool is_left_out(const Link& link, EntityId member) const {
    return view_->leaves_out(view_->graph().relation(link.slot), member);
  }

  const RuleSet* rules_;
  const QuestionView* view_ = nullptr;
  std::vector<Link> links_;  // of the known entity, the most confident first
};

}  // namespace

Family link_family() {
  return {"link",
          {"link_best", "link_any", "link_count"},
          [](const Sources& sources) -> std::unique_ptr<FamilyReader> {
            return std::make_unique<LinkReader>(sources);
          },
          {},
          true};
}

}  // namespace greenkgc::evidence
