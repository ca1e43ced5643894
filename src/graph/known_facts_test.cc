#include "graph/known_facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <set>
#include <vector>

#include "base/random.h"
#include "greenkgc/error.h"

namespace greenkgc::graph {
namespace {

using Facts = std::vector<Triple>;

Triple fact(std::uint32_t head, std::uint32_t relation, std::uint32_t tail) {
  return {EntityId{head}, RelationId{relation}, EntityId{tail}};
}

KnownFacts index_of(const std::vector<Facts>& parts, std::uint32_t entity_count, int threads = 1) {
  Context context;
  context.threads = threads;
  const std::vector<std::span<const Triple>> spans(parts.begin(), parts.end());
  return KnownFacts(spans, entity_count, context);
}

struct GraphSize {
  std::uint32_t entities;
  std::uint32_t relations;
  std::size_t facts;
};

// Low ids are much more frequent than high ones.
Facts random_facts(const GraphSize& size, std::uint64_t seed) {
  const CounterRandom random(seed, 1);
  const auto skewed = [&random](std::uint32_t n, std::uint64_t counter) {
    const double u = random.unit(counter);
    return static_cast<std::uint32_t>(n * u * u * u);
  };
  Facts facts;
  for (std::size_t i = 0; i < size.facts; ++i) {
    facts.push_back(fact(skewed(size.entities, 3 * i), skewed(size.relations, 3 * i + 1),
                         skewed(size.entities, 3 * i + 2)));
  }
  return facts;
}

// All that the index says, in the order in which it says it.
struct Listing {
  Facts by_head;
  Facts by_tail;  // head and tail as in the facts, not swapped
  friend bool operator==(const Listing&, const Listing&) = default;
};

Listing listing(const KnownFacts& known, std::uint32_t entity_count) {
  Listing all;
  for (std::uint32_t e = 0; e < entity_count; ++e) {
    const Edges out = known.out_edges(EntityId{e});
    const Edges in = known.in_edges(EntityId{e});
    for (std::size_t i = 0; i < out.others.size(); ++i)
      all.by_head.push_back({EntityId{e}, out.relations[i], out.others[i]});
    for (std::size_t i = 0; i < in.others.size(); ++i)
      all.by_tail.push_back({in.others[i], in.relations[i], EntityId{e}});
  }
  return all;
}

Listing brute_force(const std::vector<Facts>& parts) {
  std::set<Triple> by_head;
  std::set<std::array<std::uint32_t, 3>> by_tail;
  for (const Facts& part : parts) {
    for (const Triple& f : part) {
      by_head.insert(f);
      by_tail.insert({index(f.tail), index(f.relation), index(f.head)});
    }
  }
  Listing all{{by_head.begin(), by_head.end()}, {}};
  for (const auto& [tail, relation, head] : by_tail) all.by_tail.push_back(fact(head, relation, tail));
  return all;
}

TEST(KnownFacts, ListsWhatBruteForceListsForAnyNumberOfThreads) {
  const GraphSize sizes[] = {{1, 1, 1}, {3, 2, 50}, {50, 7, 300}, {5000, 30, 20'000}, {300, 300, 150'000}};
  for (const GraphSize& size : sizes) {
    SCOPED_TRACE(size.facts);
    const std::vector<Facts> parts = {random_facts(size, 1), {}, random_facts(size, 2), {fact(0, 0, 0)}};
    const Listing expected = brute_force(parts);
    for (const int threads : {1, 2, 5}) {
      const KnownFacts known = index_of(parts, size.entities, threads);
      EXPECT_EQ(known.size(), expected.by_head.size());
      EXPECT_TRUE(listing(known, size.entities) == expected) << threads << " threads";
    }
  }
}

TEST(KnownFacts, AnswersBothQuestions) {
  const GraphSize size{20, 4, 200};
  const Facts facts = random_facts(size, 3);
  const KnownFacts known = index_of({facts}, size.entities);
  const std::set<Triple> expected(facts.begin(), facts.end());
  for (std::uint32_t e = 0; e < size.entities; ++e) {
    for (std::uint32_t r = 0; r < size.relations + 1; ++r) {
      std::vector<EntityId> tails;
      std::vector<EntityId> heads;
      for (std::uint32_t other = 0; other < size.entities; ++other) {
        if (expected.contains(fact(e, r, other))) tails.push_back(EntityId{other});
        if (expected.contains(fact(other, r, e))) heads.push_back(EntityId{other});
        EXPECT_EQ(known.contains(fact(e, r, other)), expected.contains(fact(e, r, other)));
      }
      EXPECT_TRUE(std::ranges::equal(known.tails(EntityId{e}, RelationId{r}), tails));
      EXPECT_TRUE(std::ranges::equal(known.heads(RelationId{r}, EntityId{e}), heads));
    }
  }
}

TEST(KnownFacts, RepeatsCountOnce) {
  const KnownFacts known = index_of({Facts(100'000, fact(1, 0, 2)), Facts(3, fact(1, 0, 2))}, 3, 2);
  EXPECT_EQ(known.size(), 1U);
  EXPECT_TRUE(known.contains(fact(1, 0, 2)));
  EXPECT_FALSE(known.contains(fact(2, 0, 1)));
}

TEST(KnownFacts, Hub) {
  constexpr std::uint32_t kSpokes = 200'000;
  Facts facts;
  for (std::uint32_t i = 0; i < kSpokes; ++i) {
    facts.push_back(fact(0, i % 2, kSpokes - i));
    facts.push_back(fact(i + 1, 2, 0));
  }
  const KnownFacts known = index_of({facts}, kSpokes + 1, 2);
  EXPECT_EQ(known.size(), 2U * kSpokes);
  EXPECT_EQ(known.out_edges(EntityId{0}).others.size(), kSpokes);
  EXPECT_EQ(known.tails(EntityId{0}, RelationId{1}).size(), kSpokes / 2);
  EXPECT_EQ(known.heads(RelationId{2}, EntityId{0}).size(), kSpokes);
  EXPECT_TRUE(known.contains(fact(0, 0, kSpokes)));
  EXPECT_TRUE(known.contains(fact(0, 1, kSpokes - 1)));
  EXPECT_FALSE(known.contains(fact(0, 1, kSpokes)));
}

TEST(KnownFacts, IdsOfMoreThan64BitsTogether) {
  const Facts facts = {fact(200'000, 0xFFFFFFFE, 0), fact(200'000, 0xFFFFFFFE, 200'000), fact(0, 0, 200'000),
                       fact(0, 0xFFFFFFFE, 1), fact(200'000, 1, 7)};
  const KnownFacts known = index_of({facts}, 200'001);
  EXPECT_TRUE(listing(known, 200'001) == brute_force({facts}));
}

TEST(KnownFacts, HeadZeroWithTheWidestRelation) {
  const Facts facts = {fact(0, 0xFFFFFFFE, 0), fact(0, 0, 0)};
  EXPECT_TRUE(listing(index_of({facts}, 1), 1) == brute_force({facts}));
}

TEST(KnownFacts, EntitiesWithoutFacts) {
  const KnownFacts known = index_of({{fact(2, 0, 4)}}, 7);
  for (const std::uint32_t e : {0U, 1U, 3U, 4U, 5U, 6U, 7U, 0xFFFFFFFFU}) {
    EXPECT_TRUE(known.out_edges(EntityId{e}).others.empty()) << e;
    EXPECT_TRUE(known.tails(EntityId{e}, RelationId{0}).empty()) << e;
  }
  EXPECT_EQ(known.out_edges(EntityId{2}).others.size(), 1U);
  EXPECT_EQ(known.in_edges(EntityId{4}).others.size(), 1U);
  EXPECT_TRUE(known.in_edges(EntityId{2}).others.empty());
}

TEST(KnownFacts, NothingKnown) {
  for (const KnownFacts& known : {KnownFacts(), index_of({}, 0), index_of({{}}, 3)}) {
    EXPECT_EQ(known.size(), 0U);
    EXPECT_FALSE(known.contains(fact(0, 0, 0)));
    EXPECT_TRUE(known.heads(RelationId{0}, EntityId{2}).empty());
    EXPECT_TRUE(known.in_edges(EntityId{0}).others.empty());
  }
}

TEST(KnownFacts, TakesSixteenBytesPerFactAndEightPerEntity) {
  Facts facts = random_facts({1000, 10, 50'000}, 4);
  facts.insert(facts.end(), facts.begin(), facts.begin() + 10'000);
  const KnownFacts known = index_of({facts}, 1000);
  EXPECT_LT(known.size(), 50'001U);
  EXPECT_LE(known.bytes(), 16 * known.size() + 8 * (1000 + 1));
}

TEST(KnownFacts, MoreFactsThanCanBeCountedAreRefused) {
  const Facts facts(1 << 20, fact(0, 0, 0));
  const std::vector<std::span<const Triple>> parts(4096, facts);
  try {
    KnownFacts(parts, 1, Context{});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    EXPECT_STREQ(error.what(), "the graph has 4,294,967,296 facts, but at most 4,294,967,295 can be indexed");
  }
}

TEST(KnownFacts, StopsWhenAsked) {
  const std::atomic<bool> cancel{true};
  Context context;
  context.cancel = &cancel;
  const Facts facts = {fact(0, 0, 0)};
  const std::span<const Triple> part(facts);
  try {
    KnownFacts(std::span(&part, 1), 1, context);
    FAIL() << "not interrupted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInterrupted);
  }
}

}  // namespace
}  // namespace greenkgc::graph
