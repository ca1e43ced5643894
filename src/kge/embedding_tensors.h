#pragma once

#include <map>
#include <string>

#include "kge/embeddings.h"
#include "tensors/safetensors.h"

namespace greenkgc::kge {

// What embedding files and feature files have in common.

using Provenance = std::map<std::string, std::string>;  // how a file was made: options, seed, data

// Format, version, model, similarity, dims, reciprocal and provenance, as metadata.
struct FileKind {
  std::string_view format;   // "greenkgc.embeddings"
  std::string_view version;  // "1"
};
void set_metadata(tensors::SafetensorsWriter& writer, const FileKind& kind, const Embeddings& embeddings,
                  const Provenance& provenance);
// Embeddings without rows. Throws kCorrupt for a file of another kind, kUnsupported for another version.
Embeddings read_metadata(const tensors::SafetensorsFile& file, const FileKind& kind);
Provenance read_provenance(const tensors::SafetensorsFile& file);

}  // namespace greenkgc::kge
