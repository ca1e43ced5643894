#include "evidence/family.h"

#include "evidence/families/families.h"

namespace greenkgc::evidence {

void FamilyReader::propose(std::size_t, std::vector<EntityId>&) const {}

const std::vector<Family>& all_families() {
  static const std::vector<Family> families = {
      first_stage_family(), range_family(),     degree_family(),         type_family(),
      link_family(),        attribute_family(), near_attribute_family(), near_embedding_family(),
      path_family(),        mirror_family(),    stroll_family(),         walk_family(),
  };
  return families;
}

void append_best(BestEntities& best, std::vector<EntityId>& out) {
  for (const graph::ScoredEntity& scored : best.sorted()) out.push_back(scored.entity);
}

}  // namespace greenkgc::evidence
