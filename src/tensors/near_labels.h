#pragma once

#include <string>
#include <string_view>

#include "tensors/label_table.h"

namespace greenkgc::tensors {

// What to say about a label that a table does not have: "; did you mean 'Norway' or 'North Korea'?", or "" if
// nothing is near. Labels that say the same word, or whose initials it is, come before those with similar
// letters, of which the number that may differ goes by the length of the word. In a table of more than some
// 20,000 labels, a slip in the first letters is not found.
std::string did_you_mean(const LabelTable& labels, std::string_view word);

}  // namespace greenkgc::tensors
