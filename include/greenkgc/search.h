#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "greenkgc/export.h"
#include "greenkgc/ids.h"
#include "greenkgc/model.h"

namespace greenkgc {

enum class LabelMatch {
  kPrefix,     // labels that begin with the text
  kSubstring,  // labels that have it anywhere
};

struct LabelSearch {
  std::string_view text;  // "" is in every label
  LabelMatch match = LabelMatch::kPrefix;
  std::size_t limit = 20;
};

template <class Id>
struct FoundLabels {
  std::vector<Id> ids;     // at most `limit`
  bool truncated = false;  // there are more
};

// Which labels have a text, whatever the case of its letters (of each letter on its own: "ß" is not "SS").
// Beginnings come in the order of the labels' bytes and cost a few dozen look-ups, whatever the size of the
// model; substrings come in the order of ids, found by a scan at about the speed of memory that ends when
// there are enough. Nothing is built or copied. Throws kInterrupted.
GREENKGC_API FoundLabels<EntityId> find_entities(const Model& model, const LabelSearch& search,
                                                 const Context& context);
GREENKGC_API FoundLabels<RelationId> find_relations(const Model& model, const LabelSearch& search,
                                                    const Context& context);

}  // namespace greenkgc
