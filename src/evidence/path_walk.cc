#include "evidence/path_walk.h"

#include <algorithm>

namespace greenkgc::evidence {

void PathWalk::begin(EntityId start, DirectedRelation not_by, EntityId not_over) {
  start_ = start;
  not_by_ = not_by;
  not_over_ = not_over;
  has_first_ = false;
  has_second_ = false;
}

void PathWalk::walk_first(DirectedRelation step) {
  if (has_first_ && first_step_ == step) return;
  first_step_ = step;
  has_first_ = true;
  has_second_ = false;
  firsts_.clear();
  const Sampled<EntityId> members(graph_.members(start_, step), limits_.on_way);
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i] != start_ && !(members[i] == not_over_ && step == not_by_)) firsts_.push_back(members[i]);
  }
}

void PathWalk::walk_second(DirectedRelation step) {
  if (has_second_ && second_step_ == step) return;
  second_step_ = step;
  has_second_ = true;
  seconds_.clear();
  reached_.clear();
  for (const EntityId first : firsts_) {
    const Sampled<EntityId> members(graph_.members(first, step), limits_.members);
    for (std::size_t i = 0; i < members.size() && seconds_.size() < limits_.on_way; ++i) {
      if (members[i] == start_) continue;
      if (const std::uint32_t* place = reached_.find(index(members[i]))) {
        seconds_[*place].before = kNoEntity;
        continue;
      }
      reached_[index(members[i])] = static_cast<std::uint32_t>(seconds_.size());
      seconds_.push_back({members[i], first});
    }
  }
}

std::span<const std::uint32_t> PathWalk::ends(std::span<const DirectedRelation> body) {
  walk_first(body[0]);
  ends_.clear();
  std::size_t left = limits_.steps;
  const auto take = [&](EntityId last, EntityId before) {
    if (left == 0) return;
    const Sampled<EntityId> members(graph_.members(last, body.back()), std::min(left, limits_.members));
    left -= members.size();
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (members[i] != start_ && members[i] != last && members[i] != before) ends_[index(members[i])] = 1;
    }
  };
  if (body.size() == 2) {
    for (const EntityId first : firsts_) take(first, kNoEntity);
  } else {
    walk_second(body[1]);
    for (const Via& via : seconds_) take(via.entity, via.before);
  }
  return ends_.touched();
}

}  // namespace greenkgc::evidence
