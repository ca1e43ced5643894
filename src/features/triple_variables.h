#pragma once

#include <array>
#include <vector>

#include "features/phase_form.h"
#include "kge/embeddings.h"

namespace greenkgc::features {

// The variables of one dimension, for all entities and all relations: a triple (h, r, t) has entity[..][h],
// relation[..][r], entity[..][t], in that order.
struct DimensionColumns {
  std::array<std::vector<float>, 2> entity;
  std::array<std::vector<float>, 2> relation;
};

// Triples as learners see them: n_v numbers per dimension. With reciprocal relations, a relation's variables
// are those of its row for tails. Keeps a reference to the embeddings; const calls may run in several
// threads.
class TripleVariables {
 public:
  TripleVariables(const kge::Embeddings& embeddings, PhaseForm form)
      : embeddings_(embeddings),
        phases_(embeddings.kge->relation_range() > 0),
        two_per_phase_(phases_ && form == PhaseForm::kCosSin) {}

  std::size_t dims() const { return embeddings_.dims; }
  std::size_t per_entity() const { return embeddings_.kge->entity_variables(); }
  std::size_t per_relation() const { return two_per_phase_ ? 2 : embeddings_.kge->relation_variables(); }
  std::size_t count() const { return 2 * per_entity() + per_relation(); }  // n_v

  // Uses the memory that `columns` has.
  void copy_dimension(std::size_t dim, DimensionColumns& columns) const;

 private:
  const kge::Embeddings& embeddings_;
  bool phases_;
  bool two_per_phase_;
};

}  // namespace greenkgc::features
