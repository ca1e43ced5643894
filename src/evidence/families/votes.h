#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace greenkgc::evidence {

// How several pieces of evidence, each a probability, speak for one candidate together.
class Votes {
 public:
  void add(float probability) {
    ++count_;
    none_ *= 1 - std::min(probability, kMost);
    for (float& best : best_) {
      if (probability > best) std::swap(probability, best);
    }
  }

  std::uint32_t count() const { return count_; }
  float strongest() const { return best_[0]; }
  float best_three() const { return best_[0] + best_[1] + best_[2]; }
  // That not all of them are wrong, were they independent: the noisy or.
  float any() const { return 1 - none_; }

 private:
  static constexpr float kMost = 0.999F;

  std::array<float, 3> best_{};
  float none_ = 1;
  std::uint32_t count_ = 0;
};

}  // namespace greenkgc::evidence
