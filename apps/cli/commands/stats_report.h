#pragma once

#include <string>

#include "cli/command.h"
#include "greenkgc/dataset.h"
#include "greenkgc/stats.h"

namespace greenkgc::cli {

// The report that people read; `top` is how many relations it lists at most, 0: all.
std::string stats_text(const Dataset& dataset, const GraphStats& stats, std::size_t top);

// All of it, every relation included.
Json stats_json(const Dataset& dataset, const GraphStats& stats);

}  // namespace greenkgc::cli
