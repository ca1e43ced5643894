#pragma once

#include <fmt/format.h>

#include "greenkgc/error.h"
#include "greenkgc/score.h"

namespace greenkgc {

inline void check_prior(const ScoreOptions& options) {
  if (!(options.prior >= 0 && options.prior < 1))
    throw Error(ErrorCode::kUsage,
                fmt::format("prior must be at least 0 and below 1, not {}", options.prior));
}

}  // namespace greenkgc
