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

void keep_best(std::vector<Scored>& scored, std::size_t most) {
  const auto better = [](const Scored& a, const Scored& b) {
    return a.score != b.score ? a.score > b.score : a.entity < b.entity;
  };
  if (most < scored.size()) {
    std::nth_element(scored.begin(), scored.begin() + static_cast<std::ptrdiff_t>(most), scored.end(),
                     better);
    scored.resize(most);
  }
  std::sort(scored.begin(), scored.end(), better);
}

void append_best(std::vector<Scored>& scored, std::size_t most, std::vector<EntityId>& out) {
  keep_best(scored, most);
  for (const Scored& best : scored) out.push_back(best.entity);
}

}  // namespace greenkgc::structure
