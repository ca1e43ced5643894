#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph/delimited.h"
#include "graph/dictionary.h"
#include "greenkgc/dataset.h"

namespace greenkgc::graph {

// Which files of a folder make up a dataset, and how they are to be read.
struct FolderLayout {
  std::vector<std::pair<Split, std::filesystem::path>> files;  // in the order of kAllSplits; train is there
  std::string file_format = "auto";                            // for detect_format()
  Naming naming = Naming::kNewLabels;

  std::filesystem::path entities;  // id maps; empty where the data have none
  std::filesystem::path relations;
  DictionaryFormat dictionary;

  std::filesystem::path description;          // LibKGE's dataset.yaml, or empty
  std::optional<std::uint64_t> entity_count;  // as it promises
  std::optional<std::uint64_t> relation_count;

  bool has_dictionaries() const { return !entities.empty(); }
};

// `format` is a name from --format. Throws kBadInput if there is no train file, a file that belongs to the
// layout is missing, or two files could be the same split.
FolderLayout find_layout(const std::filesystem::path& folder, const std::string& format);

}  // namespace greenkgc::graph
