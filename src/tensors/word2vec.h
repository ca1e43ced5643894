#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/files/byte_source.h"
#include "base/files/output_file.h"
#include "graph/vocabulary.h"
#include "greenkgc/context.h"
#include "tensors/float_table.h"

namespace greenkgc::tensors {

// The text form of word2vec: a line "COUNT DIM", then a line "label v1 ... vDIM" for each row.

struct LabelledTable {
  graph::Vocabulary labels;  // of the rows
  FloatTable table;
};

// The label is what precedes the last DIM numbers of a line, so it may hold spaces. Throws kBadInput with
// name and line for anything that is not as it should be, labels that occur twice and numbers that are not
// finite.
LabelledTable read_word2vec(ByteSource& source, const Context& context);

// Whether a file that begins like this could be one: two whole numbers on the first line.
bool looks_like_word2vec(std::string_view head);

// One label per row. Numbers have the fewest digits that give the same bits when they are read. Throws
// kBadInput for a label that would not come back (tab, line feed, NUL) or a row that no reader would take.
void write_word2vec(OutputFile& file, std::span<const std::string> labels, std::span<const float> values,
                    const Context& context);

}  // namespace greenkgc::tensors
