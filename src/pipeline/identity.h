#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "graph/dataset.h"

namespace greenkgc {

// What the result of a stage depends on, by name: an interrupted run goes on only if all of it is the same.
using Identity = std::map<std::string, std::string>;

// Of labels, training and validation facts.
std::string data_hash(const graph::Dataset& data);
std::string split_hash(const graph::Dataset& data, Split split);
// Of a file's bytes.
std::string file_hash(const std::filesystem::path& path);

}  // namespace greenkgc
