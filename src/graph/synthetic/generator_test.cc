#include "graph/synthetic/generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/files/byte_source.h"
#include "base/files/output_file.h"
#include "greenkgc/error.h"

namespace greenkgc::graph {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
namespace fs = std::filesystem;

class Generator : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / "greenkgc_generator" / info->name();
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string text(const std::string& name) const {
    const auto source = open_source(folder_ / name);
    std::string all;
    std::vector<char> buffer(1 << 16);
    while (const std::size_t n = source->read(buffer)) all.append(buffer.data(), n);
    return all;
  }
  std::vector<std::string> file_names() const {
    std::vector<std::string> names;
    if (!fs::exists(folder_)) return names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }

  fs::path folder_;
};

struct Fact {
  std::string head, relation, tail;
  friend auto operator<=>(const Fact&, const Fact&) = default;
};

std::vector<Fact> parse(const std::string& text) {
  std::vector<Fact> facts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t tab = text.find('\t', at);
    const std::size_t second = text.find('\t', tab + 1);
    const std::size_t end = text.find('\n', second);
    facts.push_back({text.substr(at, tab - at), text.substr(tab + 1, second - tab - 1),
                     text.substr(second + 1, end - second - 1)});
    at = end + 1;
  }
  return facts;
}

GenerateOptions small() {
  GenerateOptions options;
  options.entities = 1000;
  options.relations = 10;
  options.triples = 5000;
  return options;
}

std::string refusal(const GenerateOptions& options, const fs::path& out) {
  try {
    graph::generate(options, out, Context{});
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    return error.what();
  }
  return "not refused";
}

TEST_F(Generator, SplitsAreExactDistinctAndCoveredByTrain) {
  GenerateOptions options = small();
  options.valid_share = 0.1;
  options.test_share = 0.25;
  graph::generate(options, folder_, Context{});
  const std::vector<Fact> train = parse(text("train.txt"));
  const std::vector<Fact> valid = parse(text("valid.txt"));
  const std::vector<Fact> test = parse(text("test.txt"));
  EXPECT_EQ(train.size(), 3250u);
  EXPECT_EQ(valid.size(), 500u);
  EXPECT_EQ(test.size(), 1250u);
  std::set<Fact> all(train.begin(), train.end());
  all.insert(valid.begin(), valid.end());
  all.insert(test.begin(), test.end());
  EXPECT_EQ(all.size(), 5000u);

  std::set<std::string> entities;
  std::set<std::string> relations;
  for (const Fact& fact : train) {
    entities.insert({fact.head, fact.tail});
    relations.insert(fact.relation);
  }
  EXPECT_EQ(entities.size(), 1000u);
  EXPECT_EQ(relations.size(), 10u);
  EXPECT_TRUE(entities.contains("Q1") && entities.contains("Q1000"));
  EXPECT_TRUE(relations.contains("P1") && relations.contains("P10"));
}

TEST_F(Generator, BytesDependOnSeedAndNotOnThreads) {
  GenerateOptions options = small();
  options.triples = 150'000;  // several blocks
  options.entities = 20'000;
  std::vector<std::string> texts;
  for (const auto& [seed, threads] : {std::pair{1, 1}, {1, 2}, {1, 7}, {2, 2}}) {
    Context context;
    context.seed = static_cast<std::uint64_t>(seed);
    context.threads = threads;
    graph::generate(options, folder_, context);
    texts.push_back(text("train.txt") + text("valid.txt") + text("test.txt"));
  }
  EXPECT_TRUE(texts[0] == texts[1]);
  EXPECT_TRUE(texts[0] == texts[2]);
  EXPECT_FALSE(texts[0] == texts[3]);
}

TEST_F(Generator, CompressedFilesHoldTheSameText) {
  GenerateOptions options = small();
  graph::generate(options, folder_ / "plain", Context{});
  for (const std::string suffix : {"gz", "zst"}) {
    options.compress = suffix;
    graph::generate(options, folder_ / suffix, Context{});
    for (const std::string name : {"train.txt", "valid.txt", "test.txt"}) {
      EXPECT_TRUE(text(suffix + "/" + name + "." + suffix) == text("plain/" + name));
      EXPECT_LT(fs::file_size(folder_ / suffix / (name + "." + suffix)),
                fs::file_size(folder_ / "plain" / name));
    }
  }
}

