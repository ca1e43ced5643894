#include "kernels/gemm.h"

#include <cblas.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <string_view>

#include "kernels/parallel.h"

// Of OpenBLAS built for several processors, but not in its header; absent from other builds.
extern "C" {
__attribute__((weak)) void gotoblas_dynamic_init();
__attribute__((weak)) void gotoblas_dynamic_quit();
}

namespace greenkgc {
namespace {

constexpr const char* kCoreVariable = "OPENBLAS_CORETYPE";

// Rows of C per task of parallel_gemm: large enough that packing B again for each block costs little
// (2 * cols * k bytes moved for 2 * kRowBlock * cols * k flops), small enough to balance a batch of 1,024
// over cores.
constexpr std::size_t kRowBlock = 256;

// A processor that is newer than OpenBLAS is taken for the oldest one that OpenBLAS knows: 0.3.21 of Debian
// 12 then does 20 GFLOP/s on a Xeon of 2023 instead of 72. Here the newest one with the same instructions is
// named instead, unless the user has named one.
void choose_blas_core() {
#if defined(__x86_64__)
  if (gotoblas_dynamic_init == nullptr || gotoblas_dynamic_quit == nullptr) return;
  if (std::getenv(kCoreVariable) != nullptr || openblas_get_corename() != std::string_view("Prescott"))
    return;
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512 = __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd");
  if (!avx2) return;
  ::setenv(kCoreVariable, avx512 ? "SkylakeX" : "Haswell", 1);
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  ::unsetenv(kCoreVariable);
#endif
}

void prepare_blas() {
  static std::once_flag once;
  std::call_once(once, [] {
    choose_blas_core();
    openblas_set_num_threads(1);
  });
}

// Rows [begin, end) of op(A).
MatrixView row_block(MatrixView a, Transpose transpose, std::size_t begin, std::size_t end) {
  if (transpose == Transpose::kYes) return {a.data + begin, a.rows, end - begin, a.stride};
  return {a.data + begin * a.stride, end - begin, a.cols, a.stride};
}

CBLAS_TRANSPOSE cblas(Transpose transpose) {
  return transpose == Transpose::kYes ? CblasTrans : CblasNoTrans;
}

}  // namespace

void gemm(MatrixView a, MatrixView b, MutableMatrixView c, GemmOptions options) {
  prepare_blas();
  if (c.rows == 0 || c.cols == 0) return;
  const std::size_t inner = options.transpose_a == Transpose::kYes ? a.rows : a.cols;
  const auto blas_int = [](std::size_t n) { return static_cast<blasint>(n); };
  cblas_sgemm(CblasRowMajor, cblas(options.transpose_a), cblas(options.transpose_b), blas_int(c.rows),
              blas_int(c.cols), blas_int(inner), options.alpha, a.data, blas_int(a.stride), b.data,
              blas_int(b.stride), options.beta, c.data, blas_int(c.stride));
}

void parallel_gemm(const Context& context, MatrixView a, MatrixView b, MutableMatrixView c,
                   GemmOptions options) {
  parallel_for(context, c.rows, kRowBlock, [&](std::size_t begin, std::size_t end) {
    gemm(row_block(a, options.transpose_a, begin, end), b,
         {c.data + begin * c.stride, end - begin, c.cols, c.stride}, options);
  });
}

std::string blas_description() {
  prepare_blas();
  const std::string_view config = openblas_get_config();  // "OpenBLAS 0.3.21 DYNAMIC_ARCH ..."
  const std::string_view name = config.substr(0, config.find(' ', config.find(' ') + 1));
  return fmt::format("{} on {}", name, openblas_get_corename());
}

}  // namespace greenkgc
