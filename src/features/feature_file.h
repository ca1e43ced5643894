#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "features/features.h"
#include "graph/vocabulary.h"
#include "greenkgc/context.h"
#include "kge/embedding_tensors.h"

namespace greenkgc::features {

// Features with the labels of their rows: what `greenkgc prune` leaves, and what later stages read.
struct NamedFeatures {
  Features features;
  graph::Vocabulary entities;
  graph::Vocabulary relations;
  kge::Provenance provenance;
};

// How the entities' variables are stored; several forms may stand side by side.
enum class FeatureForm { kFloat32, k8Bit, k5Bit };
FeatureForm feature_form(std::string_view name);  // "float32", "8-bit", "5-bit"; throws kUsage

// Writes a safetensors file (docs/formats.md has its tensors). At least one form.
void write_features(const std::filesystem::path& path, const NamedFeatures& named,
                    std::span<const FeatureForm> forms, const Context& context);

// Whether the file says that it holds features. Throws as SafetensorsFile does.
bool holds_features(const std::filesystem::path& path);

// Reads the most exact form that the file has. Throws kCorrupt, saying where, for anything that does not fit
// together: groups, dimensions, shapes, numbers that are not finite; kUnsupported for another version.
NamedFeatures read_features(const std::filesystem::path& path);

// The rows in the order of other vocabularies, by label. Throws kBadInput for a label that has no row.
Features arranged(NamedFeatures named, const graph::Vocabulary& entities, const graph::Vocabulary& relations);

}  // namespace greenkgc::features