TEST_F(Generator, ConfigRecordsOptionsAndSeed) {
  Context context;
  context.seed = 77;
  graph::generate(small(), folder_, context);
  EXPECT_THAT(file_names(), ElementsAre("config.toml", "test.txt", "train.txt", "valid.txt"));
  EXPECT_THAT(text("config.toml"), HasSubstr("entities = 1000\n"));
  EXPECT_THAT(text("config.toml"), HasSubstr("noise = 0.05\n"));
  EXPECT_THAT(text("config.toml"), HasSubstr("seed = 77\n"));
}

TEST_F(Generator, SplitsWithoutFactsHaveNoFile) {
  GenerateOptions options = small();
  options.valid_share = options.test_share = 0;
  graph::generate(options, folder_, Context{});
  EXPECT_THAT(file_names(), ElementsAre("config.toml", "train.txt"));
  EXPECT_EQ(parse(text("train.txt")).size(), 5000u);
}

TEST_F(Generator, FilesOfAnEarlierGraphAreNotMixedIn) {
  graph::generate(small(), folder_, Context{});
  graph::generate(small(), folder_, Context{});  // replaces all of them
  GenerateOptions options = small();
  options.test_share = 0;
  EXPECT_THAT(refusal(options, folder_), HasSubstr("test.txt: would be read as part of the new graph"));
  options = small();
  options.compress = "zst";
  EXPECT_THAT(refusal(options, folder_), HasSubstr("train.txt: would be read as part"));
  EXPECT_THAT(file_names(), ElementsAre("config.toml", "test.txt", "train.txt", "valid.txt"));
  write_file(folder_ / "train2id.txt.gz", "0\n");
  EXPECT_THAT(refusal(small(), folder_), HasSubstr("train2id.txt.gz: would be read as part"));
}

// Asks to stop at the first report.
class Stopper final : public ProgressSink {
 public:
  void begin(std::string_view task, std::uint64_t total, std::string_view unit) override {
    EXPECT_EQ(task, "generate");
    EXPECT_EQ(total, 5000u);
    EXPECT_EQ(unit, "triples");
    cancel = true;
  }
  void update(std::uint64_t) override {}
  void end() override {}
  std::atomic<bool> cancel = false;
};

TEST_F(Generator, InterruptionLeavesNoFile) {
  Stopper stopper;
  Context context;
  context.progress = &stopper;
  context.cancel = &stopper.cancel;
  try {
    graph::generate(small(), folder_, context);
    ADD_FAILURE() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInterrupted);
  }
  EXPECT_THAT(file_names(), IsEmpty());
}

TEST_F(Generator, WrongOptionsAreRefusedBeforeAnythingIsWritten) {
  GenerateOptions options = small();
  options.noise = 1.5;
  EXPECT_THAT(refusal(options, folder_), HasSubstr("noise"));
  options = small();
  options.entities = 63;
  EXPECT_THAT(refusal(options, folder_), HasSubstr("entities"));
  options = small();
  options.compress = "xz";
  EXPECT_THAT(refusal(options, folder_), HasSubstr("compress"));
  options = small();
  options.symmetric_share = 0.5;
  options.inverse_share = 0.6;
  EXPECT_THAT(refusal(options, folder_), HasSubstr("--composition-share add up to 1.2"));
  options = small();
  options.composition_share = 0.8;
  options.symmetric_share = options.inverse_share = 0;
  EXPECT_THAT(refusal(options, folder_), HasSubstr("8 of 10 relations"));
  options = small();
  options.triples = 1000;
  EXPECT_THAT(refusal(options, folder_), HasSubstr("too few"));
  options.triples = 4'000'000'000;
  EXPECT_THAT(refusal(options, folder_), HasSubstr("too many"));
  EXPECT_THAT(file_names(), IsEmpty());
}

TEST_F(Generator, RuleSharesOfOneAreAllowed) {
  for (double GenerateOptions::*share :
       {&GenerateOptions::symmetric_share, &GenerateOptions::inverse_share}) {
    GenerateOptions options = small();
    options.symmetric_share = options.inverse_share = options.composition_share = 0;
    options.*share = 1;
    graph::generate(options, folder_, Context{});
    EXPECT_EQ(parse(text("train.txt")).size(), 4800u);
  }
}

