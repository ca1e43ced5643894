#include "train/embed_recipe.h"

#include <fmt/format.h>

#include "base/text.h"
#include "greenkgc/error.h"
#include "kge/kge_model.h"
#include "kge/train/recipes.h"
#include "train/run/settings.h"

namespace greenkgc {
namespace {

constexpr std::string_view kAuto = "auto";

const std::string& named_settings(const std::string& recipe) {
  for (const kge::NamedRecipe& named : kge::named_recipes()) {
    if (named.name == recipe) return named.settings;
  }
  const std::string near = nearest_name(recipe, embed_recipes());
  throw Error(ErrorCode::kUsage, fmt::format("there is no recipe {}{}", in_quotes(recipe),
                                             near.empty() ? "" : fmt::format("; did you mean {}?", near)));
}

}  // namespace

std::vector<std::string> embedding_models() {
  return kge::kge_model_names();
}

std::vector<std::string> embed_recipes() {
  std::vector<std::string> names = {std::string(kAuto)};
  for (const kge::NamedRecipe& named : kge::named_recipes()) names.emplace_back(named.name);
  return names;
}

EmbedOptions with_recipe(const std::string& recipe, const Dataset& dataset, EmbedOptions options,
                         const std::set<std::string>& given) {
  const RecipeSize size{.entities = dataset.entity_count(), .facts = dataset.triples(Split::kTrain).size()};
  return with_recipe(recipe, size, std::move(options), given);
}

EmbedOptions with_recipe(const std::string& recipe, const RecipeSize& size, EmbedOptions options,
                         const std::set<std::string>& given) {
  if (recipe == kAuto) {
    const auto if_given = [&](const char* name, const std::string& value) {
      return given.contains(name) ? value : std::string();
    };
    apply_settings(kge::automatic_recipe({.model = if_given("model", options.model),
                                          .loss = if_given("loss", options.loss),
                                          .dims = given.contains("dims") ? options.dims : 0,
                                          .entities = size.entities,
                                          .facts = size.facts}),
                   given, options);
    return options;
  }
  const std::string& settings = named_settings(recipe);
  EmbedOptions whole;
  apply_settings(settings, {}, whole);
  if (given.contains("model") && options.model != whole.model) {
    throw Error(ErrorCode::kUsage,
                fmt::format("recipe {} is for {}, not for {}; --recipe auto works with any scorer", recipe,
                            whole.model, options.model));
  }
  if (given.contains("loss") && options.loss != whole.loss) {
    throw Error(ErrorCode::kUsage,
                fmt::format("recipe {} is for the {} loss, not for {}; --recipe auto works with both", recipe,
                            whole.loss, options.loss));
  }
  apply_settings(settings, given, options);
  return options;
}

}  // namespace greenkgc
