#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "greenkgc/context.h"
#include "greenkgc/dataset.h"
#include "greenkgc/export.h"
#include "greenkgc/ids.h"
#include "greenkgc/options.h"

namespace greenkgc {

GREENKGC_API std::vector<std::string> prune_selectors();  // the names

// Module 2: which dimensions of an embedding stay, for which relations.
struct PruneOptions {
  std::string groups = "auto";
  std::int64_t max_groups = 10;
  double group_gain = 0.1;
  std::int64_t keep_dims = 100;
  std::string scope = "group";
  std::string selector = "dft";
  std::string projection = "logistic";
  std::int64_t bins = 32;
  std::int64_t max_facts = 200'000;
  std::string phase_form = "angle";
  std::vector<std::string> store = {"float32"};
  std::int64_t refit_epochs = 0;
  double refit_rate = 0.3;

  static void declare(OptionList<PruneOptions>& o) {
    o.add("groups", &PruneOptions::groups,
          "number of relation groups (k-means on the relations' vectors), or auto, which stops where the "
          "mean cost of the dimensions stops falling. More: better features, more classifiers");
    o.add("max_groups", &PruneOptions::max_groups, "with --groups auto: largest number of groups to try",
          {.min = 1, .max = 1000});
    o.add("group_gain", &PruneOptions::group_gain,
          "with --groups auto: minimum improvement that one more group must bring, as a share of the total "
          "fall of the mean cost",
          {.min = 0, .max = 1});
    o.add("keep_dims", &PruneOptions::keep_dims,
          "number of dimensions to keep in each group. More: more accurate, larger, slower",
          {.min = 1, .max = 100'000});
    o.add("scope", &PruneOptions::scope,
          "choose the dimensions per group, or the same dimensions for all groups",
          {.choices = {"group", "global"}});
    o.add("selector", &PruneOptions::selector,
          "how dimensions are chosen: dft, lowest cost in the discriminant feature test; dft-reversed, "
          "highest cost; random; variance; importance in a random forest; none keeps all dimensions",
          {.choices = prune_selectors()});
    o.add("projection", &PruneOptions::projection,
          "how the test combines the variables of a dimension into one: logistic regression or principal "
          "component",
          {.choices = {"logistic", "pca"}});
    o.add("bins", &PruneOptions::bins,
          "number of bins in the test; it looks for the best split at their edges",
          {.min = 2, .max = 65'536});
    o.add("max_facts", &PruneOptions::max_facts,
          "maximum number of facts per group, each paired with a negative, for testing the dimensions; 0: "
          "all. More: more reliable, slower",
          {.min = 0, .max = 1e12});
    o.add("phase_form", &PruneOptions::phase_form,
          "rotate: use a relation's phase as one variable, as in the paper, or as its cosine and sine",
          {.choices = {"angle", "cos-sin"}});
    o.add("store", &PruneOptions::store,
          "storage formats of the entities' variables, separated by commas; default float32",
          {.choices = {"float32", "8-bit", "5-bit"}});
    o.add("refit_epochs", &PruneOptions::refit_epochs,
          "number of epochs to continue training the pruned vectors with the embedding's loss; the facts of "
          "each group train the dimensions that the group keeps. More: more accurate, slower",
          {.min = 0, .max = 1e6});
    o.add("refit_rate", &PruneOptions::refit_rate, "learning rate of the refit epochs",
          {.min = 1e-8, .max = 100});
  }

  void validate() const;  // throws kUsage where options contradict each other
};

// Of a dimension's projected variable: counts in equal bins from low to high.
struct CostHistogram {
  std::uint32_t dim = 0;
  double cost = 0;  // in bits
  double low = 0;
  double high = 0;
  std::vector<std::uint64_t> observed;
  std::vector<std::uint64_t> corrupted;
};

struct PrunedGroup {
  std::vector<RelationId> relations;
  std::uint64_t facts = 0;          // that dimensions were tested on
  std::uint64_t corrupted = 0;      // as many, unless some facts have no corrupted double
  std::vector<std::uint32_t> kept;  // dimensions of the embedding, best first
  std::vector<double> costs;        // of the discriminant feature test, in bits, by dimension
  std::vector<double> selection;    // what the selector went by, lowest first: sorted, for its figure
  CostHistogram best;
  CostHistogram worst;
};

struct PruneResult {
  std::string model;
  std::uint64_t dims = 0;        // before
  std::uint64_t keep_dims = 0;   // per group
  std::uint64_t union_dims = 0;  // kept by at least one group, and so stored
  std::vector<PrunedGroup> groups;
  std::vector<double> mean_costs;  // by number of groups, from 1; empty unless the number was chosen here
  std::uint64_t unconverged = 0;   // regressions that did not converge
  double valid_mrr = -1;           // with refit: filtered, on a sample; before and after; -1: not measured
  double refit_valid_mrr = -1;
  std::uint64_t refit_epoch = 0;  // whose vectors were kept; 0: none was better than the pruned ones
  double seconds = 0;
  std::uint64_t bytes = 0;         // of the file
  std::uint64_t source_bytes = 0;  // of the embedding's file
};

struct PruneRun {
  std::filesystem::path embeddings;  // from `greenkgc embed`
  std::filesystem::path out;
};

// Groups relations, tests each dimension on the train split, prunes, and writes features (safetensors) to
// `out`; appends to log.jsonl beside it. The same options and seed give the same bytes on one machine, for
// any number of threads. Throws kUsage if there are fewer relations than groups or fewer dimensions than are
// to be kept.
GREENKGC_API PruneResult prune_embedding(const Dataset& dataset, const PruneOptions& options,
                                         const PruneRun& run, const Context& context);

}  // namespace greenkgc