// What a model could learn, counted on the text of train alone.
class PlantedInText : public Generator {
 protected:
  void generate_with(double symmetric, double inverse, double composition) {
    GenerateOptions options;
    options.entities = 5000;
    options.relations = 30;
    options.triples = 60'000;
    options.symmetric_share = symmetric;
    options.inverse_share = inverse;
    options.composition_share = composition;
    graph::generate(options, folder_, Context{});
    for (const Fact& fact : parse(text("train.txt"))) {
      const int head = std::stoi(fact.head.substr(1));
      const int tail = std::stoi(fact.tail.substr(1));
      pairs_[fact.relation].insert({head, tail});
      tails_[fact.relation][head].push_back(tail);
      tail_range_[fact.relation].insert(tail);
    }
  }

  // Share of the relation's facts that the other one says backwards.
  double reversed_share(const std::string& relation, const std::string& other) const {
    std::size_t found = 0;
    for (const auto& [head, tail] : pairs_.at(relation)) found += pairs_.at(other).count({tail, head});
    return static_cast<double>(found) / static_cast<double>(pairs_.at(relation).size());
  }
  bool functional(const std::string& relation) const {
    return pairs_.at(relation).size() < 1.1 * tails_.at(relation).size();
  }
  // Relations that hold for most (h, t) where (h, first, x) and (x, second, t) do.
  void add_composed(const std::string& first, const std::string& second, std::set<std::string>& composed) {
    std::map<std::string, int> held;
    int premises = 0;
    for (const auto& [head, middle] : pairs_[first]) {
      if (!tails_[second].contains(middle)) continue;
      const int tail = tails_[second][middle][0];
      ++premises;
      for (const auto& [relation, pairs] : pairs_) held[relation] += pairs.contains({head, tail}) ? 1 : 0;
    }
    for (const auto& [relation, count] : held) {
      if (premises >= 20 && count > 0.8 * premises) composed.insert(relation);
    }
  }
  std::set<std::string> composed() {
    std::set<std::string> found;
    for (const auto& [first, _] : pairs_) {
      for (const auto& [second, _2] : pairs_) {
        if (functional(first) && functional(second)) add_composed(first, second, found);
      }
    }
    return found;
  }

  // By relation.
  std::map<std::string, std::set<std::pair<int, int>>> pairs_;
  std::map<std::string, std::map<int, std::vector<int>>> tails_;  // of a head
  std::map<std::string, std::set<int>> tail_range_;
};

TEST_F(PlantedInText, SymmetricRelationsGoBothWays) {
  generate_with(0.2, 0, 0);
  int symmetric = 0;
  for (const auto& [relation, _] : pairs_) {
    const double share = reversed_share(relation, relation);
    EXPECT_TRUE(share < 0.05 || share > 0.8) << relation << " " << share;
    symmetric += share > 0.8 ? 1 : 0;
  }
  EXPECT_EQ(symmetric, 6);
}

TEST_F(PlantedInText, InversePairsSayTheSame) {
  generate_with(0, 0.4, 0);
  int inverse = 0;
  for (const auto& [relation, _] : pairs_) {
    for (const auto& [other, _2] : pairs_)
      inverse += relation != other && reversed_share(relation, other) > 0.75 ? 1 : 0;
  }
  EXPECT_EQ(inverse, 12);
}

TEST_F(PlantedInText, CompositionsFollow) {
  generate_with(0, 0, 0.2);
  EXPECT_GE(composed().size(), 6u);
}

TEST_F(PlantedInText, NothingFollowsWithoutRules) {
  generate_with(0, 0, 0);
  EXPECT_LE(composed().size(), 1u);  // by chance
  for (const auto& [relation, _] : pairs_) {
    for (const auto& [other, _2] : pairs_) EXPECT_LT(reversed_share(relation, other), 0.5);
  }
}

TEST_F(PlantedInText, RelationsAreOfAllFourCategories) {
  generate_with(0.1, 0.1, 0.1);
  std::map<std::pair<bool, bool>, int> categories;
  for (const auto& [relation, pairs] : pairs_) {
    const auto facts = static_cast<double>(pairs.size());
    const double tails_per_head = facts / static_cast<double>(tails_[relation].size());
    const double heads_per_tail = facts / static_cast<double>(tail_range_[relation].size());
    ++categories[{tails_per_head >= 1.5, heads_per_tail >= 1.5}];
  }
  EXPECT_EQ(categories.size(), 4u);
  for (const auto& [category, relations] : categories) EXPECT_GE(relations, 3);
}

}  // namespace
}  // namespace greenkgc::graph
