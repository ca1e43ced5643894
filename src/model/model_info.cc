#include "greenkgc/model_info.h"

#include "model/model_file.h"

namespace greenkgc {
namespace {

constexpr std::uint32_t kFormatVersion = 1;  // read_model reads no other

}  // namespace

ModelInfo model_info(const Model& model) {
  const model::NamedDecisions& named = model.impl();
  const model::Decisions& decisions = named.decisions;
  ModelInfo info{.format_version = kFormatVersion,
                 .embedding = std::string(decisions.embeddings.kge->name()),
                 .entities = model.entity_count(),
                 .relations = model.relation_count(),
                 .facts = named.facts.size(),
                 .groups = static_cast<std::uint32_t>(decisions.groups.size()),
                 .dims = static_cast<std::uint32_t>(decisions.embeddings.dims),
                 .provenance = named.provenance};
  for (const auto& group : decisions.groups) info.trees += group.trees.trees.size();
  if (named.second) {
    info.stages = 2;
    info.labels = named.second->labels;
    info.links = named.second->links;
    info.second_stage_trees = named.second->trees.trees.size();
    info.rules = named.second->rules.size();
  }
  return info;
}

}  // namespace greenkgc
