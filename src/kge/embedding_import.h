#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "greenkgc/embeddings.h"
#include "kge/embedding_file.h"

namespace greenkgc::kge {

struct ImportedEmbeddings {
  NamedEmbeddings named;
  std::vector<std::string> notes;  // one line per file: what it was understood to be
};

// Embeddings of any form that is read; convert_embeddings (greenkgc/embeddings.h) says what is promised.
ImportedEmbeddings import_embeddings(const std::filesystem::path& in, const ImportOptions& options,
                                     const LoadOptions& load, const Context& context);

}  // namespace greenkgc::kge
