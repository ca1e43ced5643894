#pragma once

#include <string>
#include <string_view>

#include "model/label_table.h"

namespace greenkgc::model {

// What to say about a label that a table does not have: "; did you mean 'Norway' or 'North Korea'?", or "" if
// nothing is near. Looks at no more than some 20,000 labels: in a larger table, those that stand nearest to
// the word in the order of bytes, so a slip in its first letters is not found there.
std::string did_you_mean(const LabelTable& labels, std::string_view word);

}  // namespace greenkgc::model
