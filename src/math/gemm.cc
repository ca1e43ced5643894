#include "math/gemm.h"

#include <cblas.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <mutex>
#include <string_view>

#include "base/parallel.h"

// OpenBLAS with run-time dispatch has these; other builds do not.
extern "C" {
__attribute__((weak)) void gotoblas_dynamic_init(void);
__attribute__((weak)) void gotoblas_dynamic_quit(void);
}

namespace greenkgc::math {
namespace {

// The OpenBLAS name of the kernels that suit this CPU, or null where OpenBLAS's own choice cannot be
// bettered.
const char* cpu_core_type() {
#if defined(__x86_64__)
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (avx512) return "SkylakeX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
  return nullptr;
}

// Rows of C per task of parallel_gemm: large enough that packing B again for each block costs little
// (2 * cols * k bytes moved for 2 * kRowBlock * cols * k flops), small enough to balance a batch of 1,024
// over cores.
constexpr std::size_t kRowBlock = 256;

// OpenBLAS chooses its kernels by a list of CPU models, and takes those of 2004 (SSE3) for a CPU that is
// newer than itself: a sixth of the speed on an Emerald Rapids with Debian 12's OpenBLAS. The CPU's own word
// on what it can do is better; OPENBLAS_CORETYPE, if the user set it, is best.
void correct_blas_core() {
  constexpr std::array<std::string_view, 6> kFallbacks = {"Prescott", "Core2",     "Penryn",
                                                          "Nehalem",  "Barcelona", "Sandybridge"};
  const bool fallback =
      std::find(kFallbacks.begin(), kFallbacks.end(), openblas_get_corename()) != kFallbacks.end();
  if (!fallback || std::getenv("OPENBLAS_CORETYPE") != nullptr) return;
  if (gotoblas_dynamic_init == nullptr || gotoblas_dynamic_quit == nullptr) return;
  const char* core = cpu_core_type();
  if (core == nullptr) return;
  ::setenv("OPENBLAS_CORETYPE", core, 1);
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  ::unsetenv("OPENBLAS_CORETYPE");
}

void prepare_blas() {
  static std::once_flag once;
  std::call_once(once, [] {
    correct_blas_core();
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

}  // namespace greenkgc::math
