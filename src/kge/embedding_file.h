#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "graph/vocabulary.h"
#include "kge/embeddings.h"
#include "tensors/safetensors.h"

namespace greenkgc::kge {

// Embeddings with the labels of their rows: what `greenkgc embed` leaves, and what the later stages read.
struct NamedEmbeddings {
  Embeddings embeddings;
  graph::Vocabulary entities;
  graph::Vocabulary relations;
  std::map<std::string, std::string> provenance;  // how it was made: options, seed, data
};

// The same where it stands in a mapped file.
struct EmbeddingTables {
  Embeddings shape;  // without rows
  std::span<const float> entities;
  std::span<const float> relations;
};

// A safetensors file: tensors "entities" [E, width], "relations" [rows, width], labels as bytes and their
// ends.
void write_embeddings(const std::filesystem::path& path, const Embeddings& embeddings,
                      const graph::Vocabulary& entities, const graph::Vocabulary& relations,
                      const std::map<std::string, std::string>& provenance);

// Throws as read_embeddings does. The tables live as long as the file.
EmbeddingTables embedding_tables(const tensors::SafetensorsFile& file);

// Throws kCorrupt for a damaged file, one that is no embedding, or numbers that are not finite (naming the
// row); kUnsupported for a newer version.
NamedEmbeddings read_embeddings(const std::filesystem::path& path);

// The rows in the order of other vocabularies, by label; where that is the order they have, nothing is
// copied. Throws kBadInput for a label that has no row.
Embeddings arranged(NamedEmbeddings named, const graph::Vocabulary& entities,
                    const graph::Vocabulary& relations);

}  // namespace greenkgc::kge
