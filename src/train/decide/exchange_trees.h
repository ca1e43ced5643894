#pragma once

#include <filesystem>
#include <vector>

#include "model/decisions.h"

namespace greenkgc {

// Reads the trees of each group from FOLDER/group-N.json (XGBoost's JSON models; feature f is the f-th of the
// group's columns). `decisions` has groups with their dimensions and an embedding. Nodes have no bins yet.
// Throws kBadInput, kCorrupt or kUnsupported, naming the file.
std::vector<trees::TreeEnsemble> read_group_trees(const std::filesystem::path& folder,
                                                  const model::Decisions& decisions);

// The thresholds of these trees, by column of the entities' (relations') table: with cuts there, bins tell
// all that trees ask for. Throws kUnsupported for more than fit a byte.
std::vector<std::vector<float>> threshold_cuts(const std::vector<trees::TreeEnsemble>& groups, bool relations,
                                               std::size_t columns);

}  // namespace greenkgc
