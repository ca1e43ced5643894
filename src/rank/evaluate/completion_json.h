#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

#include "greenkgc/evaluate.h"

namespace greenkgc {

// The object `completion` of metrics.json, which `evaluate --task completion --json` prints as well
// (docs/calibration.md).
nlohmann::ordered_json completion_json(const CompletionReport& report);
// The reverse; the ids of relations are not in the JSON. Throws nlohmann's exceptions for JSON that does not
// come from there.
CompletionReport read_completion(const nlohmann::ordered_json& json);

nlohmann::ordered_json bins_json(std::span<const ReliabilityBin> bins);
std::vector<ReliabilityBin> read_bins(const nlohmann::ordered_json& json);

}  // namespace greenkgc
