// embed_bench step [THREADS]      training steps of RotatE at 1,000 floats, against sgemm of the same shapes
// embed_bench rank DATA           ranking all test queries over 1,000 floats
// embed_bench epoch DATA          one epoch of TransE at 100 floats
// Each prints one line of JSON.
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <string>

#include "base/random.h"
#include "graph/io/dataset_reader.h"
#include "graph/known_facts.h"
#include "kge/train/trainer.h"
#include "math/gemm.h"
#include "measure.h"
#include "rank/ranks.h"

using namespace greenkgc;
using greenkgc::bench::peak_megabytes;
using greenkgc::bench::seconds_since;

namespace {

// The three products of a step, by themselves: GFLOP/s.
double gemm_rate(std::size_t batch, std::size_t negatives, std::size_t width, const Context& context) {
  std::vector<float> q(batch * width, 0.5F);
  std::vector<float> c(negatives * width, 0.25F);
  std::vector<float> s(batch * negatives, 0.125F);
  const auto once = [&] {
    math::parallel_gemm(context, {q.data(), batch, width, width}, {c.data(), negatives, width, width},
                        {s.data(), batch, negatives, negatives}, {.transpose_b = math::Transpose::kYes});
    math::parallel_gemm(context, {s.data(), batch, negatives, negatives}, {c.data(), negatives, width, width},
                        {q.data(), batch, width, width}, {.alpha = 1e-6F});
    math::parallel_gemm(context, {s.data(), batch, negatives, negatives}, {q.data(), batch, width, width},
                        {c.data(), negatives, width, width},
                        {.transpose_a = math::Transpose::kYes, .alpha = 1e-6F});
  };
  once();
  const auto start = std::chrono::steady_clock::now();
  int rounds = 0;
  while (seconds_since(start) < 2) {
    once();
    ++rounds;
  }
  return 6e-9 * static_cast<double>(batch * negatives * width) * rounds / seconds_since(start);
}

void bench_step(int threads) {
  constexpr std::uint32_t kEntities = 14'541;  // the size of FB15k-237
  constexpr std::uint32_t kRelations = 237;
  EmbedOptions options;
  options.model = "rotate";
  options.dims = 500;
  options.batch = 1024;
  options.negatives = 512;
  options.epochs = 1'000;
  const Context context{.threads = threads};
  const CounterRandom random(1, 1);
  std::vector<Triple> facts;
  for (std::uint64_t i = 0; i < 60'000; ++i) {
    facts.push_back({EntityId{static_cast<std::uint32_t>(random.below(kEntities, 3 * i))},
                     RelationId{static_cast<std::uint32_t>(random.below(kRelations, 3 * i + 1))},
                     EntityId{static_cast<std::uint32_t>(random.below(kEntities, 3 * i + 2))}});
  }
  const std::array<std::span<const Triple>, 1> parts = {facts};
  const graph::KnownFacts known(parts, kEntities, context);
  kge::Trainer trainer(facts, known, options, kge::initial_embeddings(options, kEntities, kRelations, 1), 1);
  std::uint64_t queries = 0;
  trainer.run_epoch(0, context, [](std::uint64_t) {});
  const auto start = std::chrono::steady_clock::now();
  for (std::uint64_t epoch = 1; seconds_since(start) < 5; ++epoch)
    queries += trainer.run_epoch(epoch, context, [](std::uint64_t) {}).queries;
  const double seconds = seconds_since(start);
  const double rate = 6e-9 * static_cast<double>(queries) * 512 * 1000 / seconds;
  const double gemm = gemm_rate(1024, 512, 1000, context);
  fmt::print(R"({{"threads": {}, "queries_per_second": {:.0f}, "gflops": {:.1f}, "sgemm_gflops": {:.1f}}})"
             "\n",
             context.thread_count(), static_cast<double>(queries) / seconds, rate, gemm);
}

void bench_rank(const std::string& data) {
  const Context context;
  const auto dataset = graph::read_dataset(data, {}, context);
  EmbedOptions options;
  options.dims = 500;
  const auto embeddings =
      kge::initial_embeddings(options, dataset->entities.size(), dataset->relations.size(), 1);
  const std::array<std::span<const Triple>, 3> parts = {
      (*dataset)[Split::kTrain].triples, (*dataset)[Split::kValid].triples, (*dataset)[Split::kTest].triples};
  const graph::KnownFacts known(parts, dataset->entities.size(), context);
  std::vector<rank::RankQuery> queries;
  for (const Triple& fact : (*dataset)[Split::kTest].triples) {
    queries.push_back({fact.head, fact.relation, fact.tail, graph::Side::kTail});
    queries.push_back({fact.tail, fact.relation, fact.head, graph::Side::kHead});
  }
  const auto start = std::chrono::steady_clock::now();
  rank::rank_answers(embeddings, queries, {.known = &known}, context);
  fmt::print(R"({{"queries": {}, "seconds": {:.3f}}})"
             "\n",
             queries.size(), seconds_since(start));
}

void bench_epoch(const std::string& data) {
  const Context context;
  const auto dataset = graph::read_dataset(data, {.valid_share = 0, .test_share = 0}, context);
  EmbedOptions options;
  options.model = "transe";
  options.dims = 100;
  const auto& facts = (*dataset)[Split::kTrain].triples;
  const std::array<std::span<const Triple>, 1> parts = {facts};
  const graph::KnownFacts known(parts, dataset->entities.size(), context);
  const double before = peak_megabytes();
  kge::Trainer trainer(
      facts, known, options,
      kge::initial_embeddings(options, dataset->entities.size(), dataset->relations.size(), 1), 1);
  const auto start = std::chrono::steady_clock::now();
  trainer.run_epoch(0, context, [](std::uint64_t) {});
  const double seconds = seconds_since(start);
  const auto tables =
      2e-6 * 4 *
      static_cast<double>(trainer.embeddings().entities.size() + trainer.embeddings().relations.size());
  fmt::print(
      R"({{"triples": {}, "seconds": {:.2f}, "tables_and_state_mb": {:.0f}, "data_mb": {:.0f}, "peak_mb": {:.0f}}})"
      "\n",
      facts.size(), seconds, tables, before, peak_megabytes());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  try {
    if (mode == "step") {
      bench_step(argc > 2 ? std::atoi(argv[2]) : 0);
    } else if (mode == "rank" && argc > 2) {
      bench_rank(argv[2]);
    } else if (mode == "epoch" && argc > 2) {
      bench_epoch(argv[2]);
    } else {
      fmt::print(stderr, "usage: embed_bench step [THREADS] | rank DATA | epoch DATA\n");
      return 2;
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "embed_bench: {}\n", error.what());
    return 1;
  }
  return 0;
}
