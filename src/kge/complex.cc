#include "kge/kge_models.h"
#include "simd/vector/rows.h"

namespace greenkgc::kge {
namespace {

// Re <h, r, conj(t)>: as reals, t is compared with h r, and h with conj(r) t.
class ComplEx final : public KgeModel {
 public:
  std::string_view name() const override { return "complex"; }
  std::size_t entity_variables() const override { return 2; }
  std::size_t relation_variables() const override { return 2; }
  std::vector<Similarity> similarities() const override { return {Similarity::kDot}; }
  float neutral() const override { return 1.0F; }

  void query(Side side, std::span<const float> entity, std::span<const float> relation,
             std::span<float> q) const override {
    simd::multiply_complex(entity, relation,
                           side == Side::kTail ? simd::Conjugate::kNo : simd::Conjugate::kYes, q);
  }
  void query(Side side, std::span<const float> entity, std::span<const float> relation,
             std::span<double> q) const override {
    const std::size_t d = entity.size() / 2;
    const double sign = side == Side::kTail ? 1 : -1;
    for (std::size_t i = 0; i < d; ++i) {
      const double er = entity[i];
      const double ei = entity[d + i];
      const double rr = relation[i];
      const double ri = sign * relation[d + i];
      q[i] = er * rr - ei * ri;
      q[d + i] = er * ri + ei * rr;
    }
  }
  // q = e r (or e conj(r)): by reals the gradients are g conj(r) (g r) for e, and g conj(e) (e conj(g)) for
  // r.
  void gradient(Side side, std::span<const float> entity, std::span<const float> relation,
                std::span<const float> q_gradient, std::span<float> entity_gradient,
                std::span<float> relation_gradient) const override {
    if (side == Side::kTail) {
      simd::multiply_complex(q_gradient, relation, simd::Conjugate::kYes, entity_gradient);
      simd::multiply_complex(q_gradient, entity, simd::Conjugate::kYes, relation_gradient);
    } else {
      simd::multiply_complex(q_gradient, relation, simd::Conjugate::kNo, entity_gradient);
      simd::multiply_complex(entity, q_gradient, simd::Conjugate::kYes, relation_gradient);
    }
  }
};

}  // namespace

const KgeModel& complex() {
  static const ComplEx model;
  return model;
}

}  // namespace greenkgc::kge
