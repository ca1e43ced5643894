#include "train/rerank/feature_ranking.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "evidence/family.h"
#include "features/prune/selectors.h"

namespace greenkgc {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kLeastRows = 20;  // of each label, for a relation to be tested by itself
constexpr std::size_t kBestOfAll = 15;
constexpr std::size_t kBestOfRelation = 3;
constexpr const char* kGraph = "graph";
constexpr const char* kFirstStage = "first_stage";
constexpr const char* kEmbedding = "embedding";

// The first stage's family says what the first stage thinks, and not what the graph says.
const char* kind_of(const std::string& evidence) {
  for (const evidence::Family& family : evidence::all_families()) {
    if (std::find(family.features.begin(), family.features.end(), evidence) != family.features.end())
      return family.name == "first_stage" ? kFirstStage : kGraph;
  }
  return kGraph;  // compared within the list
}

std::vector<FeatureRanking::Feature> feature_list(std::span<const std::string> evidence, std::size_t dims) {
  std::vector<FeatureRanking::Feature> features;
  for (const std::string& name : evidence) features.push_back({name, kind_of(name)});
  for (std::size_t d = 0; d < dims; ++d) features.push_back({fmt::format("dimension {}", d), kEmbedding});
  return features;
}

Json counts_json(const PairCounts& counts) {
  return {{"questions", counts.questions},
          {"answers", counts.answers},
          {"false_candidates", counts.false_candidates}};
}

Json empty_by_kind() {
  return {{kGraph, Json::array()}, {kFirstStage, Json::array()}, {kEmbedding, Json::array()}};
}

// Calls use(feature, cost), most discriminant first.
template <class Use>
void for_each_by_cost(const FeatureRanking& ranking, const FeatureRanking::Part& part, const Use& use) {
  for (const std::uint32_t f : features::lowest(part.costs, part.costs.size()))
    use(ranking.features[f], part.costs[f]);
}

Json all_json(const FeatureRanking& ranking, std::uint32_t relations) {
  Json best = Json::array();
  Json costs = empty_by_kind();
  for_each_by_cost(ranking, ranking.all, [&](const FeatureRanking::Feature& feature, double cost) {
    if (best.size() < kBestOfAll)
      best.push_back({{"name", feature.name}, {"kind", feature.kind}, {"cost", cost}});
    costs[feature.kind].push_back(cost);
  });
  Json json = counts_json(ranking.all.counts);
  json["relations"] = relations;
  json["best"] = std::move(best);
  json["costs"] = std::move(costs);
  return json;
}

Json relation_json(const FeatureRanking& ranking, const FeatureRanking::RelationPart& part,
                   std::string_view label) {
  Json best = empty_by_kind();
  for_each_by_cost(ranking, part, [&](const FeatureRanking::Feature& feature, double cost) {
    if (best[feature.kind].size() < kBestOfRelation)
      best[feature.kind].push_back({{"name", feature.name}, {"cost", cost}});
  });
  Json json = {{"relation", label}};
  json.update(counts_json(part.counts));
  json["best"] = std::move(best);
  return json;
}

}  // namespace

FeatureRanking rank_features(const SampledPairs& sampled, std::span<const std::string> evidence,
                             const model::Decisions& first, const Context& context) {
  FeatureRanking ranking;
  if (sampled.pairs.size() == 0) return ranking;
  std::vector<features::PairRange> ranges = {{0, sampled.pairs.size()}};
  for (const SampledPairs::Relation& relation : sampled.relations) {
    PairCounts& all = ranking.all.counts;
    all.questions += relation.counts.questions;
    all.answers += relation.counts.answers;
    all.false_candidates += relation.counts.false_candidates;
    if (relation.counts.answers < kLeastRows || relation.counts.false_candidates < kLeastRows) continue;
    ranking.relations.push_back({{relation.counts, {}}, relation.relation});
    ranges.push_back(relation.range);
  }
  const std::size_t dims = first.embeddings.dims;
  ranking.features = feature_list(evidence, dims);
  auto costs = features::feature_costs(sampled.pairs, ranges, first.tables, dims, context);
  ranking.all.costs = std::move(costs[0]);
  for (std::size_t r = 0; r < ranking.relations.size(); ++r)
    ranking.relations[r].costs = std::move(costs[r + 1]);
  return ranking;
}

void log_ranking(const FeatureRanking& ranking, const graph::Vocabulary& relations, const EventLog& log) {
  if (ranking.features.empty()) return;
  log.add("rerank.discriminant", all_json(ranking, relations.size()));
  for (const FeatureRanking::RelationPart& part : ranking.relations)
    log.add("rerank.discriminant.relation",
            relation_json(ranking, part, relations.label(index(part.relation))));
}

}  // namespace greenkgc
