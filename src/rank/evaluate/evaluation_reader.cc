#include "rank/evaluate/evaluation_reader.h"

#include <nlohmann/json.hpp>

#include "rank/evaluate/completion_json.h"

namespace greenkgc::rank {
namespace {

using Json = nlohmann::ordered_json;

RankMetrics read_rank_metrics(const Json& json) {
  return {json.at("mrr"), json.at("mr"), json.at("hits_at_1"), json.at("hits_at_3"), json.at("hits_at_10")};
}

TieMetrics tie_metrics(const Json& json) {
  return {json.at("queries"), read_rank_metrics(json.at("realistic")),
          read_rank_metrics(json.at("optimistic")), read_rank_metrics(json.at("pessimistic")),
          json.at("mrr_standard_error")};
}

ModelFigures model_figures(const Json& json) {
  return {.entity_parameters = json.at("entity_parameters"),
          .relation_parameters = json.at("relation_parameters"),
          .tree_parameters = json.at("tree_parameters"),
          // Version 0.1 did not count it.
          .second_stage_parameters = json.value("second_stage_parameters", std::uint64_t{0}),
          .bytes = json.at("bytes"),
          .memory_bytes = json.at("memory_bytes")};
}

Reliability reliability(const Json& json) {
  return {json.at("candidates"), json.at("facts"), json.at("expected_calibration_error"),
          read_bins(json.at("bins"))};
}

}  // namespace

ReadEvaluation read_evaluation(const Json& json) {
  ReadEvaluation read;
  Evaluation& e = read.evaluation;
  e.protocol = json.at("protocol");
  e.self_answers = json.value("self_answers", true);
  e.split = json.at("split");
  e.seconds = json.at("seconds");
  e.inference_seconds = json.at("inference_seconds");
  e.sides = {tie_metrics(json.at("both")), tie_metrics(json.at("head")), tie_metrics(json.at("tail"))};
  for (std::size_t c = 0; c < e.categories.size(); ++c) {
    const Json& category =
        json.at("categories").at(std::string(category_name(static_cast<RelationCategory>(c))));
    e.categories[c] = {{}, tie_metrics(category.at("head")), tie_metrics(category.at("tail"))};
  }
  if (json.contains("relations")) {
    for (const Json& relation : json.at("relations"))
      read.relations.push_back({relation.at("relation"),
                                {tie_metrics(relation.at("both")), tie_metrics(relation.at("head")),
                                 tie_metrics(relation.at("tail"))}});
  }
  if (json.contains("model")) e.model = model_figures(json.at("model"));
  if (json.contains("calibration")) {
    const Json& calibration = json.at("calibration");
    e.calibration = {calibration.at("questions"), reliability(calibration.at("top_10")),
                     reliability(calibration.at("all"))};
  }
  return read;
}

}  // namespace greenkgc::rank
