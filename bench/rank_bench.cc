// rank_bench random [TREES] [DEPTH] [ENTITIES] [THREADS] [GROUPS]: margins of all entities by random trees
// over features of the size of FB15k-237's (14,541 entities, 237 relations, 32 dimensions of RotatE). Prints
// one line of JSON: milliseconds of processor time per query for many queries at once and for one alone (top
// 10), for ranking, and microseconds per fact. rank_bench model FILE [THREADS]: how long a model takes to
// open and to answer, by the clock, and how long XGBoost's predict takes for the margins of all answers to
// one question by the same trees, its matrix made beforehand.
#include <fmt/format.h>
#include <xgboost/c_api.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "greenkgc/model.h"
#include "measure.h"
#include "model/model_file.h"
#include "rank/rankers/fact_margins.h"
#include "rank/rankers/first_stage_ranker.h"
#include "simd/targets.h"
#include "support/random_decisions.h"
#include "trees/classed_trees.h"
#include "trees/xgboost_json.h"

using namespace greenkgc;
using namespace greenkgc::rank;
using greenkgc::bench::cpu_seconds;
using greenkgc::bench::peak_megabytes;
using greenkgc::bench::seconds_since;

namespace {

constexpr std::size_t kQueries = 384;  // four blocks
constexpr std::size_t kLoneQueries = 100;
constexpr int kRepeats = 5;

// By the processor: a busy machine stretches time by the clock.
template <class Work>
double seconds_of(const Work& work) {
  const double start = cpu_seconds();
  work();
  return cpu_seconds() - start;
}

// The machine may be busy: the best of some runs.
template <class Work>
double best_seconds(const Work& work) {
  double best = seconds_of(work);
  for (int i = 1; i < kRepeats; ++i) best = std::min(best, seconds_of(work));
  return best;
}

std::vector<RankQuery> random_queries(std::uint32_t entities, std::uint32_t relations) {
  std::mt19937 random(1);
  std::vector<RankQuery> queries;
  for (std::size_t i = 0; i < kQueries; ++i)
    queries.push_back({EntityId{static_cast<std::uint32_t>(random() % entities)},
                       RelationId{static_cast<std::uint32_t>(random() % relations)},
                       EntityId{static_cast<std::uint32_t>(random() % entities)},
                       i < kQueries / 2 ? Side::kTail : Side::kHead});
  return queries;
}

std::vector<Query> questions(std::span<const RankQuery> queries) {
  std::vector<Query> asked;
  for (const RankQuery& query : queries) asked.push_back(query.query());
  return asked;
}

void measure_random(const DecisionsSize& size, int threads) {
  const model::Decisions decisions = RandomDecisions(size).make();
  const Context context{.threads = threads};
  const auto queries = random_queries(size.entities, size.relations);
  const auto asked = questions(queries);
  const FirstStageRanker ranker(decisions);

  const double prepare = best_seconds(
      [&] { trees::ClassedTrees(decisions.groups[0].trees, decisions.tables, features::TriplePart::kTail); });
  const double batch = best_seconds([&] { ranker.best(asked, {}, context); }) / kQueries;
  const double rank = best_seconds([&] { ranker.ranks(queries, {}, context); }) / kQueries;
  const double fact = best_seconds([&] { ranker.scores(queries, context); }) / kQueries;
  std::vector<double> lone;
  for (std::size_t i = 0; i < kLoneQueries; ++i)
    lone.push_back(seconds_of([&] { ranker.best({&asked[i], 1}, {}, context); }));
  std::sort(lone.begin(), lone.end());
  fmt::print(
      R"({{"kernels": "{}", "entities": {}, "trees": {}, "depth": {}, "threads": {}, "prepare_ms": {:.3f}, )"
      R"("batch_ms": {:.4f}, "rank_ms": {:.4f}, "fact_us": {:.2f}, "lone_best_ms": {:.3f}, )"
      R"("lone_p50_ms": {:.3f}, "lone_p99_ms": {:.3f}, "peak_mb": {:.0f}}})"
      "\n",
      simd::kernel_target(), size.entities, size.trees, size.depth, context.thread_count(), prepare * 1e3,
      batch * 1e3, rank * 1e3, fact * 1e6, lone.front() * 1e3, lone[kLoneQueries / 2] * 1e3,
      lone[kLoneQueries * 99 / 100] * 1e3, peak_megabytes());
}

void check(int code) {
  if (code != 0) throw std::runtime_error(XGBGetLastError());
}

// Margins by XGBoost of all answers to a question for tails, from rows of levels.
class XgboostPredictor {
 public:
  XgboostPredictor(const model::Decisions& decisions, const Query& query, int threads)
      : rows_(decisions.tables.entities.rows()) {
    std::vector<trees::TripleColumn> columns;
    for (const auto part :
         {features::TriplePart::kHead, features::TriplePart::kRelation, features::TriplePart::kTail}) {
      for (std::uint32_t v = 0; v < decisions.tables.of(part).columns(); ++v) columns.push_back({part, v});
    }
    columns_ = columns.size();
    for (std::uint32_t row = 0; row < rows_; ++row) {
      const std::array ids = {index(query.known), index(query.relation), row};
      for (const auto& [part, variable] : columns) {
        const features::BinnedTable& table = decisions.tables.of(part);
        matrix_.push_back(table.levels(variable)[table.bins(variable)[ids[static_cast<std::size_t>(part)]]]);
      }
    }
    const auto& trees = decisions.groups[decisions.group_of[index(query.relation)]].trees;
    const std::string json = trees::to_xgboost_json(trees, columns);
    check(XGBoosterCreate(nullptr, 0, &booster_));
    check(XGBoosterLoadModelFromBuffer(booster_, json.data(), json.size()));
    check(XGBoosterSetParam(booster_, "nthread", std::to_string(threads).c_str()));
  }
  ~XgboostPredictor() { XGBoosterFree(booster_); }
  XgboostPredictor(const XgboostPredictor&) = delete;
  XgboostPredictor& operator=(const XgboostPredictor&) = delete;

