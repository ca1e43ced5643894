#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "evidence/directed_relation.h"

namespace greenkgc::evidence {

inline constexpr std::uint32_t kShortestWalk = 2;
inline constexpr std::uint32_t kLongestWalk = 5;
inline constexpr float kWholeWeight = 65535;

// How walks of a length from the known entities of a relation to their answers go on at a place on the way:
// the weight, of kWholeWeight, with which they follow a relation. Relations have a direction as in
// model::PathRule.
struct WalkStep {
  std::uint32_t head = 0;
  std::uint32_t length = kShortestWalk;
  std::uint32_t place = 0;  // steps before
  std::uint32_t step = 0;
  std::uint32_t weight = 0;

  friend bool operator==(const WalkStep&, const WalkStep&) = default;
};

// How walks lead from the known entities of a directed relation to their answers: by the length of the walk
// and the place on the way, how likely it follows which relation; all facts of that are then as likely. The
// weights of a first step hold the share of walks of that length as well. Immutable.
class WalkSteps {
 public:
  WalkSteps() = default;
  // Throws kBadInput for a relation out of range, or a length or place that walks do not have.
  WalkSteps(std::vector<WalkStep> steps, std::uint32_t directed_count);

  std::span<const WalkStep> all() const { return steps_; }  // by head
  // None for a relation beyond the count.
  std::span<const WalkStep> of(DirectedRelation head) const;

 private:
  std::vector<WalkStep> steps_;
  std::vector<std::size_t> ends_;  // where the steps of a head begin, and one more
};

// The weights of one head, laid out by length, place and the relation that is followed.
class StepTable {
 public:
  explicit StepTable(std::uint32_t directed_count)
      : directed_count_(directed_count), weights_(kRows * std::size_t{directed_count}) {}

  void set(std::span<const WalkStep> steps);
  bool has(std::uint32_t length) const { return has_[length]; }  // some step of such walks
  std::span<float> row(std::uint32_t length, std::uint32_t place) {
    return {weights_.data() + row_of(length, place) * directed_count_, directed_count_};
  }
  std::span<const float> row(std::uint32_t length, std::uint32_t place) const {
    return {weights_.data() + row_of(length, place) * directed_count_, directed_count_};
  }

 private:
  // Lengths 2, 3, ... have so many places.
  static constexpr std::size_t row_of(std::uint32_t length, std::uint32_t place) {
    return length * (length - 1) / 2 - 1 + place;
  }
  static constexpr std::size_t kRows = kLongestWalk * (kLongestWalk + 1) / 2 - 1;

  std::size_t directed_count_;
  std::vector<float> weights_;
  std::array<bool, kLongestWalk + 1> has_{};
};

}  // namespace greenkgc::evidence
