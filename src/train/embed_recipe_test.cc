#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "greenkgc/embed.h"
#include "greenkgc/error.h"

namespace greenkgc {
namespace {

using testing::HasSubstr;

class EmbedRecipeTest : public testing::Test {
 protected:
  std::string refusal(const std::string& recipe, const EmbedOptions& options,
                      const std::set<std::string>& given) const {
    try {
      with_recipe(recipe, world_, options, given);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
      return error.what();
    }
    return "";
  }

  const Dataset world_ = Dataset::load("world", {}, Context{});
};

TEST_F(EmbedRecipeTest, EachNameSaysItsModelAndItsOptionsGoTogether) {
  const auto names = embed_recipes();
  ASSERT_GT(names.size(), 1U);
  EXPECT_EQ(names.front(), "auto");
  for (const std::string& name : names) {
    const EmbedOptions options = with_recipe(name, world_, {}, {});
    EXPECT_NO_THROW(options.validate()) << name;
    if (name == "auto") continue;
    EXPECT_THAT(name, HasSubstr(options.model));
    EXPECT_EQ(options.dims, name.ends_with("-32") ? 32 : 500) << name;
  }
}

TEST_F(EmbedRecipeTest, WhatIsGivenWins) {
  EmbedOptions options;
  options.epochs = 3;
  options.dims = 24;
  EXPECT_EQ(with_recipe("fb15k-237-rotate", world_, options, {"epochs"}).epochs, 3);
  EXPECT_EQ(with_recipe("fb15k-237-rotate", world_, options, {"epochs"}).dims, 500);
  EXPECT_EQ(with_recipe("auto", world_, options, {"dims"}).dims, 24);
}

TEST_F(EmbedRecipeTest, AutoFitsEveryModelAndLoss) {
  for (const std::string model : {"transe", "distmult", "complex", "rotate"}) {
    for (const std::string loss : {"self-adversarial", "softmax"}) {
      EmbedOptions options;
      options.model = model;
      options.loss = loss;
      const EmbedOptions chosen = with_recipe("auto", world_, options, {"model", "loss"});
      EXPECT_EQ(chosen.model, model);
      EXPECT_EQ(chosen.loss, loss);
      EXPECT_NO_THROW(chosen.validate()) << model << ' ' << loss;
    }
    EmbedOptions options;
    options.model = model;
    EXPECT_EQ(with_recipe("auto", world_, options, {"model"}).model, model);
  }
}

TEST_F(EmbedRecipeTest, RefusesWhatDoesNotFit) {
  EmbedOptions options;
  options.model = "transe";
  options.loss = "softmax";
  EXPECT_THAT(refusal("fb15k-237-rotate", options, {"model"}), HasSubstr("is for rotate"));
  EXPECT_THAT(refusal("fb15k-237-rotate", options, {"loss"}), HasSubstr("self-adversarial"));
  EXPECT_THAT(refusal("fb15k-237-rotat", options, {}), HasSubstr("did you mean fb15k-237-rotate?"));
}

}  // namespace
}  // namespace greenkgc
