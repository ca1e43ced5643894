#include <cmath>
#include <numbers>

#include "kernels/rows.h"
#include "model/kge_models.h"

namespace greenkgc::model {
namespace {

// -|h e^(i r) - t|: the relation is one phase per dimension; a rotation keeps lengths, so heads are asked for
// by turning t back.
class RotatE final : public KgeModel {
 public:
  std::string_view name() const override { return "rotate"; }
  std::size_t entity_variables() const override { return 2; }
  std::size_t relation_variables() const override { return 1; }
  std::vector<Similarity> similarities() const override {
    return {Similarity::kEuclidean, Similarity::kSquaredEuclidean};
  }
  float relation_range() const override { return std::numbers::pi_v<float>; }

  void query(Side side, std::span<const float> entity, std::span<const float> relation,
             std::span<float> q) const override {
    const std::size_t d = relation.size();
    const std::span sine = q.first(d);
    const std::span cosine = q.last(d);
    sin_cos(relation, sine, cosine);
    const float sign = side == Side::kTail ? 1.0F : -1.0F;
    for (std::size_t i = 0; i < d; ++i) {
      const float s = sign * sine[i];
      const float c = cosine[i];
      q[i] = entity[i] * c - entity[d + i] * s;
      q[d + i] = entity[i] * s + entity[d + i] * c;
    }
  }
  void query(Side side, std::span<const float> entity, std::span<const float> relation,
             std::span<double> q) const override {
    const std::size_t d = relation.size();
    for (std::size_t i = 0; i < d; ++i) {
      const double phase = side == Side::kTail ? relation[i] : -relation[i];
      const double s = std::sin(phase);
      const double c = std::cos(phase);
      q[i] = entity[i] * c - entity[d + i] * s;
      q[d + i] = entity[i] * s + entity[d + i] * c;
    }
  }
  void gradient(Side side, std::span<const float> entity, std::span<const float> relation,
                std::span<const float> q_gradient, std::span<float> entity_gradient,
                std::span<float> relation_gradient) const override {
    const std::size_t d = relation.size();
    const std::span sine = entity_gradient.first(d);
    const std::span cosine = entity_gradient.last(d);
    sin_cos(relation, sine, cosine);
    const float sign = side == Side::kTail ? 1.0F : -1.0F;
    for (std::size_t i = 0; i < d; ++i) {
      const float s = sign * sine[i];
      const float c = cosine[i];
      const float gr = q_gradient[i];
      const float gi = q_gradient[d + i];
      const float qr = entity[i] * c - entity[d + i] * s;
      const float qi = entity[i] * s + entity[d + i] * c;
      entity_gradient[i] = gr * c + gi * s;
      entity_gradient[d + i] = gi * c - gr * s;
      relation_gradient[i] = sign * (gi * qr - gr * qi);
    }
  }
};

}  // namespace

const KgeModel& rotate() {
  static const RotatE model;
  return model;
}

}  // namespace greenkgc::model
