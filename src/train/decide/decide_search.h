#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "graph/identity.h"
#include "greenkgc/decide.h"
#include "trees/train/learner.h"

namespace greenkgc {

// Settings that were tried, one JSON line each, beside the model that is searched for: an interrupted search
// goes on behind them.
class SearchRecord {
 public:
  // Without `resume`, or without a file, a new record. Throws kUsage if the file is of a run with another
  // identity, kCorrupt for a line that is none of ours; a last line that was cut off is left out.
  SearchRecord(std::filesystem::path path, const graph::Identity& identity, bool resume);

  const SearchedSetting* find(std::uint32_t group, std::int64_t depth, double rate) const;
  void add(std::uint32_t group, const SearchedSetting& setting);
  std::size_t size() const { return settings_.size(); }
  void remove_file() const;

 private:
  struct Entry {
    std::uint32_t group;
    SearchedSetting setting;
  };
  void read(const std::string& identity);

  std::filesystem::path path_;
  std::vector<Entry> settings_;
};

// The paper's grid.
inline constexpr std::int64_t kSearchTrees = 2000;
inline constexpr std::int64_t kSearchStep = 400;  // trees between two measurements

struct SearchedTrees {
  trees::LearnedTrees learned;
  std::int64_t depth;
  double rate;
  std::vector<SearchedSetting> settings;
};

struct SearchInput {
  std::uint32_t group;
  trees::LearnerOptions options;  // depth, rate and trees are searched for
  // Grows trees; calls `point` after every kSearchStep trees with the valid MRR, and ends when that is false.
  std::function<trees::LearnedTrees(const trees::LearnerOptions&,
                                    const std::function<bool(std::size_t trees, double mrr)>& point)>
      learn;
};

// Tries depths 3, 5, 7 with rates 0.2, 0.1, 0.05, each up to 2,000 trees, and keeps the depth, rate and
// number of trees of the highest MRR; of those that tie, what was tried first and is smallest. A setting is
// abandoned when, going on at its latest pace to the last tree, it would still stay below the best so far:
// curves flatten, so that is more than it would reach.
SearchedTrees search_grid(const SearchInput& input, SearchRecord& record);

}  // namespace greenkgc
