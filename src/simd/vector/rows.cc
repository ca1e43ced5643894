#include "simd/vector/rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/vector/rows.cc"
#include <hwy/foreach_target.h>  // must come before highway.h

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace greenkgc::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;

// Calls vector(i) for whole vectors and tail(i) for what is left.
template <class Vector, class Tail>
HWY_INLINE void for_each_lane(std::size_t n, Vector vector, Tail tail) {
  const std::size_t lanes = hn::Lanes(Floats{});
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) vector(i);
  for (; i < n; ++i) tail(i);
}

float dot(const float* a, const float* b, std::size_t n) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  // Four sums hide the latency of FMA (4 cycles, one or two a cycle).
  auto s0 = hn::Zero(d);
  auto s1 = s0;
  auto s2 = s0;
  auto s3 = s0;
  std::size_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    s0 = hn::MulAdd(hn::LoadU(d, a + i), hn::LoadU(d, b + i), s0);
    s1 = hn::MulAdd(hn::LoadU(d, a + i + lanes), hn::LoadU(d, b + i + lanes), s1);
    s2 = hn::MulAdd(hn::LoadU(d, a + i + 2 * lanes), hn::LoadU(d, b + i + 2 * lanes), s2);
    s3 = hn::MulAdd(hn::LoadU(d, a + i + 3 * lanes), hn::LoadU(d, b + i + 3 * lanes), s3);
  }
  for (; i + lanes <= n; i += lanes) s0 = hn::MulAdd(hn::LoadU(d, a + i), hn::LoadU(d, b + i), s0);
  float sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(s0, s1), hn::Add(s2, s3))));
  for (; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

float squared_distance(const float* a, const float* b, std::size_t n) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  auto s0 = hn::Zero(d);
  auto s1 = s0;
  std::size_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    const auto d0 = hn::Sub(hn::LoadU(d, a + i), hn::LoadU(d, b + i));
    const auto d1 = hn::Sub(hn::LoadU(d, a + i + lanes), hn::LoadU(d, b + i + lanes));
    s0 = hn::MulAdd(d0, d0, s0);
    s1 = hn::MulAdd(d1, d1, s1);
  }
  float sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(s0, s1)));
  for (; i < n; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

void add_scaled(float* y, float scale, const float* x, std::size_t n) {
  const Floats d;
  const auto factor = hn::Set(d, scale);
  for_each_lane(
      n,
      [&](std::size_t i) {
        hn::StoreU(hn::MulAdd(factor, hn::LoadU(d, x + i), hn::LoadU(d, y + i)), d, y + i);
      },
      [&](std::size_t i) { y[i] += scale * x[i]; });
}

void set_combination(float* y, float a, const float* u, float b, const float* v, std::size_t n) {
  const Floats d;
  const auto wide_a = hn::Set(d, a);
  const auto wide_b = hn::Set(d, b);
  for_each_lane(
      n,
      [&](std::size_t i) {
        const auto second = hn::Mul(wide_b, hn::LoadU(d, v + i));
        hn::StoreU(hn::MulAdd(wide_a, hn::LoadU(d, u + i), second), d, y + i);
      },
      [&](std::size_t i) { y[i] = a * u[i] + b * v[i]; });
}

void add_combination(float* y, float a, const float* u, float b, const float* v, std::size_t n) {
  const Floats d;
  const auto wide_a = hn::Set(d, a);
  const auto wide_b = hn::Set(d, b);
  for_each_lane(
      n,
      [&](std::size_t i) {
        const auto first = hn::MulAdd(wide_a, hn::LoadU(d, u + i), hn::LoadU(d, y + i));
        hn::StoreU(hn::MulAdd(wide_b, hn::LoadU(d, v + i), first), d, y + i);
      },
      [&](std::size_t i) { y[i] += a * u[i] + b * v[i]; });
}

void multiply_complex(const float* a, const float* b, bool conjugate, float* out, std::size_t dims) {
  const Floats d;
  const float sign = conjugate ? -1.0F : 1.0F;
  const auto wide_sign = hn::Set(d, sign);
  for_each_lane(
      dims,
      [&](std::size_t i) {
        const auto ar = hn::LoadU(d, a + i);
        const auto ai = hn::LoadU(d, a + dims + i);
        const auto br = hn::LoadU(d, b + i);
        const auto bi = hn::Mul(wide_sign, hn::LoadU(d, b + dims + i));
        hn::StoreU(hn::NegMulAdd(ai, bi, hn::Mul(ar, br)), d, out + i);
        hn::StoreU(hn::MulAdd(ai, br, hn::Mul(ar, bi)), d, out + dims + i);
      },
      [&](std::size_t i) {
        const float ar = a[i];
        const float ai = a[dims + i];
        const float br = b[i];
        const float bi = sign * b[dims + i];
        out[i] = ar * br - ai * bi;
        out[dims + i] = ar * bi + ai * br;
      });
}

void imaginary_product(const float* a, const float* b, float scale, float* out, std::size_t dims) {
  const Floats d;
  const auto wide_scale = hn::Set(d, scale);
  for_each_lane(
      dims,
      [&](std::size_t i) {
        const auto first = hn::Mul(hn::LoadU(d, a + i), hn::LoadU(d, b + dims + i));
        const auto cross = hn::NegMulAdd(hn::LoadU(d, a + dims + i), hn::LoadU(d, b + i), first);
        hn::StoreU(hn::Mul(wide_scale, cross), d, out + i);
      },
      [&](std::size_t i) { out[i] = scale * (a[i] * b[dims + i] - a[dims + i] * b[i]); });
}

void sin_cos(const float* angle, float* sine, float* cosine, std::size_t n) {
  const Floats d;
  const hn::CappedTag<float, 1> one;
  for_each_lane(
      n,
      [&](std::size_t i) {
        const auto x = hn::LoadU(d, angle + i);
        hn::StoreU(hn::Sin(d, x), d, sine + i);
        hn::StoreU(hn::Cos(d, x), d, cosine + i);
      },
      [&](std::size_t i) {
        const auto x = hn::LoadU(one, angle + i);
        hn::StoreU(hn::Sin(one, x), one, sine + i);
        hn::StoreU(hn::Cos(one, x), one, cosine + i);
      });
}

// 1 / sqrt(x) by the processor's estimate (12 or 14 bits) and a Newton step: a fourth of the time of a root
// and a division.
template <class D>
HWY_INLINE hn::Vec<D> inverse_root(D d, hn::Vec<D> x) {
  const auto estimate = hn::ApproximateReciprocalSqrt(x);
  const auto half_x = hn::Mul(hn::Set(d, 0.5F), x);
  return hn::Mul(estimate, hn::NegMulAdd(hn::Mul(half_x, estimate), estimate, hn::Set(d, 1.5F)));
}

void adagrad_step(float* weights, float* accumulated, const float* gradient, float rate, std::size_t n) {
  const auto step = [&](auto d, std::size_t i) {
    const auto g = hn::LoadU(d, gradient + i);
    const auto sum = hn::MulAdd(g, g, hn::LoadU(d, accumulated + i));
    hn::StoreU(sum, d, accumulated + i);
    const auto inverse = inverse_root(d, hn::Add(sum, hn::Set(d, 1e-20F)));
    const auto change = hn::Mul(hn::Mul(hn::Set(d, rate), g), inverse);
    hn::StoreU(hn::Sub(hn::LoadU(d, weights + i), change), d, weights + i);
  };
  for_each_lane(
      n, [&](std::size_t i) { step(Floats{}, i); },
      [&](std::size_t i) { step(hn::CappedTag<float, 1>{}, i); });
}

}  // namespace greenkgc::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greenkgc::simd {

