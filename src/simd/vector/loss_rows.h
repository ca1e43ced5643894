#pragma once

#include <span>

namespace greenkgc::simd {

// The losses of embedding training for one query against shared negatives, by SIMD: from scores to the loss
// and its derivative by each score. All spans of a call have the same length.

// The score of a negative that does not count (a known fact); its derivative is 0.
inline constexpr float kMaskedScore = -1e30F;

struct RowLoss {
  float loss;                 // times weight
  float positive_derivative;  // by the positive score, times weight; never positive
};

// Self-adversarial negative sampling (paper, appendix): with f = margin + score,
//   1/2 (-log sigma(f+) - sum_i p_i log sigma(-f_i)),  p = softmax(temperature * f_i), taken as constant.
// Writes the derivatives by the negatives' scores, times weight; they are not negative.
struct SelfAdversarial {
  float margin;
  float temperature;
};
RowLoss self_adversarial_row(std::span<const float> scores, float positive, float weight,
                             SelfAdversarial loss, std::span<float> derivatives);

// Softmax over the positive and the negatives, each negative standing for exp(shift) entities:
//   -log(e^s+ / (e^s+ + sum_i e^(s_i + shift))).
RowLoss softmax_row(std::span<const float> scores, float positive, float weight, float shift,
                    std::span<float> derivatives);

// Dot products become scores, in place: -|q - c|^2 = 2 qc - |q|^2 - |c|^2. Clamped at 0, since rounding can
// go beyond.
void negative_squared_distances(std::span<float> products, float query_norm, std::span<const float> norms);
// The same with a root: -sqrt(|q - c|^2 + 1e-9).
void negative_distances(std::span<float> products, float query_norm, std::span<const float> norms);
// derivatives_j /= -scores_j, for scores from negative_distances(): the derivative by half the squared
// distance.
void divide_by_distances(std::span<float> derivatives, std::span<const float> scores);

float sum(std::span<const float> values);

}  // namespace greenkgc::simd
