#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "graph/dataset.h"
#include "greenkgc/context.h"

namespace greenkgc::graph {

// What the result of a stage depends on, by name: an interrupted run goes on only if all of it is the same.
using Identity = std::map<std::string, std::string>;

// Of labels, training and validation facts.
std::string data_hash(const graph::Dataset& data);
std::string split_hash(const graph::Dataset& data, Split split);
// Says so where a file was made from other facts than those of train and valid, as far as its provenance
// tells: its figures on test facts may then be those of facts that it has seen.
void warn_of_other_data(const std::string& file, const Identity& provenance, const graph::Dataset& data,
                        const Context& context);
// Of a file's bytes.
std::string file_hash(const std::filesystem::path& path);

}  // namespace greenkgc::graph
