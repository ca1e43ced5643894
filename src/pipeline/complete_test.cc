#include "greenkgc/complete.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "greenkgc/error.h"
#include "pipeline/random_model.h"

namespace greenkgc {
namespace {

using testing::HasSubstr;

constexpr rank::DecisionsSize kSize = {.entities = 60, .relations = 4, .trees = 3, .depth = 3};

class CompleteTest : public testing::Test {
 protected:
  // From the answers to all questions for tails.
  std::vector<Answer> brute_force(const CompleteOptions& options) const {
    std::vector<Answer> found;
    for (std::uint32_t r = 0; r < kSize.relations; ++r) {
      const RelationId relation{r};
      const std::string label = "r" + std::to_string(r);
      if (!options.relation.empty() && std::ranges::find(options.relation, label) == options.relation.end())
        continue;
      for (std::uint32_t h = 0; h < kSize.entities; ++h) {
        for (const Answer& answer : model_.predict_tails(EntityId{h}, relation, {.top_k = 0}, Context{})) {
          if (answer.probability >= options.min_probability && (options.exact || is_candidate(answer.fact)))
            found.push_back(answer);
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
  bool is_candidate(const Triple& fact) const {
    bool head = false;
    bool tail = false;
    bool loop = false;
    for (std::uint32_t e = 0; e < kSize.entities; ++e) {
      head = head || files_.is_known({fact.head, fact.relation, EntityId{e}});
      tail = tail || files_.is_known({EntityId{e}, fact.relation, fact.tail});
      loop = loop || files_.is_known({EntityId{e}, fact.relation, EntityId{e}});
    }
    return head && tail && (loop || fact.head != fact.tail);
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
  std::string error_of(const CompleteOptions& options) const {
    try {
      complete(model_, options, Context{});
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  const RandomModel files_{kSize, 130};
  const Model model_ = files_.open();
};

TEST_F(CompleteTest, EqualsASortOfAllCandidates) {
  const auto all = brute_force({.top = 1'000'000});
  ASSERT_GT(all.size(), 500U);
  expect_brute_force({});
  expect_brute_force({.top = 7});
  expect_brute_force({.top = 1'000'000});
  expect_brute_force({.relation = {"r2"}, .top = 50});
  expect_brute_force({.relation = {"r3", "r0", "r3"}, .top = 50});
  expect_brute_force({.min_probability = all[20].probability});
  expect_brute_force({.min_probability = 1});
}

TEST_F(CompleteTest, ExactModeTriesAllEntities) {
  ASSERT_GT(brute_force({.top = 1'000'000, .exact = true}).size(), brute_force({.top = 1'000'000}).size());
  expect_brute_force({.exact = true});
  expect_brute_force({.top = 1'000'000, .exact = true});
}

TEST_F(CompleteTest, Refusals) {
  EXPECT_THAT(error_of({.relation = {"r0", "s1"}}), HasSubstr("no relation 's1'"));
  EXPECT_THAT(error_of({.top = 0}), HasSubstr("at least 1"));
  EXPECT_THROW(complete(RandomModel(kSize, 0).open(), {}, Context{}), Error);
  std::atomic<bool> cancel{true};
  EXPECT_THROW(complete(model_, {}, Context{.cancel = &cancel}), Error);
  EXPECT_THROW(check_facts_path("new.csv"), Error);
  EXPECT_NO_THROW(check_facts_path("new.nt.gz"));
}

TEST_F(CompleteTest, Files) {
  const std::vector<Answer> answers = {{{EntityId{3}, RelationId{1}, EntityId{2}}, 1, 0.75, false},
                                       {{EntityId{3}, RelationId{0}, EntityId{3}}, 1, 0.123456789, false}};
  write_facts(model_, answers, files_.folder().path() / "new.tsv", Context{});
  EXPECT_EQ(files_.folder().read("new.tsv"), "e3\tr1\te2\t0.75\ne3\tr0\te3\t0.123457\n");
  write_facts(model_, answers, files_.folder().path() / "new.nt", Context{});
  EXPECT_EQ(files_.folder().read("new.nt"),
            "<urn:greenkgc:e3> <urn:greenkgc:r1> <urn:greenkgc:e2> .\n"
            "<urn:greenkgc:e3> <urn:greenkgc:r0> <urn:greenkgc:e3> .\n");
}

}  // namespace
}  // namespace greenkgc
