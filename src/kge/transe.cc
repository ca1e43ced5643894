#include "kge/kge_models.h"

namespace greenkgc::kge {
namespace {

// -|h + r - t|: the tail is near h + r, the head near t - r.
class TransE final : public KgeModel {
 public:
  std::string_view name() const override { return "transe"; }
  std::size_t entity_variables() const override { return 1; }
  std::size_t relation_variables() const override { return 1; }
  std::vector<Similarity> similarities() const override {
    return {Similarity::kEuclidean, Similarity::kManhattan, Similarity::kSquaredEuclidean};
  }
  float neutral() const override { return 0.0F; }

  void query(Side side, std::span<const float> entity, std::span<const float> relation,
             std::span<float> q) const override {
    translate(side, entity, relation, q);
  }
  void query(Side side, std::span<const float> entity, std::span<const float> relation,
             std::span<double> q) const override {
    translate(side, entity, relation, q);
  }
  void gradient(Side side, std::span<const float>, std::span<const float>, std::span<const float> q_gradient,
                std::span<float> entity_gradient, std::span<float> relation_gradient) const override {
    const float sign = side == Side::kTail ? 1.0F : -1.0F;
    for (std::size_t i = 0; i < q_gradient.size(); ++i) {
      entity_gradient[i] = q_gradient[i];
      relation_gradient[i] = sign * q_gradient[i];
    }
  }

 private:
  template <class Real>
  static void translate(Side side, std::span<const float> entity, std::span<const float> relation,
                        std::span<Real> q) {
    const Real sign = side == Side::kTail ? 1 : -1;
    for (std::size_t i = 0; i < q.size(); ++i)
      q[i] = static_cast<Real>(entity[i]) + sign * static_cast<Real>(relation[i]);
  }
};

}  // namespace

const KgeModel& transe() {
  static const TransE model;
  return model;
}

}  // namespace greenkgc::kge
