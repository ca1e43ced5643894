#include "greenkgc/complete.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>

#include "greenkgc/error.h"
#include "support/random_model.h"

namespace greenkgc {
namespace {

using testing::HasSubstr;

// A model with random facts, and what should come of completing it.
class Completion {
 public:
  explicit Completion(std::uint32_t entities)
      : files_({.entities = entities, .relations = 4, .trees = 3, .depth = 3}, 130), model_(files_.open()) {}

  const RandomModel& files() const { return files_; }
  const Model& model() const { return model_; }

  // From the answers to all questions for tails.
  std::vector<Answer> brute_force(const CompleteOptions& options) const {
    std::vector<Answer> found;
    for (std::uint32_t r = 0; r < model_.relation_count(); ++r) {
      const RelationId relation{r};
      const std::string label(model_.label(relation));
      if (!options.relation.empty() && std::ranges::find(options.relation, label) == options.relation.end())
        continue;
      for (std::uint32_t h = 0; h < model_.entity_count(); ++h) {
        if (!options.exact && !any_fact({&Triple::head, EntityId{h}}, relation)) continue;
        if (options.only_gaps && any_fact({&Triple::head, EntityId{h}}, relation)) continue;
        std::int64_t kept = 0;
        for (const Answer& answer : model_.predict_tails(EntityId{h}, relation, {.top_k = 0}, Context{})) {
          if (options.max_per_query > 0 && kept == options.max_per_query) break;
          if ((!options.exact && !is_candidate(answer.fact)) || is_excluded(answer.fact)) continue;
          ++kept;
          if (answer.probability >= options.min_probability) found.push_back(answer);
        }
      }
    }
    std::sort(found.begin(), found.end(), [](const Answer& a, const Answer& b) {
      if (a.probability != b.probability) return a.probability > b.probability;
      return a.margin != b.margin ? a.margin > b.margin : a.fact < b.fact;
    });
    found.resize(std::min(found.size(), static_cast<std::size_t>(options.top)));
    return found;
  }

  // Facts that brute_force() leaves out as well, in a file.
  std::string exclude(const std::vector<Triple>& facts) {
    excluded_ = facts;
    std::string text;
    for (const Triple& fact : facts)
      text += std::string(model_.label(fact.head)) + "\t" + std::string(model_.label(fact.relation)) + "\t" +
              std::string(model_.label(fact.tail)) + "\t0.5\n";
    return write("excluded.tsv", text);
  }
  std::string write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = files_.folder().path() / name;
    std::ofstream(path) << text;
    return path.string();
  }

  void expect_brute_force(const CompleteOptions& options) const {
    const auto expected = brute_force(options);
    for (const int threads : {1, 3}) {
      const auto found = complete(model_, options, Context{.threads = threads});
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_EQ(found[i].fact, expected[i].fact) << i;
        EXPECT_EQ(found[i].margin, expected[i].margin);
        EXPECT_EQ(found[i].probability, expected[i].probability);
        EXPECT_FALSE(found[i].known);
      }
    }
  }

 private:
  struct End {
    EntityId Triple::*side;
    EntityId entity;
  };
  bool any_fact(const End& end, RelationId relation) const {
    return std::ranges::any_of(files_.facts(), [&](const Triple& fact) {
      return fact.relation == relation && fact.*end.side == end.entity;
    });
  }
  bool is_candidate(const Triple& fact) const {
    const bool loops = std::ranges::any_of(files_.facts(), [&](const Triple& known) {
      return known.relation == fact.relation && known.head == known.tail;
    });
    return any_fact({&Triple::tail, fact.tail}, fact.relation) && (loops || fact.head != fact.tail);
  }

  bool is_excluded(const Triple& fact) const { return std::ranges::find(excluded_, fact) != excluded_.end(); }

  const RandomModel files_;
  const Model model_;
  std::vector<Triple> excluded_;
};

void expect_brute_force_for_many_options(const Completion& completion) {
  const auto all = completion.brute_force({.top = 1'000'000});
  ASSERT_GT(all.size(), 500U);
  completion.expect_brute_force({});
  completion.expect_brute_force({.top = 7});
  completion.expect_brute_force({.top = 1'000'000});
  completion.expect_brute_force({.relation = {"r2"}, .top = 50});
  completion.expect_brute_force({.relation = {"r3", "r0", "r3"}, .top = 50});
  completion.expect_brute_force({.min_probability = all[20].probability});
  completion.expect_brute_force({.min_probability = 1});
}

TEST(Complete, EqualsASortOfAllCandidates) {
  expect_brute_force_for_many_options(Completion(60));
}

TEST(Complete, FewTailsAmongManyEntities) {
  expect_brute_force_for_many_options(Completion(3000));
}

TEST(Complete, ExactModeTriesAllEntities) {
  const Completion completion(60);
  ASSERT_GT(completion.brute_force({.top = 1'000'000, .exact = true}).size(),
            completion.brute_force({.top = 1'000'000}).size());
  completion.expect_brute_force({.exact = true});
  completion.expect_brute_force({.top = 1'000'000, .exact = true});
}

TEST(Complete, KeepsTheBestOfEachQuery) {
  for (const std::uint32_t entities : {60U, 3000U}) {
    const Completion completion(entities);
    ASSERT_LT(completion.brute_force({.top = 1'000'000, .max_per_query = 3}).size(),
              completion.brute_force({.top = 1'000'000}).size());
    completion.expect_brute_force({.top = 1'000'000, .max_per_query = 3});
    completion.expect_brute_force({.top = 20, .max_per_query = 1});
    completion.expect_brute_force({.top = 1'000'000, .max_per_query = 1'000'000});
  }
  Completion(60).expect_brute_force({.top = 1'000'000, .exact = true, .max_per_query = 2});
}

