// graph_bench DATA [THREADS]: reads the data and indexes them, and prints what it took as one line of JSON.
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <exception>
#include <span>

#include "graph/io/dataset_reader.h"
#include "graph/known_facts.h"
#include "measure.h"

using namespace greenkgc;
using greenkgc::bench::peak_megabytes;
using greenkgc::bench::seconds_since;

namespace {

void measure(const char* data, int threads) {
  const Context context{.threads = threads};
  auto start = std::chrono::steady_clock::now();
  const auto dataset = graph::read_dataset(data, {.valid_share = 0, .test_share = 0}, context);
  const double load_seconds = seconds_since(start);
  const double load_peak = peak_megabytes();

  std::array<std::span<const Triple>, 3> parts = {
      (*dataset)[Split::kTrain].triples, (*dataset)[Split::kValid].triples, (*dataset)[Split::kTest].triples};
  std::size_t triples = 0;
  for (const auto& part : parts) triples += part.size();
  start = std::chrono::steady_clock::now();
  const graph::KnownFacts facts(parts, dataset->entities.size(), context);
  const double index_seconds = seconds_since(start);

  fmt::print(
      R"({{"triples": {}, "entities": {}, "relations": {}, "load_seconds": {:.4f}, "load_peak_mb": {:.0f}, )"
      R"("index_seconds": {:.4f}, "index_bytes_per_triple": {:.2f}, "peak_mb": {:.0f}}})"
      "\n",
      triples, dataset->entities.size(), dataset->relations.size(), load_seconds, load_peak, index_seconds,
      static_cast<double>(facts.bytes()) / static_cast<double>(facts.size()), peak_megabytes());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: graph_bench DATA [THREADS]\n");
    return 2;
  }
  try {
    measure(argv[1], argc > 2 ? std::atoi(argv[2]) : 0);
  } catch (const std::exception& error) {
    fmt::print(stderr, "graph_bench: {}\n", error.what());
    return 1;
  }
  return 0;
}
