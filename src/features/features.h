#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "features/phase_form.h"
#include "features/triple_variables.h"
#include "kge/chosen_dims.h"
#include "kge/embeddings.h"

namespace greenkgc::features {

// Pruned embeddings: for each group of relations, the dimensions that tell its facts from false ones.
// Entities and relations have the variables of all dimensions that some group keeps, each once.
struct Features {
  kge::Embeddings pruned;                  // of the union of kept dimensions
  std::vector<std::uint32_t> source_dims;  // which dimension of the source each of pruned.dims was; ascending
  std::uint32_t source_dim_count = 0;      // before pruning
  PhaseForm phase_form = PhaseForm::kAngle;  // of the variables that `weights` go with

  std::vector<std::uint32_t> group_of;  // one per relation

  // The same number of kept dimensions in every group, best first.
  struct Group {
    std::vector<std::uint32_t> kept;  // dimensions of `pruned`
    std::vector<float> costs;         // in bits, one per kept dimension
    std::vector<float> splits;        // of the projected variable
    std::vector<float> weights;       // n_v per kept dimension: head, relation, tail variables
    std::vector<float> all_costs;     // one per dimension of the source
  };
  std::vector<Group> groups;

  std::size_t keep_dims() const { return groups.empty() ? 0 : groups.front().kept.size(); }
};

// What ranks the queries of one group: an embedding of the dimensions that it keeps.
inline kge::Embeddings group_embeddings(const Features& features, std::uint32_t group) {
  return kge::with_dims(features.pruned, features.groups[group].kept);
}

}  // namespace greenkgc::features
