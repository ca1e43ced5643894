#include <array>
#include <nlohmann/json.hpp>

#include "greenkgc/evaluate.h"
#include "rank/evaluate/completion_json.h"

namespace greenkgc {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto kRankMetrics = std::to_array<RankMetric>({
    {"mrr", "MRR", 4, &RankMetrics::mrr},
    {"mr", "MR", 1, &RankMetrics::mr},
    {"hits_at_1", "H@1", 3, &RankMetrics::hits_at_1},
    {"hits_at_3", "H@3", 3, &RankMetrics::hits_at_3},
    {"hits_at_10", "H@10", 3, &RankMetrics::hits_at_10},
});

Json rank_json(const RankMetrics& metrics) {
  Json json;
  for (const RankMetric& metric : kRankMetrics) json[metric.key] = metrics.*metric.value;
  return json;
}

Json tie_json(const TieMetrics& m) {
  return {{"queries", m.queries},
          {"realistic", rank_json(m.realistic)},
          {"optimistic", rank_json(m.optimistic)},
          {"pessimistic", rank_json(m.pessimistic)},
          {"mrr_standard_error", m.mrr_standard_error}};
}

Json model_json(const ModelFigures& model) {
  return {{"parameters", model.parameters()},
          {"entity_parameters", model.entity_parameters},
          {"relation_parameters", model.relation_parameters},
          {"tree_parameters", model.tree_parameters},
          {"second_stage_parameters", model.second_stage_parameters},
          {"bytes", model.bytes},
          {"memory_bytes", model.memory_bytes}};
}

Json reliability_json(const Reliability& reliability) {
  return {{"candidates", reliability.candidates},
          {"facts", reliability.facts},
          {"expected_calibration_error", reliability.expected_calibration_error},
          {"bins", bins_json(reliability.bins)}};
}

Json completion_task_json(const Evaluation& evaluation) {
  Json json = {{"task", "completion"}};
  json.update(completion_json(*evaluation.completion));
  if (evaluation.skipped > 0) json["skipped"] = evaluation.skipped;
  return json;
}

Json all_json(const Evaluation& evaluation, const Dataset& dataset) {
  if (evaluation.completion) return completion_task_json(evaluation);
  Json categories = Json::object();
  for (std::size_t c = 0; c < evaluation.categories.size(); ++c) {
    categories[std::string(category_name(static_cast<RelationCategory>(c)))] = {
        {"head", tie_json(evaluation.categories[c].head)}, {"tail", tie_json(evaluation.categories[c].tail)}};
  }
  Json relations = Json::array();
  for (const RelationMetrics& relation : evaluation.relations) {
    relations.push_back({{"relation", dataset.label(relation.relation)},
                         {"both", tie_json(relation.sides.both)},
                         {"head", tie_json(relation.sides.head)},
                         {"tail", tie_json(relation.sides.tail)}});
  }
  Json json = {{"protocol", evaluation.protocol},
               {"split", evaluation.split},
               {"queries", evaluation.sides.both.queries},
               {"seconds", evaluation.seconds},
               {"inference_seconds", evaluation.inference_seconds},
               {"ms_per_query", evaluation.ms_per_query()},
               {"both", tie_json(evaluation.sides.both)},
               {"head", tie_json(evaluation.sides.head)},
               {"tail", tie_json(evaluation.sides.tail)},
               {"categories", categories},
               {"relations", relations}};
  if (evaluation.skipped > 0) json["skipped"] = evaluation.skipped;
  if (!evaluation.self_answers) json["self_answers"] = false;
  if (!evaluation.labels.empty())
    json["second_stage"] = {{"labels", evaluation.labels}, {"links", evaluation.links}};
  if (evaluation.model) json["model"] = model_json(*evaluation.model);
  if (evaluation.calibration)
    json["calibration"] = {{"questions", evaluation.calibration->questions},
                           {"top_10", reliability_json(evaluation.calibration->top)},
                           {"all", reliability_json(evaluation.calibration->all)}};
  return json;
}

}  // namespace

std::span<const RankMetric> rank_metrics() {
  return kRankMetrics;
}

std::string_view completion_caveat() {
  return "A proposal counts as false if the hidden facts do not have it, so unless everything true is "
         "written "
         "down, the figures are lower bounds.";
}

std::string evaluation_json(const Evaluation& evaluation, const Dataset& dataset) {
  return all_json(evaluation, dataset).dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace greenkgc
