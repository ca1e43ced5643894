#include "rank/evaluate/completion_json.h"

#include <nlohmann/json.hpp>

namespace greenkgc {
namespace {

using Json = nlohmann::ordered_json;

Json optional_json(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

std::optional<double> read_optional(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}

}  // namespace

Json bins_json(std::span<const ReliabilityBin> bins) {
  Json json = Json::array();
  for (const ReliabilityBin& bin : bins)
    json.push_back({{"from", bin.from},
                    {"to", bin.to},
                    {"candidates", bin.candidates},
                    {"facts", bin.facts},
                    {"predicted", bin.predicted},
                    {"observed", bin.observed}});
  return json;
}

std::vector<ReliabilityBin> read_bins(const Json& json) {
  std::vector<ReliabilityBin> bins;
  for (const Json& bin : json)
    bins.push_back({bin.at("from"), bin.at("to"), bin.at("candidates"), bin.at("facts"), bin.at("predicted"),
                    bin.at("observed")});
  return bins;
}

Json completion_json(const CompletionReport& report) {
  Json relations = Json::array();
  for (const auto& [id, label, f] : report.relations)
    relations.push_back({{"relation", label},
                         {"hidden", f.hidden},
                         {"proposals", f.proposals},
                         {"r_precision", f.r_precision},
                         {"average_precision", f.average_precision},
                         {"precision_50", optional_json(f.precision_50)},
                         {"n_50", f.n_50},
                         {"recall", f.recall}});
  const CompletionFigures& all = report.all;
  Json json = {{"split", report.split},
               {"hidden", all.hidden},
               {"proposals", all.proposals},
               {"r_precision", all.r_precision},
               {"average_precision", all.average_precision},
               {"recall", all.recall},
               {"precision_90", optional_json(all.precision_90)},
               {"n_90", all.n_90},
               {"precision_50", optional_json(all.precision_50)},
               {"n_50", all.n_50},
               {"calibration_error", report.calibration_error},
               {"calibration_error_all", report.calibration_error_all},
               {"second_values", report.second_values},
               {"seconds", report.seconds},
               {"bins", bins_json(report.bins)},
               {"relations", relations}};
  if (report.sampled_heads > 0) json["sampled_heads"] = report.sampled_heads;
  return json;
}

CompletionReport read_completion(const Json& json) {
  CompletionReport report;
  report.split = json.at("split");
  report.all = {.hidden = json.at("hidden"),
                .proposals = json.at("proposals"),
                .r_precision = json.at("r_precision"),
                .average_precision = json.at("average_precision"),
                .recall = json.at("recall"),
                .n_90 = json.at("n_90"),
                .precision_90 = read_optional(json.at("precision_90")),
                .n_50 = json.at("n_50"),
                .precision_50 = read_optional(json.at("precision_50"))};
  report.calibration_error = json.at("calibration_error");
  report.calibration_error_all = json.at("calibration_error_all");
  report.second_values = json.at("second_values");
  report.seconds = json.at("seconds");
  report.bins = read_bins(json.at("bins"));
  report.sampled_heads = json.value("sampled_heads", std::uint64_t{0});
  for (const Json& relation : json.at("relations"))
    report.relations.push_back({kNoRelation,
                                relation.at("relation"),
                                {.hidden = relation.at("hidden"),
                                 .proposals = relation.at("proposals"),
                                 .r_precision = relation.at("r_precision"),
                                 .average_precision = relation.at("average_precision"),
                                 .recall = relation.at("recall"),
                                 .n_50 = relation.at("n_50"),
                                 .precision_50 = read_optional(relation.at("precision_50"))}});
  return report;
}

}  // namespace greenkgc