TEST(Complete, ExcludedFactsAreLeftOut) {
  for (const std::uint32_t entities : {60U, 3000U}) {
    Completion completion(entities);
    std::vector<Triple> facts;
    for (const Answer& answer : completion.brute_force({.top = 40})) facts.push_back(answer.fact);
    const std::vector<std::string> files = {completion.exclude(facts)};
    completion.expect_brute_force({.exclude = files});
    completion.expect_brute_force({.top = 1'000'000, .exclude = files});
    completion.expect_brute_force({.top = 1'000'000, .max_per_query = 2, .exclude = files});
  }
}

TEST(Complete, OnlyGapsLooksAtKnownFactsAlone) {
  Completion completion(60);
  completion.expect_brute_force({.top = 1'000'000, .exact = true, .only_gaps = true});
  const auto all = completion.brute_force({.top = 1'000'000, .exact = true, .only_gaps = true});
  ASSERT_FALSE(all.empty());
  const std::vector<std::string> files = {completion.exclude({all[0].fact})};
  completion.expect_brute_force({.top = 1'000'000, .exact = true, .only_gaps = true, .exclude = files});
}

TEST(Complete, GapsAreThoseOfHeadsThatResembleOthers) {
  const Completion completion(60);
  const auto exact =
      complete(completion.model(), {.top = 1'000'000, .exact = true, .only_gaps = true}, Context{});
  const auto likely = complete(completion.model(), {.top = 1'000'000, .only_gaps = true}, Context{});
  ASSERT_FALSE(likely.empty());
  EXPECT_LT(likely.size(), exact.size());
  for (const Answer& answer : likely) {
    EXPECT_TRUE(std::ranges::any_of(exact, [&](const Answer& other) { return other.fact == answer.fact; }));
    EXPECT_TRUE(std::ranges::none_of(completion.files().facts(), [&](const Triple& fact) {
      return fact.head == answer.fact.head && fact.relation == answer.fact.relation;
    }));
  }
}

TEST(Complete, FilesOfExcludedFacts) {
  const Completion completion(60);
  std::vector<std::string> warnings;
  Context context;
  context.log = [&](LogLevel level, std::string_view text) {
    if (level == LogLevel::kWarning) warnings.emplace_back(text);
  };
  const std::string some = completion.write("some.tsv", "e1\tr1\te2\n\ne1\tr1\tnowhere\textra\tcolumns\n");
  complete(completion.model(), {.exclude = {some}}, context);
  EXPECT_THAT(warnings, testing::ElementsAre(HasSubstr("some.tsv: 1 fact skipped")));
  const std::string bad = completion.write("bad.tsv", "e1\tr1\te2\n\ne1\tr1\n");
  try {
    complete(completion.model(), {.exclude = {some, bad}}, context);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    EXPECT_THAT(error.what(), HasSubstr("bad.tsv: line 3: must be head, relation and tail"));
  }
}

TEST(Complete, Refusals) {
  const Completion completion(60);
  const auto error_of = [&](const CompleteOptions& options) -> std::string {
    try {
      complete(completion.model(), options, Context{});
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(error_of({.relation = {"r0", "s1"}}), HasSubstr("no relation 's1'"));
  EXPECT_THAT(error_of({.top = 0}), HasSubstr("at least 1"));
  EXPECT_THAT(error_of({.missing_share = 0.1}), HasSubstr("judge each fact by trees"));
  EXPECT_THAT(error_of({.missing_share = 1}), HasSubstr("below 1"));
  EXPECT_THAT(error_of({.max_per_query = -1}), HasSubstr("at least 0"));
  EXPECT_EQ(assumed_missing_share(completion.model(), {}), std::nullopt);
  EXPECT_THROW(complete(RandomModel({.entities = 60}, 0).open(), {}, Context{}), Error);
  std::atomic<bool> cancel{true};
  EXPECT_THROW(complete(completion.model(), {}, Context{.cancel = &cancel}), Error);
  EXPECT_THROW(check_facts_path("new.csv"), Error);
  EXPECT_NO_THROW(check_facts_path("new.nt.gz"));
}

TEST(Complete, Files) {
  const Completion completion(60);
  const TemporaryFolder& folder = completion.files().folder();
  const std::vector<Answer> answers = {{{EntityId{3}, RelationId{1}, EntityId{2}}, 1, 0.75, false},
                                       {{EntityId{3}, RelationId{0}, EntityId{3}}, 1, 0.123456789, false}};
  write_facts(completion.model(), answers, folder.path() / "new.tsv", Context{});
  EXPECT_EQ(folder.read("new.tsv"), "e3\tr1\te2\t0.75\ne3\tr0\te3\t0.123457\n");
  write_facts(completion.model(), answers, folder.path() / "new.nt", Context{});
  EXPECT_EQ(folder.read("new.nt"),
            "<urn:greenkgc:e3> <urn:greenkgc:r1> <urn:greenkgc:e2> .\n"
            "<urn:greenkgc:e3> <urn:greenkgc:r0> <urn:greenkgc:e3> .\n");
}

}  // namespace
}  // namespace greenkgc
