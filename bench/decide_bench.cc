// decide_bench ours|xgboost ROWS [TREES] [THREADS] [DEPTH]: boosted trees over triples with features of the
// size of FB15k-237's (14,541 entities, 237 relations, 32 dimensions of RotatE), each fact with 64 false
// tails and heads. Prints one line of JSON. The two learners run in programs of their own, so that each has
// its own peak memory.
#include <fmt/format.h>

#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "graph/io/dataset_reader.h"
#include "measure.h"
#include "support/random_problem.h"
#include "tensors/table_file.h"
#include "trees/train/learner.h"
#include "trees/train/sample_metrics.h"
#ifdef GREENKGC_HAS_XGBOOST
#include "support/xgboost_reference.h"
#endif

using namespace greenkgc;
using namespace greenkgc::trees;
using greenkgc::bench::cpu_seconds;
using greenkgc::bench::peak_megabytes;
using greenkgc::bench::seconds_since;

namespace {

constexpr std::uint32_t kFalseAnswers = 64;  // per side

struct Run {
  std::string learner;
  std::size_t rows = 650'000;
  std::size_t trees = 10;
  int threads = 0;
  std::size_t depth = 5;
  std::string data;
  std::string entities;
  std::string relations;
};

// Per tree, by the clock and by the processor.
struct Cost {
  double seconds = 0;
  double cpu_seconds = 0;
};

template <class Work>
Cost cost_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  const double cpu_start = cpu_seconds();
  work();
  return {seconds_since(start), cpu_seconds() - cpu_start};
}

struct Measured {
  Cost per_tree;
  double loss;
};

// Few entities have many facts. A fact is the likeliest of a few random triples, so that there is something
// to learn.
Triple random_fact(const RandomProblem& problem, const CounterRandom& random, std::uint64_t counter) {
  const auto entity = [&](std::uint64_t c) {
    const double u = random.unit(c);
    return static_cast<std::uint32_t>(u * u * u * problem.tables.entities.rows());
  };
  Triple best{};
  double best_score = -1e9;
  for (std::uint64_t i = 0; i < 8; ++i, counter += 3) {
    const std::uint32_t h = entity(counter);
    const std::uint32_t t = entity(counter + 1);
    const auto r = static_cast<std::uint32_t>(random.below(problem.tables.relations.rows(), counter + 2));
    double score = 0;
    for (std::size_t d = 0; d < 32; ++d)
      score += static_cast<double>(problem.entity_values[d][h] * problem.entity_values[d][t] +
                                   problem.relation_values[d][r] * problem.entity_values[d][t]);
    if (score > best_score) {
      best_score = score;
      best = {EntityId{h}, RelationId{r}, EntityId{t}};
    }
  }
  return best;
}

void add(Samples& samples, const Triple& triple, bool fact) {
  samples.ids[0].push_back(index(triple.head));
  samples.ids[1].push_back(index(triple.relation));
  samples.ids[2].push_back(index(triple.tail));
  samples.labels.push_back(fact ? 1 : 0);
}

struct Problem {
  features::SideTables tables;
  Samples samples;
};

// Until there are enough rows; facts repeat with other false answers.
void add_samples(const std::function<Triple(std::uint64_t)>& fact_at, std::size_t rows, Problem& problem) {
  Samples& samples = problem.samples;
  for (auto& ids : samples.ids) ids.reserve(rows);
  samples.labels.reserve(rows);
  const CounterRandom random(1, 9);
  std::uint64_t counter = 0;
  for (std::uint64_t i = 0; samples.size() + 2 * kFalseAnswers < rows; ++i) {
    const Triple fact = fact_at(i);
    samples.facts.push_back({samples.size(), kFalseAnswers, kFalseAnswers});
    add(samples, fact, true);
    for (std::uint32_t k = 0; k < 2 * kFalseAnswers; ++k) {
      Triple other = fact;
      (k < kFalseAnswers ? other.tail : other.head) =
          EntityId{static_cast<std::uint32_t>(random.below(problem.tables.entities.rows(), counter++))};
      add(samples, other, false);
    }
  }
}

features::BinnedTable binned_table(const std::string& path, const Context& context) {
  const tensors::FloatTable table = tensors::read_table(path, "", context).table;
  std::vector<std::vector<float>> columns(table.columns, std::vector<float>(table.rows));
  for (std::size_t i = 0; i < table.values.size(); ++i)
    columns[i % table.columns][i / table.columns] = table.values[i];
  features::BinnedTable binned(static_cast<std::uint32_t>(table.rows));
  binned.fill(columns, "row", features::kMostBins, context);
  return binned;
}

