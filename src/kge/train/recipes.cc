#include "kge/train/recipes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kge/kge_model.h"

namespace greenkgc::kge {
namespace {

constexpr std::uint64_t kSmallGraph = 200'000;  // queries of an epoch
constexpr std::int64_t kFewDims = 100;

// Distances learn by self-adversarial negatives, products by a softmax with a cubic penalty.
bool is_product(std::string_view model) {
  return model == "complex" || model == "distmult";
}

// Vectors and their optimizer state should fit into some gigabytes.
std::int64_t affordable_dims(std::string_view model, std::uint64_t entities) {
  constexpr std::uint64_t kBytes = std::uint64_t{4} << 30;
  const std::uint64_t per_dim =
      kge::kge_model(model).entity_variables() * 2 * sizeof(float) * std::max<std::uint64_t>(1, entities);
  return static_cast<std::int64_t>(std::clamp<std::uint64_t>(kBytes / per_dim, 16, 500));
}

}  // namespace

const std::vector<NamedRecipe>& named_recipes() {
  // What the recipes have in common; of two settings of an option the later wins.
  static const std::string adversarial = "loss=self-adversarial rate=0.3 init_scale=0.1 ";
  static const std::string softmax =
      "loss=softmax subsampling=false mask_known=false negatives=1024 reciprocal=true rate=0.1 "
      "init_scale=0.001 ";
  static const std::vector<NamedRecipe> recipes = {
      {"fb15k-237-transe",
       adversarial + "model=transe dims=500 margin=9 negatives=512 reciprocal=true epochs=16 valid_every=4"},
      {"fb15k-237-rotate", adversarial + "model=rotate dims=500 margin=9 negatives=256 epochs=45"},
      {"fb15k-237-rotate-range",
       adversarial + "model=rotate dims=500 range_share=0.002 margin=9 negatives=1024 epochs=30 "
                     "valid_every=10 valid_sample=20000"},
      {"fb15k-237-complex", softmax + "model=complex dims=500 n3=0.15 epochs=8 valid_every=2"},
      {"fb15k-237-distmult", softmax + "model=distmult dims=500 n3=0.15 epochs=12 valid_every=3"},
      {"fb15k-237-transe-32",
       adversarial + "model=transe dims=32 margin=6 negatives=1024 reciprocal=true epochs=16"},
      {"fb15k-237-rotate-32",
       adversarial + "model=rotate dims=32 margin=6 negatives=256 reciprocal=true epochs=120 valid_every=30"},
      {"fb15k-237-complex-32", softmax + "model=complex dims=32 mask_known=true negatives=4096 n3=0.15 "
                                         "init_scale=0.01 epochs=20 valid_every=10"},
      {"fb15k-237-complex-range-32",
       softmax + "model=complex dims=32 range_share=0.25 mask_known=true negatives=4096 n3=0.15 "
                 "init_scale=0.01 epochs=20 valid_every=5 valid_sample=20000"},
      {"fb15k-237-distmult-32", softmax + "model=distmult dims=32 mask_known=true negatives=4096 n3=0.15 "
                                          "init_scale=0.01 epochs=9 valid_every=3"},
      {"wn18rr-transe",
       adversarial +
           "model=transe similarity=l1 dims=500 margin=6 temperature=0.5 negatives=256 rate=0.1 epochs=100 "
           "valid_every=20"},
      {"wn18rr-rotate",
       adversarial + "model=rotate dims=500 margin=6 negatives=512 reciprocal=true epochs=40 valid_every=8 "
                     "valid_sample=5000"},
      {"wn18rr-rotate-range",
       adversarial +
           "model=rotate dims=500 range_share=0.002 margin=6 negatives=1024 l2=0.002 reciprocal=true "
           "epochs=32 valid_every=8 valid_sample=5000"},
      {"wn18rr-complex",
       softmax + "model=complex dims=500 batch=256 dura=0.2 init_scale=0.01 epochs=15 valid_every=3"},
      {"wn18rr-distmult", softmax + "model=distmult dims=500 batch=256 n3=0.2 reciprocal=false "
                                    "init_scale=0.01 epochs=20 valid_every=4"},
      {"wn18rr-transe-32", adversarial +
                               "model=transe similarity=l1 dims=32 margin=6 temperature=0.5 negatives=1024 "
                               "reciprocal=true rate=0.1 init_scale=0.05 epochs=40 valid_every=10"},
      {"wn18rr-rotate-32",
       adversarial + "model=rotate dims=32 margin=6 negatives=4096 reciprocal=true epochs=40 valid_every=10"},
      {"wn18rr-complex-32",
       softmax +
           "model=complex dims=32 batch=256 question_power=0.5 dura=0.05 rate=0.4 init_scale=0.01 epochs=60 "
           "valid_every=10"},
      {"wn18rr-distmult-32", softmax + "model=distmult dims=32 batch=256 negatives=4096 n3=0.03 "
                                       "reciprocal=false init_scale=0.01 epochs=16 valid_every=4"},
  };
  return recipes;
}

std::string automatic_recipe(const RecipeQuestion& question) {
  const std::string model = question.model.empty() ? "complex" : question.model;
  const std::int64_t dims = question.dims > 0 ? question.dims : affordable_dims(model, question.entities);
  const bool softmax = question.loss.empty() ? is_product(model) : question.loss == "softmax";
  const std::uint64_t queries = std::max<std::uint64_t>(1, 2 * question.facts);
  // Small graphs want more steps than epochs of large batches have.
  const std::uint64_t batch = queries < kSmallGraph ? 256 : 1024;
  const std::uint64_t steps = (queries + batch - 1) / batch;
  const auto epochs = [&](std::uint64_t wanted_steps, std::uint64_t least) {
    return std::clamp<std::uint64_t>(wanted_steps / steps, least, 100);
  };
  const bool dense = question.facts > 5 * question.entities;
  if (softmax) {
    // Few dimensions want a stronger penalty each, and have time for more steps and negatives.
    const bool few_dims = is_product(model) && dims < kFewDims;
    const std::uint64_t count = epochs(few_dims ? 10'000 : 5000, 8);
    // Where entities are few, other answers are better left out than learned as a distribution; where they
    // are many, learning the distribution keeps the model from over-fitting.
    return fmt::format(
        "model={} similarity={} dims={} loss=softmax subsampling=false mask_known={} batch={} negatives={} "
        "n3={:.3g} reciprocal=true rate=0.1 init_scale={} epochs={} valid_every={}",
        model, is_product(model) ? "dot" : "squared-l2", dims,
        question.entities < 5000 || (few_dims && dense), batch,
        question.entities <= 1024                ? 0
        : few_dims && question.entities > 10'000 ? 4096
                                                 : 1024,
        few_dims            ? 0.15
        : is_product(model) ? 0.15 * std::sqrt(dims / 500.0)
                            : 0.0,
        few_dims ? 0.01 : 0.001, count, std::max<std::uint64_t>(1, count / 8));
  }
  const std::uint64_t count = epochs(15'000, 20);
  return fmt::format(
      "model={} dims={} loss=self-adversarial margin={} batch={} negatives={} rate=0.3 init_scale=0.1 "
      "epochs={} valid_every={}",
      model, dims, dense ? 9 : 6, batch,
      question.entities <= 1024 ? 0
      : dense                   ? 256
                                : 512,
      count, std::max<std::uint64_t>(1, count / 8));
}

}  // namespace greenkgc::kge
