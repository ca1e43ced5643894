#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace greenkgc::structure {

// How several pieces of evidence, each a probability, speak for one candidate together.
class Votes {
 public:
  // A probability that is added often, with its logarithm taken once.
  struct Vote {
    explicit Vote(float p) : probability(p), log_not(std::log1p(-std::fmin(p, kMost))) {}
    float probability;
    float log_not;
  };

  void add(float probability) { add(Vote(probability)); }
  void add(const Vote& vote) {
    ++count_;
    log_none_ += vote.log_not;
    float probability = vote.probability;
    for (float& best : best_) {
      if (probability > best) std::swap(probability, best);
    }
  }

  std::uint32_t count() const { return count_; }
  float strongest() const { return best_[0]; }
  float best_three() const { return best_[0] + best_[1] + best_[2]; }
  // That not all of them are wrong, were they independent: the noisy or.
  float any() const { return -std::expm1(log_none_); }

 private:
  static constexpr float kMost = 0.999F;

  std::array<float, 3> best_{};
  float log_none_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace greenkgc::structure
