#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "greenkgc/evaluate.h"

namespace greenkgc::rank {

struct NamedRelationMetrics {
  std::string relation;
  SideMetrics sides;
};

struct ReadEvaluation {
  Evaluation evaluation;  // without relations, whose ids are not in the JSON
  std::vector<NamedRelationMetrics> relations;
};

// The reverse of evaluation_json(). Throws nlohmann's exceptions for JSON that does not come from there.
ReadEvaluation read_evaluation(const nlohmann::ordered_json& json);

}  // namespace greenkgc::rank
