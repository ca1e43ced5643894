#pragma once

#include <string>

#include "greenkgc/export.h"

namespace greenkgc {

struct BuildInfo {
  std::string version;  // "0.2.0"
  std::string kernels;  // the instruction set of our own kernels, as Highway names it: "AVX3_DL", "NEON"
  bool kernels_forced;  // by the environment variable GREENKGC_KERNELS
  std::string blas;     // OpenBLAS version and the core it chose
  std::string compiler;
};

// Throws Error{kUsage} if GREENKGC_KERNELS names an instruction set that this program or machine lacks.
GREENKGC_API BuildInfo build_info();

}  // namespace greenkgc
