#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "simd/targets.h"
#include "simd/text/separators.h"

namespace greenkgc::simd {
namespace {

std::string table_text() {
  std::string text;
  while (text.size() < 256 << 10) text += "Q1234567\tP123\tQ7654321\n";
  return text;
}

void BM_FindSeparators(benchmark::State& state, const std::string& target) {
  force_kernel_target(target);
  const std::string text = table_text();
  std::vector<std::uint32_t> positions;
  for (auto _ : state) {
    positions.clear();
    benchmark::DoNotOptimize(find_separators(text, '\t', positions));
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
  force_kernel_target("");
}

void BM_FindSeparatorsPlainLoop(benchmark::State& state) {
  const std::string text = table_text();
  std::vector<std::uint32_t> positions;
  for (auto _ : state) {
    positions.clear();
    for (std::uint32_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\t' || text[i] == '\n') positions.push_back(i);
    }
    benchmark::DoNotOptimize(positions.data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(BM_FindSeparatorsPlainLoop);

[[maybe_unused]] const bool kRegistered = [] {
  for (const std::string& target : available_kernel_targets()) {
    benchmark::RegisterBenchmark(("BM_FindSeparators/" + target).c_str(), BM_FindSeparators, target);
  }
  return true;
}();

}  // namespace
}  // namespace greenkgc::simd
