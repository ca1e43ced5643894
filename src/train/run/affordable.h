#pragma once

#include <algorithm>
#include <cstdint>

namespace greenkgc {

// How many facts can be ranked, both sides, with so many scores of candidates; some in any case.
inline std::int64_t affordable_facts(double scores, std::uint32_t entities) {
  constexpr double kFewest = 500;
  return static_cast<std::int64_t>(std::max(kFewest, scores / 2 / std::max(1U, entities)));
}

}  // namespace greenkgc
