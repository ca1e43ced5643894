#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace greenkgc {

// What the paper prints, in one place. -1: it says nothing.
struct PaperRow {
  std::string_view exhibit;  // name of the recipe
  std::string_view dataset;
  std::string_view method;  // as the recipes call it
  double mrr = -1;
  double hits_at_1 = -1;
  double hits_at_3 = -1;
  double hits_at_10 = -1;
  double parameters = -1;  // millions
  double seconds = -1;
  bool cited = false;  // another method's row, which the paper quotes or measured; we do not run it
};

const std::vector<PaperRow>& paper_rows();
std::vector<PaperRow> paper_rows(std::string_view exhibit, std::string_view dataset);

struct PaperDataset {
  std::string_view name;
  std::uint64_t entities;
  std::uint64_t relations;
  std::uint64_t train;
  std::uint64_t valid;
  std::uint64_t test;
  // Settings that the paper chose by validation MRR.
  int groups;
  int depth;
  int trees;
  double rate;
  std::string_view negatives;
};
const std::vector<PaperDataset>& paper_datasets();

// MRR on FB15k-237 in 32 dimensions by side and category: 1-1, 1-N, N-1, N-N for heads, then for tails.
struct PaperCategoryRow {
  std::string_view method;
  double mrr[8];
  bool cited;
};
const std::vector<PaperCategoryRow>& paper_categories();

// The groups of WN18RR's relations.
const std::vector<std::vector<std::string_view>>& paper_groups();

// ogbl-wikikg2: MRR on valid and test.
struct PaperScaleRow {
  std::string_view method;
  double parameters;  // millions
  double valid_mrr;
  double test_mrr;
};
const std::vector<PaperScaleRow>& paper_scale();

}  // namespace greenkgc
