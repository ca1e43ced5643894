#pragma once

#include <filesystem>
#include <string>

#include "base/files/byte_source.h"
#include "graph/vocabulary.h"
#include "greenkgc/context.h"

namespace greenkgc::tensors {

// A file that names the rows of a table: "id<tab>label" (entities.dict, DGL-KE's entities.tsv),
// "label<tab>id" (OpenKE, with or without its count line), or one label per line in the order of the rows.
// Which of them is found out from the whole file; returns it in words. Fills the empty vocabulary. Throws
// kBadInput with name and line, also where both columns could be the ids.
std::string read_row_labels(const std::filesystem::path& path, graph::Vocabulary& vocabulary,
                            const Context& context);

// The last of these forms alone.
void read_label_lines(ByteSource& source, graph::Vocabulary& vocabulary, const Context& context);

}  // namespace greenkgc::tensors
