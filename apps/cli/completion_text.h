#pragma once

#include <string>

#include "greenkgc/evaluate.h"

namespace greenkgc::cli {

// What `evaluate --task completion` says to people; the evaluation has a completion.
std::string completion_text(const Evaluation& evaluation);

// One line of it: "R-precision 0.640, right among p >= 0.5: 0.860 of 317".
std::string completion_line(const CompletionReport& report);

}  // namespace greenkgc::cli
