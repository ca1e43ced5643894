#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "trees/trees.h"

// What the reader and the writer of XGBoost's models share.
namespace greenkgc::trees::xgboost {

// Numbers are floats, as in XGBoost: written in as few digits as name them, read without a detour.
using Json =
    nlohmann::basic_json<std::map, std::vector, std::string, bool, std::int64_t, std::uint64_t, float>;

inline constexpr int kNoChild = -1;
inline constexpr int kNoParent = std::numeric_limits<int>::max();

// What XGBoost makes of its base_score, with its rounding.
inline float margin_of_score(float score) {
  return -std::log(1.0F / score - 1.0F);
}

// For errors.
inline std::string described(const TripleColumn& column) {
  const char* part = column.part == features::TriplePart::kHead   ? "head"
                     : column.part == features::TriplePart::kTail ? "tail"
                                                                  : "relation";
  return fmt::format("variable {} of the {}", column.variable, part);
}

}  // namespace greenkgc::trees::xgboost
