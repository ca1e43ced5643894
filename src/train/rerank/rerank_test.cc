#include "greenkgc/rerank.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "evidence/mine_rules.h"
#include "graph/dataset.h"
#include "greenkgc/decide.h"
#include "greenkgc/embed.h"
#include "greenkgc/error.h"
#include "greenkgc/evaluate.h"
#include "greenkgc/model.h"
#include "greenkgc/prune.h"
#include "model/model_file.h"
#include "support/temporary_folder.h"
#include "train/rerank/heldout_stage.h"
#include "train/rerank/label_lists.h"

namespace greenkgc {
namespace {

using testing::HasSubstr;

RerankOptions few_trees() {
  RerankOptions options;
  options.trees = 30;
  options.depth = 4;
  options.rate = 0.3;
  options.lambda = 1;
  options.min_child_weight = 3;
  options.list_size = 60;
  options.first_best = 30;
  options.max_questions = 600;
  options.valid_sample = 100;
  return options;
}

class RerankTest : public testing::Test {
 protected:
  // One first stage for all tests.
  static void SetUpTestSuite() {
    source_ = std::make_unique<TemporaryFolder>();
    const Dataset world = Dataset::load("world", {}, Context{});
    EmbedOptions embed;
    embed.dims = 8;
    embed.negatives = 128;
    embed.margin = 6;
    embed.epochs = 5;
    embed.valid_sample = 100;
    train_embedding(world, embed, {.out = at("e")}, Context{});
    PruneOptions prune;
    prune.groups = "2";
    prune.selector = "none";
    prune_embedding(world, prune, {.embeddings = at("e"), .out = at("f")}, Context{});
    DecideOptions decide;
    decide.trees = 5;
    decide.depth = 3;
    decide.negatives_per_side = 4;
    decide.valid_sample = 100;
    learn_decisions(world, decide, {.features = at("f"), .out = at("m.gkgc")}, Context{});
  }
  static void TearDownTestSuite() { source_.reset(); }
  static std::filesystem::path at(const std::string& name) { return source_->path() / name; }

  RerankTest() : world_(Dataset::load("world", {}, Context{})) {}

  RerankResult rerank(const Dataset& data, const std::string& name, const RerankOptions& options,
                      const Context& context = {}) const {
    return learn_reranking(data, options,
                           {.model = at("m.gkgc"), .out = folder_.path() / name, .heldout = at("heldout")},
                           context);
  }
  bool same(const std::string& a, const std::string& b) const { return folder_.read(a) == folder_.read(b); }
  double test_mrr(const std::filesystem::path& model) const {
    return evaluate(world_, model, {.calibration_sample = 0}, Context{}).sides.both.realistic.mrr;
  }
  // The same graph with other test facts.
  Dataset with_test(std::vector<Triple> test) const {
    auto data = std::make_unique<graph::Dataset>(world_.impl());
    (*data)[Split::kTest].triples = std::move(test);
    return Dataset(std::move(data));
  }

