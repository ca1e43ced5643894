#include "simd/vector/logistic.h"

#include <algorithm>
#include <numbers>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/vector/logistic.cc"
#include <hwy/foreach_target.h>  // must come before highway.h

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace greenkgc::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::ScalableTag<double>;
using Halves = hn::Rebind<float, Doubles>;  // as many floats as there are doubles in a vector
using Vector = hn::Vec<Doubles>;

// Factors of at most 2 that can be multiplied before their logarithm must be taken: 2^1000 is finite.
constexpr std::size_t kFactors = 1000;

template <std::size_t kVariables>
class LogisticAccumulator {
 public:
  explicit LogisticAccumulator(const double* weights) : product_(hn::Set(d_, 1.0)) {
    for (std::size_t v = 0; v < kVariables; ++v) {
      weights_[v] = hn::Set(d_, weights[v]);
      gradient_[v] = hn::Zero(d_);
    }
    for (Vector& sum : hessian_) sum = hn::Zero(d_);
    loss_ = hn::Zero(d_);
  }

  // One vector of samples of the same label. The loss is softplus(-z) of positives, softplus(z) of negatives;
  // softplus(z) = max(z, 0) + log(1 + e^-|z|), of which the logarithms are taken of products.
  HWY_INLINE void add(const std::array<const float*, kMostVariables>& columns, std::size_t at, double label) {
    Vector x[kVariables];
    Vector z = hn::Zero(d_);
    for (std::size_t v = 0; v < kVariables; ++v) {
      x[v] = hn::PromoteTo(d_, hn::LoadU(Halves{}, columns[v] + at));
      z = hn::MulAdd(weights_[v], x[v], z);
    }
    const Vector one = hn::Set(d_, 1.0);
    const Vector e = hn::Exp(d_, hn::Neg(hn::Abs(z)));
    const Vector factor = hn::Add(one, e);
    const Vector inverse = hn::Div(one, factor);
    const Vector residual =
        hn::Sub(hn::Mul(hn::IfThenElse(hn::Ge(z, hn::Zero(d_)), one, e), inverse), hn::Set(d_, label));
    const Vector curvature = hn::Mul(hn::Mul(e, inverse), inverse);
    loss_ = hn::Add(loss_, hn::Max(label > 0 ? hn::Neg(z) : z, hn::Zero(d_)));
    product_ = hn::Mul(product_, factor);
    if (++factors_ == kFactors) take_logarithm();
    std::size_t h = 0;
    for (std::size_t v = 0; v < kVariables; ++v) {
      gradient_[v] = hn::MulAdd(residual, x[v], gradient_[v]);
      const Vector scaled = hn::Mul(curvature, x[v]);
      for (std::size_t u = 0; u <= v; ++u, ++h) hessian_[h] = hn::MulAdd(scaled, x[u], hessian_[h]);
    }
  }

  // A part of a vector: what is missing counts as samples of zeros, whose loss of log 2 is taken back.
  void add_tail(const std::array<const float*, kMostVariables>& columns, std::size_t at, std::size_t count,
                double label) {
    HWY_ALIGN float padded[kMostVariables][hn::MaxLanes(Doubles{})] = {};
    std::array<const float*, kMostVariables> rows = {};
    for (std::size_t v = 0; v < kVariables; ++v) {
      std::copy_n(columns[v] + at, count, padded[v]);
      rows[v] = padded[v];
    }
    add(rows, 0, label);
    padding_ += hn::Lanes(d_) - count;
  }

  LogisticSums sums() {
    take_logarithm();
    LogisticSums result;
    result.loss = total(loss_) - static_cast<double>(padding_) * std::numbers::ln2;
    for (std::size_t v = 0; v < kVariables; ++v) result.gradient[v] = total(gradient_[v]);
    for (std::size_t h = 0; h < kPairs; ++h) result.hessian[h] = total(hessian_[h]);
    return result;
  }

 private:
  static constexpr std::size_t kPairs = kVariables * (kVariables + 1) / 2;

  double total(Vector sum) const { return hn::GetLane(hn::SumOfLanes(d_, sum)); }
  void take_logarithm() {
    loss_ = hn::Add(loss_, hn::Log(d_, product_));
    product_ = hn::Set(d_, 1.0);
    factors_ = 0;
  }

  const Doubles d_;
  Vector weights_[kVariables];
  Vector gradient_[kVariables];
  Vector hessian_[kPairs];
  Vector loss_;
  Vector product_;
  std::size_t factors_ = 0;
  std::size_t padding_ = 0;
};

template <std::size_t kVariables>
LogisticSums sums_of(const LabelledColumns& samples, const double* weights) {
  LogisticAccumulator<kVariables> accumulator(weights);
  const std::size_t lanes = hn::Lanes(Doubles{});
  const auto add_range = [&](std::size_t begin, std::size_t end, double label) {
    std::size_t i = begin;
    for (; i + lanes <= end; i += lanes) accumulator.add(samples.columns, i, label);
    if (i < end) accumulator.add_tail(samples.columns, i, end - i, label);
  };
  add_range(0, samples.positives, 1);
  add_range(samples.positives, samples.positives + samples.negatives, 0);
  return accumulator.sums();
}

LogisticSums logistic_sums(const LabelledColumns& samples, const double* weights) {
  switch (samples.variables) {
    case 1:
      return sums_of<1>(samples, weights);
    case 2:
      return sums_of<2>(samples, weights);
    case 3:
      return sums_of<3>(samples, weights);
    case 4:
      return sums_of<4>(samples, weights);
    case 5:
      return sums_of<5>(samples, weights);
    default:
      return sums_of<6>(samples, weights);
  }
}

// One vector of samples.
template <class D>
HWY_INLINE void project_at(D d, const LabelledColumns& samples, const double* weights, std::size_t i,
                           double* projections) {
  hn::Vec<D> z = hn::Zero(d);
  for (std::size_t v = 0; v < samples.variables; ++v) {
    const auto x = hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, D>{}, samples.columns[v] + i));
    z = hn::MulAdd(hn::Set(d, weights[v]), x, z);
  }
  hn::StoreU(z, d, projections + i);
}

// The tail is rounded as the rest is: samples of equal variables have equal projections.
void project(const LabelledColumns& samples, const double* weights, double* projections, std::size_t n) {
  const std::size_t lanes = hn::Lanes(Doubles{});
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) project_at(Doubles{}, samples, weights, i, projections);
  for (; i < n; ++i) project_at(hn::CappedTag<double, 1>{}, samples, weights, i, projections);
}

}  // namespace greenkgc::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greenkgc::simd {

HWY_EXPORT(logistic_sums);
HWY_EXPORT(project);

LogisticSums logistic_sums(const LabelledColumns& samples, std::span<const double> weights) {
  return HWY_DYNAMIC_DISPATCH(logistic_sums)(samples, weights.data());
}

void project(const LabelledColumns& samples, std::span<const double> weights, std::span<double> projections) {
  HWY_DYNAMIC_DISPATCH(project)(samples, weights.data(), projections.data(), projections.size());
}

}  // namespace greenkgc::simd
#endif
