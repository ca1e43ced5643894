#include "kge/kge_models.h"

namespace greenkgc::kge {
namespace {

// <h, r, t>: the same for both sides.
class DistMult final : public KgeModel {
 public:
  std::string_view name() const override { return "distmult"; }
  std::size_t entity_variables() const override { return 1; }
  std::size_t relation_variables() const override { return 1; }
  std::vector<Similarity> similarities() const override { return {Similarity::kDot}; }
  float neutral() const override { return 1.0F; }

  void query(Side, std::span<const float> entity, std::span<const float> relation,
             std::span<float> q) const override {
    multiply(entity, relation, q);
  }
  void query(Side, std::span<const float> entity, std::span<const float> relation,
             std::span<double> q) const override {
    multiply(entity, relation, q);
  }
  void gradient(Side, std::span<const float> entity, std::span<const float> relation,
                std::span<const float> q_gradient, std::span<float> entity_gradient,
                std::span<float> relation_gradient) const override {
    for (std::size_t i = 0; i < q_gradient.size(); ++i) {
      entity_gradient[i] = q_gradient[i] * relation[i];
      relation_gradient[i] = q_gradient[i] * entity[i];
    }
  }

 private:
  template <class Real>
  static void multiply(std::span<const float> entity, std::span<const float> relation, std::span<Real> q) {
    for (std::size_t i = 0; i < q.size(); ++i)
      q[i] = static_cast<Real>(entity[i]) * static_cast<Real>(relation[i]);
  }
};

}  // namespace

const KgeModel& distmult() {
  static const DistMult model;
  return model;
}

}  // namespace greenkgc::kge
