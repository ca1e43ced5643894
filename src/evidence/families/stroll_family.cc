#include <algorithm>
#include <cmath>
#include <utility>

#include "evidence/families/families.h"
#include "evidence/stamped_array.h"

namespace greenkgc::evidence {
namespace {

constexpr std::uint32_t kSteps = 5;
// Work of a step: entities that it sets out from, the likeliest, and their edges.
constexpr std::size_t kStrollMaxEntities = 1000;
constexpr std::size_t kStrollMaxEdges = 10'000;

// Walks without an aim: at each step one of the entity's relations, then one of its facts, all as likely. In
// how few steps one leads from the known entity to the candidate; how often it passes there; how often one
// from the candidate passes the known entity; and both together.
class StrollReader : public FamilyReader {
 public:
  explicit StrollReader(const Sources& sources)
      : cells_(sources.graph->entity_count()),
        now_(sources.graph->entity_count()),
        next_(sources.graph->entity_count()) {}

  void ask(const QuestionView& view) override {
    view_ = &view;
    cells_.clear();
    now_.clear();
    now_[index(view.known())] = {1, 1};
    for (std::uint32_t step = 1; step <= kSteps; ++step) take_step(step);
  }

  void propose(std::size_t most, std::vector<EntityId>& out) const override {
    BestEntities best(most);
    for (const std::uint32_t c : cells_.touched()) {
      if (EntityId{c} != view_->known() && !view_->is_answer(EntityId{c}))
        best.add({EntityId{c}, cells_.find(c)->passes.both()});
    }
    append_best(best, out);
  }

  void fill(const CandidateList& candidates, const FeatureRows& out) override {
    for (std::size_t i = 0; i < candidates.entities.size(); ++i) {
      const Cell* found = cells_.find(index(candidates.entities[i]));
      const Cell cell = found == nullptr ? Cell() : *found;
      float* row = out.row(i);
      row[0] = static_cast<float>(cell.steps);
      row[1] = cell.passes.there;
      row[2] = cell.passes.back;
      row[3] = cell.passes.both();
    }
  }

 private:
  struct Mass {
    float there = 0;
    float back = 0;

    float both() const { return std::sqrt(there * back); }
  };
  struct Cell {
    std::uint32_t steps = 0;
    Mass passes;
  };

  void take_step(std::uint32_t step) {
    likeliest_.clear();
    for (const std::uint32_t e : now_.touched()) {
      const Mass& mass = *now_.find(e);
      likeliest_.add({EntityId{e}, mass.there + mass.back});
    }
    from_.clear();
    append_best(likeliest_, from_);
    next_.clear();
    std::size_t edges = 0;
    for (const EntityId entity : from_) {
      edges += view_->graph().degree(entity);
      if (edges > kStrollMaxEdges) break;
      leave(entity, *now_.find(index(entity)));
    }
    for (const std::uint32_t e : next_.touched()) {
      const Mass& mass = *next_.find(e);
      Cell& cell = cells_[e];
      if (cell.steps == 0) cell.steps = step;
      cell.passes.there += mass.there;
      cell.passes.back += mass.back;
    }
    std::swap(now_, next_);
  }

  void leave(EntityId entity, const Mass& mass) {
    const EvidenceGraph& graph = view_->graph();
    const SlotRange slots = graph.slots(entity);
    const float relations = relation_count(entity);
    for (std::uint32_t s = slots.first; s < slots.last; ++s) {
      const auto members = graph.members(Slot{s});
      const auto backs = graph.attributes(Slot{s});
      const float there = mass.there / (relations * static_cast<float>(view_->size(Slot{s})));
      for (std::size_t i = 0; i < members.size(); ++i) {
        if (view_->leaves_out(entity, backs[i]) || view_->leaves_out(members[i], Slot{s})) continue;
        Mass& next = next_[index(members[i])];
        next.there += there;
        next.back += mass.back / (relation_count(members[i]) * static_cast<float>(view_->size(backs[i])));
      }
    }
  }
  // That it has facts of; at least 1.
  float relation_count(EntityId entity) const {
    const std::uint32_t count = view_->graph().slots(entity).size();
    return static_cast<float>(count > 1 ? count - view_->lost_relations(entity) : 1);
  }

  const QuestionView* view_ = nullptr;
  StampedArray<Cell> cells_;  // by candidate
  StampedArray<Mass> now_;    // by entity
  StampedArray<Mass> next_;
  BestEntities likeliest_{kStrollMaxEntities};
  std::vector<EntityId> from_;
};

}  // namespace

Family stroll_family() {
  return {"stroll",
          {"stroll_steps", "stroll_there", "stroll_back", "stroll_both"},
          [](const Sources& sources) -> std::unique_ptr<FamilyReader> {
            return std::make_unique<StrollReader>(sources);
          },
          {"stroll_there", "stroll_back", "stroll_both"},
          true};
}

}  // namespace greenkgc::evidence
