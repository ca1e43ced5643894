#include "evidence/learn_walks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "greenkgc/error.h"
#include "support/random_graph.h"

namespace greenkgc::evidence {
namespace {

// Weights by length, place and step.
using Weights = std::map<std::array<std::uint32_t, 3>, double>;

// Calls act(weight, path) for each walk of a length from the known entity that first meets the answer at its
// end, does not come back, and does not use the fact itself.
template <class Act>
void for_each_walk(const RandomGraph& graph, const Weights& weights, const Query& query, std::uint32_t length,
                   const Act& act) {
  std::vector<std::uint32_t> path;
  const std::function<void(EntityId, double)> go = [&](EntityId from, double weight) {
    const auto place = static_cast<std::uint32_t>(path.size());
    if (place == length) return act(weight, path);
    for (std::uint32_t d = 0; d < 2 * graph.relations; ++d) {
      const auto found = weights.find({length, place, d});
      if (found == weights.end()) continue;
      const auto members = graph.members(from, DirectedRelation{d});
      for (const EntityId next : members) {
        const bool is_end = place + 1 == length;
        const bool is_fact =
            from == query.known && next == query.left_out && DirectedRelation{d} == direction_of(query);
        if (next == query.known || (next == query.left_out) != is_end || is_fact) continue;
        path.push_back(d);
        go(next, weight * found->second / static_cast<double>(members.size()));
        path.pop_back();
      }
    }
  };
  go(query.known, 1);
}

// One round of expectation and maximization over all facts of a relation; adds the log-likelihood of those
// that walks lead to.
Weights improved(const RandomGraph& graph, const Weights& weights, DirectedRelation head,
                 double& likelihood) {
  Weights counts;
  std::map<std::uint32_t, double> walks;
  double all = 0;
  for (std::uint32_t e = 0; e < graph.entities; ++e) {
    for (const EntityId answer : graph.members(EntityId{e}, head)) {
      if (answer == EntityId{e}) continue;
      const Query query = query_along(EntityId{e}, head, answer);
      double reached = 0;
      for (std::uint32_t length = kShortestWalk; length <= kLongestWalk; ++length)
        for_each_walk(graph, weights, query, length, [&](double weight, const auto&) { reached += weight; });
      if (reached == 0) continue;
      likelihood += std::log(reached);
      all += 1;
      for (std::uint32_t length = kShortestWalk; length <= kLongestWalk; ++length) {
        for_each_walk(graph, weights, query, length, [&](double weight, const auto& path) {
          walks[length] += weight / reached;
          for (std::uint32_t i = 0; i < length; ++i) counts[{length, i, path[i]}] += weight / reached;
        });
      }
    }
  }
  for (auto& [key, count] : counts) count /= key[1] == 0 ? all : walks[key[0]];
  return counts;
}

Weights equal_weights(std::uint32_t directed) {
  Weights weights;
  for (std::uint32_t length = kShortestWalk; length <= kLongestWalk; ++length) {
    for (std::uint32_t place = 0; place < length; ++place) {
      for (std::uint32_t d = 0; d < directed; ++d) weights[{length, place, d}] = 1.0 / directed;
    }
  }
  return weights;
}

TEST(LearnWalks, RoundsAreThoseOfAnEnumeration) {
  const RandomGraph reference(8, 2, 13, 4);
  const EvidenceGraph graph = reference.indexed();
  for (std::uint32_t d = 0; d < 4; ++d) {
    Weights expected = equal_weights(4);
    double before = -1e300;
    for (std::uint32_t rounds = 1; rounds <= 3; ++rounds) {
      double likelihood = 0;
      expected = improved(reference, expected, DirectedRelation{d}, likelihood);
      EXPECT_GE(likelihood, before - 1e-9);
      before = likelihood;
      const WalkSteps learnt = learn_walks(graph, {.rounds = rounds}, {});
      double largest = 0;
      Weights found;
      for (const WalkStep& step : learnt.of(DirectedRelation{d}))
        found[{step.length, step.place, step.step}] = static_cast<double>(step.weight) / kWholeWeight;
      EXPECT_FALSE(found.empty());
      for (const auto& [key, weight] : expected)
        largest = std::max(largest, std::abs(weight - (found.contains(key) ? found.at(key) : 0)));
      EXPECT_LT(largest, 0.0041) << "relation " << d << ", round " << rounds;  // less is not kept
    }
  }
}

TEST(LearnWalks, FindsThePlantedWay) {
  // i -a-> 200 + i -b-> 400 + i, and i -c-> 400 + i.
  RandomGraph reference(600, 3, 0, 1);
  for (std::uint32_t i = 0; i < 200; ++i) {
    reference.facts.insert({EntityId{i}, RelationId{0}, EntityId{200 + i}});
    reference.facts.insert({EntityId{200 + i}, RelationId{1}, EntityId{400 + i}});
    reference.facts.insert({EntityId{i}, RelationId{2}, EntityId{400 + i}});
  }
  const WalkSteps walks = learn_walks(reference.indexed(), {}, {});
  const auto steps = walks.of(DirectedRelation{4});
  const std::vector<WalkStep> expected = {{4, 2, 0, 0, 65'535}, {4, 2, 1, 2, 65'535}};
  EXPECT_EQ(std::vector(steps.begin(), steps.end()), expected);
}

TEST(LearnWalks, IsTheSameForAnyNumberOfThreads) {
  const EvidenceGraph graph = RandomGraph(50, 5, 200, 8).indexed();
  Context one;
  one.threads = 1;
  Context three;
  three.threads = 3;
  const auto a = learn_walks(graph, {}, one);
  const auto b = learn_walks(graph, {}, three);
  EXPECT_TRUE(std::ranges::equal(a.all(), b.all()));
  EXPECT_FALSE(a.all().empty());
}

TEST(LearnWalks, HubsAndEmptyGraphsCostLittle) {
  EXPECT_TRUE(learn_walks(RandomGraph(3, 2, 0, 1).indexed(), {}, {}).all().empty());
  RandomGraph star(30'000, 1, 0, 1);
  for (std::uint32_t i = 1; i < 30'000; ++i) star.facts.insert({EntityId{0}, RelationId{0}, EntityId{i}});
  EXPECT_TRUE(learn_walks(star.indexed(), {}, {}).all().empty());
}

TEST(WalkSteps, RefuseWhatIsNotThere) {
  const WalkStep good{1, 2, 1, 3, 9};
  EXPECT_EQ(WalkSteps({good}, 4).of(DirectedRelation{1}).size(), 1U);
  EXPECT_TRUE(WalkSteps({good}, 4).of(DirectedRelation{4}).empty());
  for (const WalkStep& bad : std::vector<WalkStep>{
           {4, 2, 1, 3, 9}, {1, 6, 1, 3, 9}, {1, 1, 0, 3, 9}, {1, 2, 2, 3, 9}, {1, 2, 1, 4, 9}})
    EXPECT_THROW(WalkSteps({bad}, 4), Error);
}

}  // namespace
}  // namespace greenkgc::evidence