  static std::unique_ptr<TemporaryFolder> source_;
  const Dataset world_;
  TemporaryFolder folder_;
};
std::unique_ptr<TemporaryFolder> RerankTest::source_;

TEST_F(RerankTest, BothKindsOfLabelsRankBetterThanTheFirstStage) {
  const double first = test_mrr(at("m.gkgc"));
  for (const char* labels : {"valid", "heldout"}) {
    RerankOptions options = few_trees();
    options.labels = labels;
    const RerankResult result = rerank(world_, "m2.gkgc", options);
    EXPECT_GT(result.recall, 0.5);
    EXPECT_GT(result.trees, 0U);
    const Evaluation evaluation =
        evaluate(world_, folder_.path() / "m2.gkgc", {.calibration_sample = 0}, Context{});
    EXPECT_GT(evaluation.sides.both.realistic.mrr, first + 0.03) << labels;
    EXPECT_EQ(evaluation.labels, labels);
    EXPECT_TRUE(evaluation.links);
    EXPECT_THAT(evaluation_json(evaluation, world_), HasSubstr("\"labels\": \"" + std::string(labels)));
    if (options.labels == "heldout") {
      EXPECT_GT(result.valid_mrr, result.first_valid_mrr);
    }
  }
}

// Whatever test holds, the model has the same bytes: neither labels nor masks nor evidence come from there.
TEST_F(RerankTest, NothingIsLearntFromTest) {
  std::vector<Triple> other(world_.triples(Split::kTest).begin(), world_.triples(Split::kTest).end());
  for (Triple& fact : other) std::swap(fact.head, fact.tail);
  for (const char* labels : {"valid", "heldout"}) {
    RerankOptions options = few_trees();
    options.labels = labels;
    rerank(world_, "a.gkgc", options);
    rerank(with_test(other), "b.gkgc", options);
    rerank(with_test({}), "c.gkgc", options);
    EXPECT_TRUE(same("a.gkgc", "b.gkgc")) << labels;
    EXPECT_TRUE(same("a.gkgc", "c.gkgc")) << labels;
  }
}

// The first stage has seen facts that train has, too.
TEST_F(RerankTest, ValidFactsOfTrainAreNoLabels) {
  auto data = std::make_unique<graph::Dataset>(world_.impl());
  auto& valid = (*data)[Split::kValid].triples;
  const auto& train = (*data)[Split::kTrain].triples;
  valid.insert(valid.end(), train.begin(), train.begin() + 50);
  RerankOptions options = few_trees();
  options.labels = "valid";
  rerank(world_, "a.gkgc", options);
  rerank(Dataset(std::move(data)), "b.gkgc", options);
  EXPECT_TRUE(same("a.gkgc", "b.gkgc"));
}

TEST_F(RerankTest, SameBytesForAnyNumberOfThreads) {
  RerankOptions options = few_trees();
  options.labels = "valid";
  rerank(world_, "a.gkgc", options, {.threads = 1});
  rerank(world_, "b.gkgc", options, {.threads = 4});
  EXPECT_TRUE(same("a.gkgc", "b.gkgc"));
}

// The first stage that scores labels, and the graph that speaks for them, have never seen them.
TEST_F(RerankTest, HeldOutFactsAreNotInTheRest) {
  const graph::Dataset& data = world_.impl();
  const HeldOutFacts facts = hold_out(data, 0.2, {.seed = 3});
  std::vector<Triple> rest(facts.rest.triples(Split::kTrain).begin(),
                           facts.rest.triples(Split::kTrain).end());
  EXPECT_NEAR(static_cast<double>(facts.held_out.size()),
              0.2 * static_cast<double>(data[Split::kTrain].triples.size()),
              0.05 * static_cast<double>(rest.size()));
  for (const Triple& fact : facts.held_out) EXPECT_EQ(std::find(rest.begin(), rest.end(), fact), rest.end());
  EXPECT_TRUE(facts.rest.triples(Split::kTest).empty());
  EXPECT_TRUE(std::ranges::equal(facts.rest.triples(Split::kValid), data[Split::kValid].triples));
  std::vector<Triple> all = data[Split::kTrain].triples;
  rest.insert(rest.end(), facts.held_out.begin(), facts.held_out.end());
  std::sort(all.begin(), all.end());
  std::sort(rest.begin(), rest.end());
  EXPECT_TRUE(all == rest);
}

TEST_F(RerankTest, LabelsAreTheAnswersOfTheLabelFacts) {
  const graph::Dataset& data = world_.impl();
  const auto& train = data[Split::kTrain].triples;
  const auto& valid = data[Split::kValid].triples;
  const auto index_of = [&](std::span<const Triple> facts) {
    const std::array<std::span<const Triple>, 1> parts = {facts};
    return graph::KnownFacts(parts, data.entities.size(), {});
  };
  const evidence::EvidenceGraph graph(index_of(train), data.entities.size(), data.relations.size(), {});
  const evidence::RuleSet rules;
  const model::NamedDecisions named = model::read_model(at("m.gkgc"));
  const rank::EvidenceLists source(named.decisions, {.graph = &graph, .rules = &rules},
                                   {.size = 40, .first_stage = 20});
  const auto questions = label_questions(valid, source, 50, {});
  ASSERT_EQ(questions.size(), 50U);
  const graph::KnownFacts labels = index_of(valid);
  const trees::FeatureCuts cuts(evidence::EvidenceReader::feature_names({}).size());
  const LabelledLists read = read_label_lists(source, questions, labels, cuts, {});
  ASSERT_EQ(read.lists.size(), 50U);
  const graph::KnownFacts known = index_of(train);
  std::uint64_t answers = 0;
  source.read(questions,
              [&](std::size_t i, std::span<const float>, const evidence::EvidenceReader::List& list) {
                const auto& query = questions[i];
                for (std::size_t k = 0; k < list.entities.size(); ++k) {
                  const Triple fact = query.side == graph::Side::kTail
                                          ? Triple{query.known, query.relation, list.entities[k]}
                                          : Triple{list.entities[k], query.relation, query.known};
                  EXPECT_EQ(read.lists.labels[read.lists.begin(i) + k], labels.contains(fact) ? 1 : 0);
                  EXPECT_FALSE(known.contains(fact));
                  answers += labels.contains(fact) ? 1 : 0;
                }
              },
              {.threads = 1});
  EXPECT_EQ(read.listed, answers);
  EXPECT_GE(read.answers, read.listed);
}

TEST_F(RerankTest, PredictsInTheOrderOfBothStages) {
  RerankOptions options = few_trees();
  options.labels = "valid";
  rerank(world_, "m2.gkgc", options);
  const Model model = Model::open(folder_.path() / "m2.gkgc");
  const Triple& fact = world_.triples(Split::kTest)[0];
  const auto answers = model.predict_tails(fact.head, fact.relation, {.top_k = 0}, {});
  EXPECT_GT(answers.size(), 100U);
  for (std::size_t i = 0; i + 1 < answers.size(); ++i) {
    EXPECT_GE(answers[i].margin, answers[i + 1].margin);
    EXPECT_GE(answers[i].probability, answers[i + 1].probability);
    EXPECT_FALSE(answers[i].known);
  }
}

TEST_F(RerankTest, RefusesWhatCannotBe) {
  RerankOptions options = few_trees();
  options.first_best = 61;
  EXPECT_THROW(rerank(world_, "x", options), Error);
  EXPECT_THROW(learn_reranking(world_, few_trees(), {.model = at("m.gkgc"), .out = at("m.gkgc")}, {}), Error);
  // A record without options.
  EXPECT_THROW(learn_again(world_, {}, folder_.path() / "again", {}), Error);
}

}  // namespace
}  // namespace greenkgc
