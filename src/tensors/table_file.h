#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "graph/vocabulary.h"
#include "greenkgc/context.h"
#include "tensors/float_table.h"

namespace greenkgc::tensors {

// A file with the rows of a table, of any program.
enum class TableKind { kNone, kNpy, kWord2vec, kSafetensors };

// By the first bytes, or, where those do not tell, by the name. kNone for what is no regular file. Throws
// kBadInput, with what to do, for forms that are not read (PyTorch, npz).
TableKind table_kind(const std::filesystem::path& path);

struct TableFile {
  std::string name;  // for messages
  FloatTable table;
  std::optional<graph::Vocabulary> labels;  // of the rows, where the file has them
  std::string note;                         // what it was understood to be
};

// `tensor` names the tensor in a safetensors file. Throws kBadInput if the path is no table, and as the
// readers do.
TableFile read_table(const std::filesystem::path& path, const std::string& tensor, const Context& context);

}  // namespace greenkgc::tensors
