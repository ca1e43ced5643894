#include "structure/family.h"

#include <algorithm>

#include "structure/families.h"

namespace greenkgc::structure {

void FamilyReader::propose(std::size_t, std::vector<EntityId>&) const {}

const std::vector<Family>& all_families() {
  static const std::vector<Family> families = {
      first_stage_family(), range_family(),     degree_family(),         type_family(),
      link_family(),        attribute_family(), near_attribute_family(), near_embedding_family(),
      path_family(),        mirror_family(),    stroll_family(),         walk_family(),
  };
  return families;
}

void append_best(std::vector<Scored>& scored, std::size_t most, std::vector<EntityId>& out) {
  const auto better = [](const Scored& a, const Scored& b) {
    return a.score != b.score ? a.score > b.score : a.entity < b.entity;
  };
  const auto kept = scored.begin() + static_cast<std::ptrdiff_t>(std::min(most, scored.size()));
  if (kept != scored.end()) std::nth_element(scored.begin(), kept, scored.end(), better);
  std::sort(scored.begin(), kept, better);
  for (auto at = scored.begin(); at != kept; ++at) out.push_back(at->entity);
}

}  // namespace greenkgc::structure
