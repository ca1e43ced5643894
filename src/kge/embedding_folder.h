#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "greenkgc/context.h"
#include "kge/embedding_file.h"

namespace greenkgc::kge {

// Embeddings as other programs read them: a folder with the two tables, and embedding.json, which says what
// they mean. docs/formats.md has the details.
//   npy:       entities.npy, relations.npy, entities.txt and relations.txt (one label per line)
//   word2vec:  entities.vec, relations.vec
inline constexpr std::string_view kEmbeddingJson = "embedding.json";

// `form` is "npy" or "word2vec". Returns the paths written. Throws kUsage if the folder holds anything else,
// kBadInput for a label that the form cannot keep. Says where other programs will not take a label.
std::vector<std::filesystem::path> write_embedding_folder(const std::filesystem::path& folder,
                                                          std::string_view form, const NamedEmbeddings& named,
                                                          const Context& context);

// Gives back what was written, bit by bit. `notes` gets a line per file. Throws kCorrupt for a damaged
// description, kUnsupported for a newer one, kBadInput where the tables do not fit it.
NamedEmbeddings read_embedding_folder(const std::filesystem::path& folder, std::vector<std::string>& notes,
                                      const Context& context);

}  // namespace greenkgc::kge