HWY_EXPORT(dot);
HWY_EXPORT(squared_distance);
HWY_EXPORT(add_scaled);
HWY_EXPORT(set_combination);
HWY_EXPORT(add_combination);
HWY_EXPORT(multiply_complex);
HWY_EXPORT(imaginary_product);
HWY_EXPORT(sin_cos);
HWY_EXPORT(adagrad_step);

float dot(std::span<const float> a, std::span<const float> b) {
  return HWY_DYNAMIC_DISPATCH(dot)(a.data(), b.data(), a.size());
}

float squared_distance(std::span<const float> a, std::span<const float> b) {
  return HWY_DYNAMIC_DISPATCH(squared_distance)(a.data(), b.data(), a.size());
}

void add_scaled(std::span<float> y, float scale, std::span<const float> x) {
  HWY_DYNAMIC_DISPATCH(add_scaled)(y.data(), scale, x.data(), y.size());
}

void set_combination(std::span<float> y, float a, std::span<const float> u, float b,
                     std::span<const float> v) {
  HWY_DYNAMIC_DISPATCH(set_combination)(y.data(), a, u.data(), b, v.data(), y.size());
}

void add_combination(std::span<float> y, float a, std::span<const float> u, float b,
                     std::span<const float> v) {
  HWY_DYNAMIC_DISPATCH(add_combination)(y.data(), a, u.data(), b, v.data(), y.size());
}

void multiply_complex(std::span<const float> a, std::span<const float> b, Conjugate conjugate,
                      std::span<float> out) {
  HWY_DYNAMIC_DISPATCH(multiply_complex)
  (a.data(), b.data(), conjugate == Conjugate::kYes, out.data(), out.size() / 2);
}

void imaginary_product(std::span<const float> a, std::span<const float> b, float scale,
                       std::span<float> out) {
  HWY_DYNAMIC_DISPATCH(imaginary_product)(a.data(), b.data(), scale, out.data(), out.size());
}

void sin_cos(std::span<const float> angle, std::span<float> sine, std::span<float> cosine) {
  HWY_DYNAMIC_DISPATCH(sin_cos)(angle.data(), sine.data(), cosine.data(), angle.size());
}

void adagrad_step(std::span<float> weights, std::span<float> accumulated, std::span<const float> gradient,
                  float rate) {
  HWY_DYNAMIC_DISPATCH(adagrad_step)
  (weights.data(), accumulated.data(), gradient.data(), rate, weights.size());
}

}  // namespace greenkgc::simd
#endif
