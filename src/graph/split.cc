#include "graph/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "base/random.h"
#include "graph/fact_index.h"
#include "greenkgc/error.h"

namespace greenkgc::graph {
namespace {

constexpr std::uint32_t kSplitStream = 0x73706C74;
constexpr std::size_t kFactsBetweenChecks = 1 << 20;

struct SplitCounts {
  std::size_t valid;
  std::size_t test;

  std::size_t total() const { return valid + test; }
};

SplitCounts wanted_counts(SplitShares shares, std::size_t facts) {
  if (!(shares.valid >= 0 && shares.test >= 0 && shares.valid + shares.test <= 1)) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("the shares of valid ({}) and test ({}) must be at least 0 and at most 1 together",
                    shares.valid, shares.test));
  }
  const auto count = [facts](double share) {
    return static_cast<std::size_t>(std::llround(share * static_cast<double>(facts)));
  };
  return {count(shares.valid), count(shares.test)};
}

// How many training facts each entity and relation has left.
class TrainDegrees {
 public:
  explicit TrainDegrees(const Dataset& dataset)
      : entities_(dataset.entities.size()), relations_(dataset.relations.size()) {
    for (const Triple& fact : dataset[Split::kTrain].triples) {
      ++entities_[index(fact.head)];
      if (fact.tail != fact.head) ++entities_[index(fact.tail)];
      ++relations_[index(fact.relation)];
    }
  }
  bool can_lose(const Triple& fact) const {
    return entities_[index(fact.head)] > 1 && entities_[index(fact.tail)] > 1 &&
           relations_[index(fact.relation)] > 1;
  }
  void lose(const Triple& fact) {
    --entities_[index(fact.head)];
    if (fact.tail != fact.head) --entities_[index(fact.tail)];
    --relations_[index(fact.relation)];
  }

 private:
  std::vector<std::uint32_t> entities_;
  std::vector<std::uint32_t> relations_;
};

// Where the i-th fact that leaves train goes: the two are filled in step, so that both get their part if
// there are fewer such facts than wanted, and neither gets those that were found first.
Split destination(std::size_t i, const SplitCounts& wanted) {
  const bool valid = (i + 1) * wanted.valid / wanted.total() > i * wanted.valid / wanted.total();
  return valid ? Split::kValid : Split::kTest;
}

// For each training fact the split that it goes to. Facts are tried in random order, until enough are found.
std::vector<Split> assign(const Dataset& dataset, const SplitCounts& wanted, const Context& context) {
  const std::vector<Triple>& facts = dataset[Split::kTrain].triples;
  const std::vector<Triple> repeated = repeated_facts(facts, context);
  TrainDegrees degrees(dataset);
  std::vector<std::uint32_t> order(facts.size());
  std::iota(order.begin(), order.end(), 0U);
  const CounterRandom random(context.seed, kSplitStream);

  std::vector<Split> splits(facts.size(), Split::kTrain);
  std::size_t moved = 0;
  for (std::size_t i = 0; i < facts.size() && moved < wanted.total(); ++i) {
    if (i % kFactsBetweenChecks == 0) context.check_cancelled();
    std::swap(order[i], order[i + random.below(facts.size() - i, i)]);
    const Triple& fact = facts[order[i]];
    if (!degrees.can_lose(fact) || std::binary_search(repeated.begin(), repeated.end(), fact)) continue;
    degrees.lose(fact);
    splits[order[i]] = destination(moved++, wanted);
  }
  return splits;
}

// The items whose split is `split`, in their order.
template <class Item>
std::vector<Item> select(const std::vector<Item>& items, const std::vector<Split>& splits, Split split) {
  std::vector<Item> selected;
  if (items.empty()) return selected;  // no weights
  selected.reserve(static_cast<std::size_t>(std::count(splits.begin(), splits.end(), split)));
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (splits[i] == split) selected.push_back(items[i]);
  }
  return selected;
}

}  // namespace

void split_train(Dataset& dataset, SplitShares shares, const Context& context) {
  Facts& train = dataset[Split::kTrain];
  const SplitCounts wanted = wanted_counts(shares, train.triples.size());
  if (wanted.total() == 0) return;
  const std::vector<Split> splits = assign(dataset, wanted, context);
  const auto part = [&](Split split) {
    return Facts{select(train.triples, splits, split), select(train.weights, splits, split)};
  };
  Facts valid = part(Split::kValid);
  Facts test = part(Split::kTest);
  train = part(Split::kTrain);
  dataset[Split::kValid] = std::move(valid);
  dataset[Split::kTest] = std::move(test);
}

}  // namespace greenkgc::graph
