#include "kernels/gemm.h"

#include <cblas.h>
#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <string_view>

#include "kernels/parallel.h"

namespace greenkgc {
namespace {

// Rows of C per task of parallel_gemm: large enough that packing B again for each block costs little
// (2 * cols * k bytes moved for 2 * kRowBlock * cols * k flops), small enough to balance a batch of 1,024
// over cores.
constexpr std::size_t kRowBlock = 256;

void keep_blas_single_threaded() {
  static std::once_flag once;
  std::call_once(once, [] { openblas_set_num_threads(1); });
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
  keep_blas_single_threaded();
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
  keep_blas_single_threaded();
  const std::string_view config = openblas_get_config();  // "OpenBLAS 0.3.21 DYNAMIC_ARCH ..."
  const std::string_view name = config.substr(0, config.find(' ', config.find(' ') + 1));
  return fmt::format("{} on {}", name, openblas_get_corename());
}

}  // namespace greenkgc
