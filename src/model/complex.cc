#include "model/kge_models.h"

namespace greenkgc::model {
namespace {

// Re <h, r, conj(t)>: as reals, t is compared with h r, and h with conj(r) t.
class ComplEx final : public KgeModel {
 public:
  std::string_view name() const override { return "complex"; }
  std::size_t entity_variables() const override { return 2; }
  std::size_t relation_variables() const override { return 2; }
  std::vector<Similarity> similarities() const override { return {Similarity::kDot}; }

  void query(Side side, std::span<const float> entity, std::span<const float> relation,
             std::span<float> q) const override {
    multiply(side, entity, relation, q);
  }
  void query(Side side, std::span<const float> entity, std::span<const float> relation,
             std::span<double> q) const override {
    multiply(side, entity, relation, q);
  }
  void gradient(Side side, std::span<const float> entity, std::span<const float> relation,
                std::span<const float> q_gradient, std::span<float> entity_gradient,
                std::span<float> relation_gradient) const override {
    // q = e r (or e conj(r)); by reals the gradients are g conj(r) and g conj(e), the latter conjugated for
    // heads.
    const std::size_t d = entity.size() / 2;
    const float sign = side == Side::kTail ? 1.0F : -1.0F;
    for (std::size_t i = 0; i < d; ++i) {
      const float er = entity[i];
      const float ei = entity[d + i];
      const float rr = relation[i];
      const float ri = sign * relation[d + i];
      const float gr = q_gradient[i];
      const float gi = q_gradient[d + i];
      entity_gradient[i] = gr * rr + gi * ri;
      entity_gradient[d + i] = gi * rr - gr * ri;
      relation_gradient[i] = gr * er + gi * ei;
      relation_gradient[d + i] = sign * (gi * er - gr * ei);
    }
  }

 private:
  template <class Real>
  static void multiply(Side side, std::span<const float> entity, std::span<const float> relation,
                       std::span<Real> q) {
    const std::size_t d = entity.size() / 2;
    const Real sign = side == Side::kTail ? 1 : -1;
    for (std::size_t i = 0; i < d; ++i) {
      const Real er = entity[i];
      const Real ei = entity[d + i];
      const Real rr = relation[i];
      const Real ri = sign * static_cast<Real>(relation[d + i]);
      q[i] = er * rr - ei * ri;
      q[d + i] = er * ri + ei * rr;
    }
  }
};

}  // namespace

const KgeModel& complex() {
  static const ComplEx model;
  return model;
}

}  // namespace greenkgc::model