  // Of a new matrix each time, for XGBoost remembers what it predicted for one.
  double seconds(std::vector<float>& margins) const {
    DMatrixHandle data = nullptr;
    check(XGDMatrixCreateFromMat(matrix_.data(), rows_, columns_, NAN, &data));
    bst_ulong count = 0;
    const float* values = nullptr;
    const auto start = std::chrono::steady_clock::now();
    check(XGBoosterPredict(booster_, data, 1, 0, 0, &count, &values));
    const double seconds = seconds_since(start);
    margins.assign(values, values + count);
    XGDMatrixFree(data);
    return seconds;
  }

 private:
  std::uint32_t rows_;
  std::size_t columns_ = 0;
  std::vector<float> matrix_;
  BoosterHandle booster_ = nullptr;
};

// The greatest difference between our margins of a question's answers, without base margins, and XGBoost's.
double difference(model::Decisions decisions, const Query& query, std::span<const float> theirs) {
  decisions.base.clear();
  std::vector<RankQuery> facts;
  for (std::uint32_t e = 0; e < theirs.size(); ++e)
    facts.push_back({query.known, query.relation, EntityId{e}, query.side});
  const auto ours = margins_of(decisions, facts, Context{});
  double most = 0;
  for (std::size_t e = 0; e < theirs.size(); ++e)
    most = std::max(most, std::abs(static_cast<double>(ours[e] - theirs[e])));
  return most;
}

void measure_model(const std::string& path, int threads) {
  std::vector<double> open;
  for (int i = 0; i < 20; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const Model model = Model::open(path);
    open.push_back(seconds_since(start));
  }
  std::sort(open.begin(), open.end());

  const model::Decisions decisions = model::read_model(path).decisions;
  const FirstStageRanker ranker(decisions);
  const Context context{.threads = threads};
  const auto asked =
      questions(random_queries(decisions.tables.entities.rows(), decisions.tables.relations.rows()));
  std::vector<double> lone;
  double batch = 1e9;
  for (int i = 0; i < kRepeats; ++i) {
    for (const Query& query : asked) {
      const auto start = std::chrono::steady_clock::now();
      ranker.best({&query, 1}, {}, context);
      lone.push_back(seconds_since(start));
    }
    const auto start = std::chrono::steady_clock::now();
    ranker.best(asked, {}, context);
    batch = std::min(batch, seconds_since(start) / static_cast<double>(asked.size()));
  }
  std::sort(lone.begin(), lone.end());

  const XgboostPredictor xgboost(decisions, asked[0], threads);
  std::vector<float> margins;
  double predict = xgboost.seconds(margins);
  for (int i = 0; i < kRepeats; ++i) predict = std::min(predict, xgboost.seconds(margins));
  fmt::print(
      R"({{"kernels": "{}", "entities": {}, "trees": {}, "threads": {}, "open_ms": {:.2f}, "batch_ms": {:.4f}, )"
      R"("lone_p50_ms": {:.3f}, "lone_p99_ms": {:.3f}, "xgboost_ms": {:.1f}, "difference": {:.1e}}})"
      "\n",
      simd::kernel_target(), margins.size(), decisions.groups[0].trees.trees.size(), context.thread_count(),
      open[open.size() / 2] * 1e3, batch * 1e3, lone[lone.size() / 2] * 1e3,
      lone[lone.size() * 99 / 100] * 1e3, predict * 1e3, difference(decisions, asked[0], margins));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const auto number = [&](int i, int otherwise) { return argc > i ? std::atoi(argv[i]) : otherwise; };
  try {
    simd::apply_kernel_environment();
    if (what == "model" && argc > 2) {
      measure_model(argv[2], number(3, 1));
      return 0;
    }
    const int trees = number(2, 1200);
    const int depth = number(3, 5);
    const int entities = number(4, 14'541);
    if (what != "random" || trees < 0 || depth < 0 || depth > static_cast<int>(trees::kMostTreeDepth) ||
        entities < 1) {
      fmt::print(stderr,
                 "usage: rank_bench random [TREES] [DEPTH] [ENTITIES] [THREADS] [GROUPS]\n"
                 "       rank_bench model FILE [THREADS]\n");
      return 2;
    }
    measure_random({.entities = static_cast<std::uint32_t>(entities),
                    .relations = 237,
                    .dims = 32,
                    .groups = static_cast<std::uint32_t>(std::max(1, number(6, 1))),
                    .trees = static_cast<std::size_t>(trees),
                    .depth = static_cast<std::size_t>(depth),
                    .leaf_rate = 0},
                   number(5, 1));
  } catch (const std::exception& error) {
    fmt::print(stderr, "rank_bench: {}\n", error.what());
    return 1;
  }
  return 0;
}
