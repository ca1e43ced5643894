#pragma once

#include <cstddef>
#include <string>

#include "greenkgc/context.h"

namespace greenkgc::math {

// A row-major matrix of floats that someone else owns. `stride` is the distance of rows, in floats.
struct MatrixView {
  const float* data;
  std::size_t rows;
  std::size_t cols;
  std::size_t stride;
};
struct MutableMatrixView {
  float* data;
  std::size_t rows;
  std::size_t cols;
  std::size_t stride;
};

enum class Transpose { kNo, kYes };

struct GemmOptions {
  Transpose transpose_a = Transpose::kNo;
  Transpose transpose_b = Transpose::kNo;
  float alpha = 1.0F;
  float beta = 0.0F;  // 0: C is overwritten, whatever it held (NaN too)
};

// C = alpha * op(A) * op(B) + beta * C on the calling thread, by OpenBLAS, which is kept at one thread:
// threads are ours (parallel.h), so that BLAS never fights them for cores. The sizes must fit; that is the
// caller's duty.
void gemm(MatrixView a, MatrixView b, MutableMatrixView c, GemmOptions options = {});

// The same with the rows of C shared out over the context's threads. The result depends on the block of rows
// that a row is in, but not on the number of threads.
void parallel_gemm(const Context& context, MatrixView a, MatrixView b, MutableMatrixView c,
                   GemmOptions options = {});

std::string blas_description();  // "OpenBLAS 0.3.21 on SkylakeX"

}  // namespace greenkgc::math
