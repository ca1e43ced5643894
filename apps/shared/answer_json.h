#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "greenkgc/complete.h"
#include "greenkgc/facts.h"
#include "greenkgc/model.h"
#include "greenkgc/search.h"

namespace greenkgc::server {

// What a model answers, as JSON: the same from the command (--json) and from the service. The schemas are in
// openapi.json.
using Json = nlohmann::ordered_json;

Json fact_json(const Model& model, const Triple& fact);
// What was asked, with null in place of what is missing, the answers, and how many known ones are not among
// them because they are known.
Json answers_json(const Model& model, const Question& question, std::span<const Answer> answers,
                  std::uint64_t known_left_out);
// The facts that predict() with these options leaves out because the model holds them.
std::vector<Triple> known_left_out(const Model& model, const Question& question,
                                   const PredictOptions& options, const Context& context);
Json explanation_json(const Model& model, const Explanation& explanation);
Json neighbors_json(const Model& model, EntityId entity, std::optional<RelationId> relation,
                    std::span<const Neighbor> neighbors);

// What the splits of trees add, summed over dimensions.
Contribution sum_of(std::span<const Contribution> contributions);
// The missing part of the question, in an answer to it.
std::string_view answer_label(const Model& model, const Question& question, const Answer& answer);

// Labels are bytes; what is not UTF-8 in them becomes U+FFFD, since JSON has no other bytes.
std::string compact_text(const Json& json);

}  // namespace greenkgc::server
