#include "greenkgc/embed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "greenkgc/error.h"
#include "greenkgc/evaluate.h"
#include "support/temporary_folder.h"

namespace greenkgc {
namespace {

using testing::HasSubstr;

EmbedOptions small_options() {
  EmbedOptions options;
  options.dims = 16;
  options.negatives = 512;
  options.batch = 256;
  options.epochs = 6;
  options.valid_every = 2;
  options.valid_sample = 100;
  options.rate = 0.3;
  options.margin = 6;
  return options;
}

class EmbedTest : public testing::Test {
 protected:
  EmbedTest() : dataset_(Dataset::load("world", {}, Context{})) {}

  std::filesystem::path path(const std::string& name) const {
    return folder_.path() / name / "e.safetensors";
  }
  std::string bytes(const std::string& name) const { return folder_.read(name + "/e.safetensors"); }

  TemporaryFolder folder_;
  Dataset dataset_;
};

TEST_F(EmbedTest, LearnsAndIsTheSameForAnyNumberOfThreads) {
  const EmbedResult one =
      train_embedding(dataset_, small_options(), {.out = path("one")}, Context{.threads = 1});
  train_embedding(dataset_, small_options(), {.out = path("three")}, Context{.threads = 3});
  EXPECT_TRUE(bytes("one") == bytes("three"));
  EXPECT_GT(one.best_mrr, 0.2);
  EXPECT_EQ(one.epochs, 6U);
  EXPECT_FALSE(std::filesystem::exists(path("one").string() + ".checkpoint"));
  EXPECT_THAT(folder_.read("one/log.jsonl"), HasSubstr("\"valid_mrr\""));

  Context other;
  other.seed = 7;
  train_embedding(dataset_, small_options(), {.out = path("other")}, other);
  EXPECT_FALSE(bytes("one") == bytes("other"));

  const Evaluation evaluation = evaluate(dataset_, path("one"), {}, Context{});
  EXPECT_GT(evaluation.sides.both.realistic.mrr, 0.15);
  EXPECT_EQ(evaluation.sides.both.queries, 2 * dataset_.triples(Split::kTest).size());
  const Evaluation raw = evaluate(dataset_, path("one"), {.protocol = "raw"}, Context{});
  const Evaluation range = evaluate(dataset_, path("one"), {.protocol = "range"}, Context{});
  const Evaluation paper = evaluate(dataset_, path("one"), {.protocol = "paper"}, Context{});
  EXPECT_LT(raw.sides.both.realistic.mrr, evaluation.sides.both.realistic.mrr);
  EXPECT_GT(paper.sides.both.realistic.mrr, range.sides.both.realistic.mrr) << "the answer is exempt";
}

// Interrupted in the middle, then resumed: the same bytes as without the interruption.
TEST_F(EmbedTest, ResumesToTheSameBits) {
  train_embedding(dataset_, small_options(), {.out = path("whole")}, Context{});
  std::atomic<bool> cancel{false};
  Context interrupted;
  interrupted.cancel = &cancel;
  interrupted.log = [&](LogLevel, std::string_view message) { cancel = message.starts_with("epoch 4"); };
  try {
    train_embedding(dataset_, small_options(), {.out = path("cut")}, interrupted);
    FAIL() << "was not interrupted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInterrupted);
  }
  EXPECT_TRUE(std::filesystem::exists(path("cut").string() + ".checkpoint"));

  EmbedOptions changed = small_options();
  changed.rate = 0.2;
  EXPECT_THROW(train_embedding(dataset_, changed, {.out = path("cut"), .resume = true}, Context{}), Error);

  const EmbedResult resumed =
      train_embedding(dataset_, small_options(), {.out = path("cut"), .resume = true}, Context{});
  EXPECT_EQ(resumed.resumed_epochs, 4U);
  EXPECT_TRUE(bytes("cut") == bytes("whole"));
}

TEST_F(EmbedTest, ImpatienceStopsEarlyAndKeepsTheBest) {
  EmbedOptions options = small_options();
  options.epochs = 200;
  options.valid_every = 1;
  options.patience = 1;
  options.rate = 30;  // far too high
  const EmbedResult result = train_embedding(dataset_, options, {.out = path("e")}, Context{});
  EXPECT_TRUE(result.stopped_early);
  EXPECT_LT(result.epochs, 200U);
  EXPECT_EQ(result.best_epoch, result.epochs - 1);
}

TEST_F(EmbedTest, DamagedFilesAreRefused) {
  train_embedding(dataset_, small_options(), {.out = path("e")}, Context{});
  const std::string whole = bytes("e");
  const auto error_of = [&](const std::string& content) -> std::string {
    folder_.write("e/e.safetensors", content);
    try {
      evaluate(dataset_, path("e"), {}, Context{});
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  std::string flipped = whole;
  flipped[flipped.size() / 2] ^= 1;
  EXPECT_THAT(error_of(flipped), HasSubstr("wrong checksum"));
  for (const std::size_t length : {std::size_t{0}, std::size_t{7}, std::size_t{8}, std::size_t{100},
                                   whole.size() / 2, whole.size() - 1}) {
    EXPECT_THAT(error_of(whole.substr(0, length)), HasSubstr("e.safetensors: ")) << length;
  }
  EXPECT_THAT(error_of("a\tr\tb\n plain text that is longer"), HasSubstr("safetensors file"));
}

TEST_F(EmbedTest, ContradictionsAreRefused) {
  EmbedOptions options = small_options();
  options.loss = "softmax";
  EXPECT_THROW(train_embedding(dataset_, options, {.out = path("e")}, Context{}), Error);
  options = small_options();
  options.similarity = "dot";
  EXPECT_THROW(train_embedding(dataset_, options, {.out = path("e")}, Context{}), Error);
}

}  // namespace
}  // namespace greenkgc
