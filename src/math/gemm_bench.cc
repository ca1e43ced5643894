#include <benchmark/benchmark.h>

#include <vector>

#include "math/gemm.h"

namespace greenkgc::math {
namespace {

// The shape of a training step: a batch of 1,024 queries against 512 shared negatives in 1,000 floats.
void BM_Gemm(benchmark::State& state) {
  constexpr std::size_t kRows = 1024;
  constexpr std::size_t kCols = 512;
  constexpr std::size_t kInner = 1000;
  const std::vector<float> a(kRows * kInner, 0.5F);
  const std::vector<float> b(kCols * kInner, 0.25F);
  std::vector<float> c(kRows * kCols);
  const Context context{.threads = static_cast<int>(state.range(0))};
  for (auto _ : state) {
    parallel_gemm(context, {a.data(), kRows, kInner, kInner}, {b.data(), kCols, kInner, kInner},
                  {c.data(), kRows, kCols, kCols}, {.transpose_b = Transpose::kYes});
    benchmark::DoNotOptimize(c.data());
  }
  state.counters["GFLOP/s"] = benchmark::Counter(
      2e-9 * kRows * kCols * kInner * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(BM_Gemm)->Arg(1)->Arg(2)->UseRealTime();

}  // namespace
}  // namespace greenkgc::math