Problem make_problem(const Run& run, const Context& context) {
  Problem problem;
  if (run.data.empty()) {
    RandomProblem random(
        {.entities = 14'541, .relations = 237, .entity_columns = 64, .relation_columns = 64, .rows = 0}, 1,
        context);
    problem.tables = random.tables;
    const CounterRandom numbers(1, 8);
    add_samples([&](std::uint64_t i) { return random_fact(random, numbers, 24 * i); }, run.rows, problem);
    return problem;
  }
  problem.tables = {binned_table(run.entities, context), binned_table(run.relations, context)};
  const auto dataset = graph::read_dataset(run.data, {}, context);
  const auto& facts = (*dataset)[Split::kTrain].triples;
  if (dataset->entities.size() != problem.tables.entities.rows() ||
      dataset->relations.size() != problem.tables.relations.rows() || facts.empty())
    throw std::runtime_error("the tables are not those of the data");
  add_samples([&](std::uint64_t i) { return facts[i * 7919 % facts.size()]; }, run.rows, problem);
  return problem;
}

// The first tree is not counted: memory is touched for the first time then.
Measured measure_ours(const Problem& problem, const Run& run, const Context& context) {
  LearnerOptions options;
  options.depth = run.depth;
  options.evaluate_every = 0;
  trees::TreeEnsemble ensemble;
  const auto learn = [&](std::size_t trees) {
    options.trees = trees;
    return cost_of([&] {
      ensemble = learn_trees({problem.tables, problem.samples}, options, context).ensemble;
    });
  };
  const Cost first = learn(1);
  const Cost all = learn(run.trees + 1);
  const auto trees = static_cast<double>(run.trees);
  const Cost per_tree{(all.seconds - first.seconds) / trees, (all.cpu_seconds - first.cpu_seconds) / trees};
  std::vector<float> margins(problem.samples.size());
  for (std::size_t row = 0; row < margins.size(); ++row)
    margins[row] = static_cast<float>(margin_of(ensemble, problem.tables, problem.samples.triple(row)));
  return {per_tree, log_loss(margins, problem.samples.labels)};
}

#ifdef GREENKGC_HAS_XGBOOST
Measured measure_xgboost(const Problem& problem, const Run& run, const Context& context) {
  XgboostReference booster(problem.tables, problem.samples,
                           {{"objective", "binary:logistic"},
                            {"tree_method", "hist"},
                            {"max_bin", "256"},
                            {"base_score", "0.5"},
                            {"max_depth", std::to_string(run.depth)},
                            {"eta", "0.2"},
                            {"nthread", std::to_string(context.thread_count())},
                            {"verbosity", "0"}});
  booster.grow_tree();
  const Cost cost = cost_of([&] {
    for (std::size_t tree = 0; tree < run.trees; ++tree) booster.grow_tree();
  });
  const auto trees = static_cast<double>(run.trees);
  return {{cost.seconds / trees, cost.cpu_seconds / trees},
          log_loss(booster.margins(), problem.samples.labels)};
}
#else
Measured measure_xgboost(const Problem&, const Run&, const Context&) {
  throw std::runtime_error("built without XGBoost (libxgboost-dev)");
}
#endif

void measure(const Run& run) {
  const Context context{.threads = run.threads};
  const Problem problem = make_problem(run, context);
  const Measured measured =
      run.learner == "ours" ? measure_ours(problem, run, context) : measure_xgboost(problem, run, context);
  const auto rows = static_cast<double>(problem.samples.size());
  fmt::print(
      R"({{"learner": "{}", "rows": {}, "threads": {}, "depth": {}, "seconds_per_tree": {:.4f}, )"
      R"("cpu_seconds_per_tree": {:.4f}, "rows_per_second": {:.0f}, "log_loss": {:.6f}, "peak_mb": {:.0f}}})"
      "\n",
      run.learner, problem.samples.size(), context.thread_count(), run.depth, measured.per_tree.seconds,
      measured.per_tree.cpu_seconds, rows / measured.per_tree.seconds, measured.loss, peak_megabytes());
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int i, int otherwise) { return argc > i ? std::atoi(argv[i]) : otherwise; };
  const auto text = [&](int i) { return std::string(argc > i ? argv[i] : ""); };
  const std::string learner = argc > 1 ? argv[1] : "";
  const int rows = number(2, 0);
  if ((learner != "ours" && learner != "xgboost") || rows < 1000) {
    fmt::print(stderr,
               "usage: decide_bench ours|xgboost ROWS [TREES] [THREADS] [DEPTH] [DATA ENTITIES RELATIONS]\n");
    return 2;
  }
  try {
    measure({learner, static_cast<std::size_t>(rows), static_cast<std::size_t>(number(3, 10)), number(4, 0),
             static_cast<std::size_t>(number(5, 5)), text(6), text(7), text(8)});
  } catch (const std::exception& error) {
    fmt::print(stderr, "decide_bench: {}\n", error.what());
    return 1;
  }
  return 0;
}
