#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "greenkgc/context.h"
#include "tensors/label_table.h"

namespace greenkgc::tensors {

struct LabelHits {
  std::vector<std::uint32_t> ids;
  bool truncated = false;  // there are more
};

// Labels that begin with a text, whatever its case, in the order of their bytes: narrows the table's own
// order character by character, one range for each way to write them that some label has.
LabelHits labels_that_begin(const LabelTable& labels, std::string_view text, std::size_t limit,
                            const Context& context);

// Labels that have a text anywhere, whatever its case, in the order of ids: a scan of all labels' bytes for
// the two of the text's bytes that are rarest in them.
LabelHits labels_that_contain(const LabelTable& labels, std::string_view text, std::size_t limit,
                              const Context& context);

}  // namespace greenkgc::tensors
