#pragma once

#include "base/files/byte_source.h"
#include "graph/vocabulary.h"
#include "greenkgc/context.h"

namespace greenkgc::graph {

// An id map as other tools write it: lines "id label" or "label id", by tab or, where there is none, by
// space.
enum class DictionaryColumns { kIdLabel, kLabelId };
struct DictionaryFormat {
  DictionaryColumns columns = DictionaryColumns::kIdLabel;
  bool count_line = false;  // the first line is the number of the lines that follow (OpenKE)
};

// Fills the empty vocabulary. The lines must give every id from 0 to their number less one once, in any
// order, and every label once; anything else throws kBadInput with name and line.
void read_dictionary(ByteSource& source, DictionaryFormat format, Vocabulary& vocabulary,
                     const Context& context);

}  // namespace greenkgc::graph
