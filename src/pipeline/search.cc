#include "greenkgc/search.h"

#include "model/label_search.h"
#include "model/model_file.h"

namespace greenkgc {
namespace {

template <class Id>
FoundLabels<Id> find(const model::LabelTable& labels, const LabelSearch& search, const Context& context) {
  const model::LabelHits hits = search.match == LabelMatch::kPrefix
                                    ? model::labels_that_begin(labels, search.text, search.limit, context)
                                    : model::labels_that_contain(labels, search.text, search.limit, context);
  FoundLabels<Id> found{.truncated = hits.truncated};
  for (const std::uint32_t id : hits.ids) found.ids.push_back(Id{id});
  return found;
}

}  // namespace

FoundLabels<EntityId> find_entities(const Model& model, const LabelSearch& search, const Context& context) {
  return find<EntityId>(model.impl().entities, search, context);
}

FoundLabels<RelationId> find_relations(const Model& model, const LabelSearch& search,
                                       const Context& context) {
  return find<RelationId>(model.impl().relations, search, context);
}

}  // namespace greenkgc
