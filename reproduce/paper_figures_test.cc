#include "paper_figures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "greenkgc/reproduce.h"

namespace greenkgc {
namespace {

const PaperRow& row(std::string_view exhibit, std::string_view dataset, std::string_view method) {
  for (const PaperRow& candidate : paper_rows()) {
    if (candidate.exhibit == exhibit && candidate.dataset == dataset && candidate.method == method)
      return candidate;
  }
  static const PaperRow none;
  ADD_FAILURE() << exhibit << ", " << dataset << ", " << method;
  return none;
}

// The same measurement stands in three of the paper's tables.
TEST(PaperFigures, WhatThePaperRepeatsIsTheSame) {
  for (const auto& [dataset, negatives] :
       {std::pair{"FB15k-237", "ontology"}, std::pair{"WN18RR", "embedding"}}) {
    const PaperRow& low = row("table-low-dimensions", dataset, "RotatE + GreenKGC 32");
    for (const PaperRow& again : {row("table-pruning", dataset, "prune high cost (ours)"),
                                  row("table-negatives", dataset, negatives)}) {
      EXPECT_EQ(again.mrr, low.mrr);
      EXPECT_EQ(again.hits_at_1, low.hits_at_1);
      EXPECT_EQ(again.hits_at_10, low.hits_at_10);
    }
  }
}

TEST(PaperFigures, ParametersOfEmbeddingsAreWhatTheirSizesMake) {
  for (const PaperDataset& dataset : paper_datasets()) {
    if (dataset.name == "ogbl-wikikg2") continue;
    const auto entities = static_cast<double>(dataset.entities);
    const auto relations = static_cast<double>(dataset.relations);
    for (const double dims : {100.0, 500.0}) {
      const std::string number = dims == 100 ? " 100" : " 500";
      EXPECT_NEAR(row("table-baselines", dataset.name, "TransE" + number).parameters,
                  (entities + relations) * dims / 1e6, 0.03);
      EXPECT_NEAR(row("table-baselines", dataset.name, "RotatE" + number).parameters,
                  (2 * entities + relations) * dims / 1e6, 0.07);
    }
  }
}

TEST(PaperFigures, EveryRowIsOfAnExhibitAndADatasetThatItShows) {
  for (const PaperRow& candidate : paper_rows()) {
    bool found = false;
    for (const Reproducible& what : reproducibles()) {
      found |= what.name == candidate.exhibit &&
               std::count(what.datasets.begin(), what.datasets.end(), candidate.dataset) == 1;
    }
    EXPECT_TRUE(found) << candidate.exhibit << " " << candidate.dataset;
    for (const double share : {candidate.mrr, candidate.hits_at_1, candidate.hits_at_3, candidate.hits_at_10})
      EXPECT_LE(share, 1);
    if (candidate.hits_at_1 >= 0 && candidate.hits_at_10 >= 0) {
      EXPECT_LT(candidate.hits_at_1, candidate.mrr);
      EXPECT_LT(candidate.mrr, candidate.hits_at_10);
    }
  }
}

}  // namespace
}  // namespace greenkgc
