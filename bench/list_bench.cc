// list_bench ours|xgboost|score [ROWS] [TREES] [THREADS] [DEPTH]: trees over lists of 200 candidates with 40
// features, half of the lists and .4 of the features a tree; or the time of scoring one list. Prints one line
// of JSON. The two learners run in programs of their own, so that each has its own peak memory.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>

#include "measure.h"
#include "support/random_lists.h"
#include "trees/train/lists/list_learner.h"
#ifdef GREENKGC_HAS_XGBOOST
#include "support/xgboost_reference.h"
#endif

using namespace greenkgc;
using namespace greenkgc::trees;

namespace {

constexpr std::size_t kFeatures = 40;
constexpr std::size_t kCandidates = 200;

struct Run {
  std::string what;
  std::size_t rows;
  std::size_t trees;
  int threads;
  std::size_t depth;
};

ListLearnerOptions options_of(const Run& run) {
  ListLearnerOptions options;
  options.trees = run.trees;
  options.depth = run.depth;
  options.evaluate_every = run.trees;
  return options;
}

void measure_ours(const Run& run, const RandomLists& problem) {
  const auto start = std::chrono::steady_clock::now();
  const double cpu = bench::cpu_seconds();
  const auto learned =
      learn_list_trees({problem.lists, problem.cuts}, options_of(run), {.threads = run.threads});
  const auto trees = static_cast<double>(run.trees);
  fmt::print(
      R"({{"learner": "ours", "rows": {}, "seconds_per_tree": {:.4f}, "cpu_seconds_per_tree": {:.4f}, )"
      R"("loss": {:.6f}, "mrr": {:.4f}, "megabytes": {:.0f}}})"
      "\n",
      problem.lists.rows(), bench::seconds_since(start) / trees, (bench::cpu_seconds() - cpu) / trees,
      learned.curve.back().training.loss, learned.curve.back().training.mrr, bench::peak_megabytes());
}

// With our gradients, whose time counts here too, on rows and features of XGBoost's own choice.
void measure_xgboost([[maybe_unused]] const Run& run, [[maybe_unused]] const RandomLists& problem) {
#ifdef GREENKGC_HAS_XGBOOST
  const ListLearnerOptions options = options_of(run);
  XgboostReference theirs(problem.lists,
                          {{"objective", "binary:logistic"},
                           {"base_score", "0.5"},
                           {"tree_method", "hist"},
                           {"max_bin", "256"},
                           {"max_depth", std::to_string(options.depth)},
                           {"eta", fmt::format("{}", options.rate)},
                           {"lambda", fmt::format("{}", options.split.lambda)},
                           {"min_child_weight", fmt::format("{}", options.split.min_child_weight)},
                           {"subsample", fmt::format("{}", options.list_share)},
                           {"colsample_bytree", fmt::format("{}", options.column_share)},
                           {"nthread", std::to_string(run.threads)},
                           {"verbosity", "0"}});
  std::vector<float> margins(problem.lists.rows());
  std::vector<simd::GradientPair> gradients(margins.size());
  const Context context{.threads = run.threads};
  const auto grow = [&] {
    list_gradients(options.objective, problem.lists, margins, gradients, context);
    theirs.grow_tree(gradients);
    margins = theirs.margins();
  };
  grow();  // the first sorts features into bins
  const auto start = std::chrono::steady_clock::now();
  const double cpu = bench::cpu_seconds();
  for (std::size_t tree = 1; tree < run.trees; ++tree) grow();
  const auto trees = static_cast<double>(run.trees - 1);
  const double seconds = bench::seconds_since(start) / trees;
  const ListFigures figures = list_figures(options.objective, problem.lists, margins, context);
  fmt::print(
      R"({{"learner": "xgboost", "rows": {}, "seconds_per_tree": {:.4f}, "cpu_seconds_per_tree": {:.4f}, )"
      R"("loss": {:.6f}, "mrr": {:.4f}, "megabytes": {:.0f}}})"
      "\n",
      problem.lists.rows(), seconds, (bench::cpu_seconds() - cpu) / trees, figures.loss, figures.mrr,
      bench::peak_megabytes());
#endif
}

void measure_scoring(const Run& run, const RandomLists& problem) {
  ListLearnerOptions options = options_of(run);
  options.evaluate_every = 0;
  options.split.min_child_weight = 1;  // so that trees are full
  const auto learned = learn_list_trees({problem.lists, problem.cuts}, options, {.threads = run.threads});
  std::size_t nodes = 0;
  for (const trees::ListTree& tree : learned.trees) nodes += tree.nodes.size();
  const trees::ListScorer scorer({std::vector<std::string>(kFeatures), problem.cuts, learned.trees});
  std::vector<float> margins(kCandidates);
  double best = 1e9;
  const std::size_t lists = std::min<std::size_t>(1000, problem.labels.size() / kCandidates);
  for (std::size_t list = 0; list < lists; ++list) {
    const auto start = std::chrono::steady_clock::now();
    scorer.add_values(
        std::span(problem.values).subspan(list * kCandidates * kFeatures, kCandidates * kFeatures), margins);
    best = std::min(best, bench::seconds_since(start));
  }
  fmt::print(R"({{"rows": {}, "trees": {}, "depth": {}, "nodes": {}, "milliseconds": {:.3f}}})"
             "\n",
             kCandidates, run.trees, run.depth, nodes, 1e3 * best);
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int i, long otherwise) { return argc > i ? std::atol(argv[i]) : otherwise; };
  const Run run{argc > 1 ? argv[1] : "ours", static_cast<std::size_t>(number(2, 2'000'000)),
                static_cast<std::size_t>(number(3, 20)), static_cast<int>(number(4, 1)),
                static_cast<std::size_t>(number(5, 7))};
  // Lists are half as long as the longest in the mean.
  const RandomLists problem(2 * run.rows / kCandidates, kCandidates, kFeatures, 1);
  if (run.what == "ours") measure_ours(run, problem);
  if (run.what == "xgboost") measure_xgboost(run, problem);
  if (run.what == "score") measure_scoring(run, problem);
}
