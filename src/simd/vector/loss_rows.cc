#include "simd/vector/loss_rows.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/vector/loss_rows.cc"
#include <hwy/foreach_target.h>  // must come before highway.h

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace greenkgc::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;

// Calls body(tag, i) for whole vectors, then with a tag of one lane for what is left, so that the tail
// computes exactly what the vectors do.
template <class Body>
HWY_INLINE void for_each(std::size_t n, Body body) {
  const Floats d;
  const hn::CappedTag<float, 1> one;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) body(d, i);
  for (; i < n; ++i) body(one, i);
}

float max_of(const float* x, std::size_t n) {
  float most = kMaskedScore;
  for_each(n, [&](auto d, std::size_t i) {
    most = std::max(most, hn::GetLane(hn::MaxOfLanes(d, hn::LoadU(d, x + i))));
  });
  return most;
}

// A derivative that is not negative, or 0 where it is too small to matter: products of what is left stay
// clear of denormal numbers, which make a matrix product ten times as slow.
template <class D>
HWY_INLINE hn::Vec<D> notable(D d, hn::Vec<D> derivative) {
  return hn::IfThenElseZero(hn::Ge(derivative, hn::Set(d, 1e-25F)), derivative);
}

// out_i = exp(scale * (x_i - shift)), and their sum. Masked scores give 0.
float exp_row(const float* x, std::size_t n, float scale, float shift, float* out) {
  float total = 0;
  for_each(n, [&](auto d, std::size_t i) {
    const auto e = hn::Exp(d, hn::Mul(hn::Set(d, scale), hn::Sub(hn::LoadU(d, x + i), hn::Set(d, shift))));
    hn::StoreU(e, d, out + i);
    total += hn::GetLane(hn::SumOfLanes(d, e));
  });
  return total;
}

RowLoss self_adversarial_row(const float* scores, std::size_t n, float positive, float weight,
                             SelfAdversarial loss, float* derivatives) {
  const float most = max_of(scores, n);
  const float total = exp_row(scores, n, loss.temperature, most, derivatives);
  const float half = 0.5F * weight;
  const float scale = most > kMaskedScore / 2 ? half / total : 0.0F;  // all masked: nothing to push away
  float negatives = 0;
  for_each(n, [&](auto d, std::size_t i) {
    const auto one = hn::Set(d, 1.0F);
    const auto f = hn::Add(hn::LoadU(d, scores + i), hn::Set(d, loss.margin));
    const auto e = hn::Exp(d, hn::Neg(hn::Abs(f)));
    const auto sigma = hn::Div(hn::IfThenElse(hn::Ge(f, hn::Zero(d)), one, e), hn::Add(one, e));
    const auto softplus = hn::Add(hn::Max(f, hn::Zero(d)), hn::Log1p(d, e));
    const auto p = hn::Mul(hn::Set(d, scale), hn::LoadU(d, derivatives + i));
    negatives += hn::GetLane(hn::SumOfLanes(d, hn::Mul(p, softplus)));
    hn::StoreU(notable(d, hn::Mul(p, sigma)), d, derivatives + i);
  });
  const float f = positive + loss.margin;
  const float e = std::exp(-std::abs(f));
  const float one_minus_sigma = (f >= 0 ? e : 1.0F) / (1.0F + e);
  return {negatives + half * (std::max(-f, 0.0F) + std::log1p(e)), -half * one_minus_sigma};
}

RowLoss softmax_row(const float* scores, std::size_t n, float positive, float weight, float shift,
                    float* derivatives) {
  const float most = std::max(positive, max_of(scores, n) + shift);
  const float negatives = exp_row(scores, n, 1.0F, most - shift, derivatives);
  const float own = std::exp(positive - most);
  const float scale = weight / (negatives + own);
  for_each(n, [&](auto d, std::size_t i) {
    hn::StoreU(notable(d, hn::Mul(hn::Set(d, scale), hn::LoadU(d, derivatives + i))), d, derivatives + i);
  });
  return {weight * (std::log(negatives + own) + most - positive), -negatives * scale};
}

void negative_squared_distances(float* products, std::size_t n, float query_norm, const float* norms) {
  for_each(n, [&](auto d, std::size_t i) {
    const auto product = hn::LoadU(d, products + i);
    const auto score =
        hn::Sub(hn::Add(product, product), hn::Add(hn::Set(d, query_norm), hn::LoadU(d, norms + i)));
    hn::StoreU(hn::Min(score, hn::Zero(d)), d, products + i);
  });
}

void negative_distances(float* products, std::size_t n, float query_norm, const float* norms) {
  negative_squared_distances(products, n, query_norm, norms);
  for_each(n, [&](auto d, std::size_t i) {
    hn::StoreU(hn::Neg(hn::Sqrt(hn::Sub(hn::Set(d, 1e-9F), hn::LoadU(d, products + i)))), d, products + i);
  });
}

void divide_by_distances(float* derivatives, std::size_t n, const float* scores) {
  for_each(n, [&](auto d, std::size_t i) {
    hn::StoreU(hn::Div(hn::LoadU(d, derivatives + i), hn::Neg(hn::LoadU(d, scores + i))), d, derivatives + i);
  });
}

float sum(const float* x, std::size_t n) {
  float total = 0;
  for_each(n, [&](auto d, std::size_t i) { total += hn::GetLane(hn::SumOfLanes(d, hn::LoadU(d, x + i))); });
  return total;
}

}  // namespace greenkgc::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greenkgc::simd {

HWY_EXPORT(self_adversarial_row);
HWY_EXPORT(softmax_row);
HWY_EXPORT(negative_squared_distances);
HWY_EXPORT(negative_distances);
HWY_EXPORT(divide_by_distances);
HWY_EXPORT(sum);

RowLoss self_adversarial_row(std::span<const float> scores, float positive, float weight,
                             SelfAdversarial loss, std::span<float> derivatives) {
  return HWY_DYNAMIC_DISPATCH(self_adversarial_row)(scores.data(), scores.size(), positive, weight, loss,
                                                    derivatives.data());
}

RowLoss softmax_row(std::span<const float> scores, float positive, float weight, float shift,
                    std::span<float> derivatives) {
  return HWY_DYNAMIC_DISPATCH(softmax_row)(scores.data(), scores.size(), positive, weight, shift,
                                           derivatives.data());
}

void negative_squared_distances(std::span<float> products, float query_norm, std::span<const float> norms) {
  HWY_DYNAMIC_DISPATCH(negative_squared_distances)
  (products.data(), products.size(), query_norm, norms.data());
}

void negative_distances(std::span<float> products, float query_norm, std::span<const float> norms) {
  HWY_DYNAMIC_DISPATCH(negative_distances)(products.data(), products.size(), query_norm, norms.data());
}

void divide_by_distances(std::span<float> derivatives, std::span<const float> scores) {
  HWY_DYNAMIC_DISPATCH(divide_by_distances)(derivatives.data(), derivatives.size(), scores.data());
}

float sum(std::span<const float> values) {
  return HWY_DYNAMIC_DISPATCH(sum)(values.data(), values.size());
}

}  // namespace greenkgc::simd
#endif
