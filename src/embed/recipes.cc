#include "embed/recipes.h"

#include <fmt/format.h>

#include <algorithm>

namespace greenkgc::embed {
namespace {

// Distances learn by self-adversarial negatives, products by a softmax with a cubic penalty: each way round
// the other loss is worse on every graph tried (docs/results.md).
bool is_product(std::string_view model) {
  return model == "complex" || model == "distmult";
}

}  // namespace

const std::vector<NamedRecipe>& named_recipes() {
  static const std::vector<NamedRecipe> recipes = {
      {"fb15k-237-rotate",
       "model=rotate dims=500 loss=self-adversarial margin=9 negatives=256 rate=0.3 epochs=35"},
      {"wn18rr-rotate",
       "model=rotate dims=500 loss=self-adversarial margin=6 negatives=512 rate=0.3 epochs=40"},
  };
  return recipes;
}

std::string automatic_recipe(const RecipeQuestion& question) {
  const std::string model = question.model.empty() ? "rotate" : question.model;
  const bool softmax = question.loss.empty() ? is_product(model) : question.loss == "softmax";
  if (softmax)
    return fmt::format(
        "model={} loss=softmax subsampling=false reciprocal=true n3=0.1 rate=0.1 init_scale=0.001", model);
  return fmt::format("model={} loss=self-adversarial", model);
}

}  // namespace greenkgc::embed
