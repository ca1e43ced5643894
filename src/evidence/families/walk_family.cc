#include <algorithm>
#include <cmath>
#include <utility>

#include "evidence/families/families.h"
#include "evidence/stamped_array.h"
#include "evidence/walk_steps.h"

namespace greenkgc::evidence {
namespace {

// Work of one walk: entities that a step sets out from, the likeliest; and edges in all.
constexpr std::size_t kWalkMaxEntities = 500;
constexpr std::size_t kWalkMaxEdges = 10'000;
constexpr float kLeastMass = 1e-6F;  // that is followed on
constexpr std::uint32_t kLong = 4;   // steps of a walk that no rule has
// Proposed by both directions; by one alone only behind those.
constexpr float kOneWay = 1e-3F;

// How likely a walk from the known entity ends at the candidate, and one from the candidate, by the steps of
// the inverse relation, at the known entity; both together; and the same for long walks alone.
class WalkReader : public FamilyReader {
 public:
  explicit WalkReader(const Sources& sources)
      : steps_(sources.walks),
        there_(sources.graph->directed_count()),
        back_(sources.graph->directed_count()),
        cells_(sources.graph->entity_count()),
        now_(sources.graph->entity_count()),
        next_(sources.graph->entity_count()) {}

  void ask(const QuestionView& view) override {
    view_ = &view;
    cells_.clear();
    if (steps_ == nullptr) return;
    if (view.relation() != relation_) {
      relation_ = view.relation();
      there_.set(steps_->of(relation_));
      back_.set(steps_->of(inverse(relation_)));
    }
    for (std::uint32_t length = kShortestWalk; length <= kLongestWalk; ++length) {
      if (there_.has(length)) walk_there(length);
      if (back_.has(length)) walk_back(length);
    }
  }

  void propose(std::size_t most, std::vector<EntityId>& out) const override {
    const auto score = [](const Cell& cell) {
      return cell.all.both() + kOneWay * (cell.all.there + cell.all.back);
    };
    append_best_of(cells_, *view_, score, most, out);
  }

  void fill(const CandidateList& candidates, const FeatureRows& out) override {
    for (std::size_t i = 0; i < candidates.entities.size(); ++i) {
      const Cell* found = cells_.find(index(candidates.entities[i]));
      const Cell cell = found == nullptr ? Cell() : *found;
      float* row = out.row(i);
      for (const Mass& mass : {cell.all, cell.by_long}) {
        *row++ = mass.there;
        *row++ = mass.back;
        *row++ = mass.both();
      }
    }
  }

 private:
  struct Mass {
    float there = 0;
    float back = 0;

    float both() const { return std::sqrt(there * back); }
  };
  struct Cell {
    Mass all;
    Mass by_long;
  };

  void walk_there(std::uint32_t length) {
    begin();
    for (std::uint32_t place = 0; place < length; ++place) {
      const auto weights = std::as_const(there_).row(length, place);
      take_step([&](DirectedRelation relation) { return weights[index(relation)]; },
                [&](Slot from, Slot) { return view_->size(from); });
    }
    end(length, &Mass::there);
  }
  // Against the direction of the walk, from its end: a step is as likely as it is among the facts of the
  // entity that it comes from.
  void walk_back(std::uint32_t length) {
    begin();
    for (std::uint32_t place = length; place-- > 0;) {
      const auto weights = std::as_const(back_).row(length, place);
      take_step([&](DirectedRelation relation) { return weights[index(inverse(relation))]; },
                [&](Slot, Slot from) { return view_->size(from); });
    }
    end(length, &Mass::back);
  }

  void begin() {
    edges_ = 0;
    now_.clear();
    now_[index(view_->known())] = 1;
  }
  void end(std::uint32_t length, float Mass::*direction) {
    for (const std::uint32_t e : now_.touched()) {
      Cell& cell = cells_[e];
      const float mass = *now_.find(e);
      cell.all.*direction += mass;
      if (length >= kLong) cell.by_long.*direction += mass;
    }
  }

  template <class Weight, class Size>
  void take_step(const Weight& weight_of, const Size& size_of) {
    const EvidenceGraph& graph = view_->graph();
    choose_from();
    next_.clear();
    for (const EntityId entity : from_) {
      const float mass = *now_.find(index(entity));
      const SlotRange slots = graph.slots(entity);
      for (std::uint32_t s = slots.first; s < slots.last; ++s) {
        const float onward = mass * weight_of(graph.relation(Slot{s}));
        if (onward < kLeastMass) continue;
        const auto members = graph.members(Slot{s});
        edges_ += members.size();
        if (edges_ > kWalkMaxEdges) break;
        const auto backs = graph.attributes(Slot{s});
        for (std::size_t i = 0; i < members.size(); ++i) {
          if (members[i] == view_->known() || view_->leaves_out(entity, backs[i])) continue;
          next_[index(members[i])] += onward / static_cast<float>(size_of(Slot{s}, backs[i]));
        }
      }
    }
    std::swap(now_, next_);
  }
  void choose_from() {
    from_.clear();
    if (now_.touched().size() <= kWalkMaxEntities) {
      for (const std::uint32_t e : now_.touched()) from_.push_back(EntityId{e});
      return;
    }
    likeliest_.clear();
    for (const std::uint32_t e : now_.touched()) likeliest_.add({EntityId{e}, *now_.find(e)});
    append_best(likeliest_, from_);
  }

  const WalkSteps* steps_;
  const QuestionView* view_ = nullptr;
  DirectedRelation relation_{0xFFFFFFFF};
  StepTable there_;
  StepTable back_;
  StampedArray<Cell> cells_;  // by candidate
  std::size_t edges_ = 0;     // of this walk
  StampedArray<float> now_;   // by entity
  StampedArray<float> next_;
  BestEntities likeliest_{kWalkMaxEntities};
  std::vector<EntityId> from_;
};

}  // namespace

Family walk_family() {
  return {"walk",
          {"walk_there", "walk_back", "walk_both", "walk_long_there", "walk_long_back", "walk_long_both"},
          [](const Sources& sources) -> std::unique_ptr<FamilyReader> {
            return std::make_unique<WalkReader>(sources);
          },
          {"walk_there", "walk_back", "walk_both"},
          true};
}

}  // namespace greenkgc::evidence
