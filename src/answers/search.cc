#include "greenkgc/search.h"

#include "model/model_file.h"
#include "tensors/label_search.h"

namespace greenkgc {
namespace {

template <class Id>
FoundLabels<Id> find(const tensors::LabelTable& labels, const LabelSearch& search, const Context& context) {
  const tensors::LabelHits hits =
      search.match == LabelMatch::kPrefix
          ? tensors::labels_that_begin(labels, search.text, search.limit, context)
          : tensors::labels_that_contain(labels, search.text, search.limit, context);
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
