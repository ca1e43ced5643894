#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "greenkgc/embed.h"

namespace greenkgc {

// What of a graph the automatic recipe goes by.
struct RecipeSize {
  std::uint64_t entities = 0;
  std::uint64_t facts = 0;  // of train
};

// As with_recipe of greenkgc/embed.h.
EmbedOptions with_recipe(const std::string& recipe, const RecipeSize& size, EmbedOptions options,
                         const std::set<std::string>& given);

}  // namespace greenkgc
