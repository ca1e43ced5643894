#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace greenkgc::kge {

// A recipe is a line of settings, "model=rotate dims=500 ...", by the names of EmbedOptions.

struct NamedRecipe {
  std::string_view name;  // DATASET-MODEL, -range with range dimensions, -32 for 32 dimensions
  std::string settings;
};
const std::vector<NamedRecipe>& named_recipes();

// What the automatic recipe goes by.
struct RecipeQuestion {
  std::string model;  // "": any
  std::string loss;   // "": any
  std::int64_t dims = 0;
  std::uint64_t entities = 0;
  std::uint64_t facts = 0;  // to train on
};
std::string automatic_recipe(const RecipeQuestion& question);

}  // namespace greenkgc::kge
