#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "graph/io/delimited.h"
#include "graph/io/dictionary.h"
#include "greenkgc/dataset.h"

namespace greenkgc::graph {

// A number that a description of the dataset promises.
struct DescribedCount {
  std::uint64_t count = 0;
  std::uint64_t line = 0;  // of the description
};

// Which files of a folder make up a dataset, and how they are to be read.
struct FolderLayout {
  std::vector<std::pair<Split, std::filesystem::path>> files;  // in the order of kAllSplits; train is there
  std::string file_format = "auto";                            // for detect_format()
  Naming naming = Naming::kNewLabels;

  std::filesystem::path entities;  // id maps; empty where the data have none
  std::filesystem::path relations;
  DictionaryFormat dictionary;

  std::filesystem::path description;           // LibKGE's dataset.yaml, or empty
  std::optional<DescribedCount> entity_count;  // as it promises
  std::optional<DescribedCount> relation_count;

  bool has_dictionaries() const { return !entities.empty(); }
};

// `format` is a name from --format. Throws kBadInput if there is no train file, a file that belongs to the
// layout is missing, or two files could be the same split; kIo if the folder cannot be looked into.
FolderLayout find_layout(const std::filesystem::path& folder, const std::string& format);

// The file of facts that are known to be false beside a single file of facts: NAME_negatives with any ending,
// plain or compressed; empty if there is none. Throws kBadInput if there are several.
std::filesystem::path negatives_beside(const std::filesystem::path& data);

// For those who write a dataset into a folder. Throws kUsage if it holds a file that find_layout() would take
// for a part of the dataset and that is not among `to_write`: two graphs must not be mixed.
void refuse_leftovers(const std::filesystem::path& folder, std::span<const std::filesystem::path> to_write);

}  // namespace greenkgc::graph
