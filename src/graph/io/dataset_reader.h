#pragma once

#include <memory>
#include <string>

#include "base/files/byte_source.h"
#include "graph/dataset.h"
#include "graph/io/delimited.h"
#include "greenkgc/context.h"

namespace greenkgc::graph {

// What Dataset::load promises (greenkgc/dataset.h).
std::unique_ptr<Dataset> read_dataset(const std::string& data, const LoadOptions& options,
                                      const Context& context);

// Reads one file of triples into a split of the dataset and notes what it was.
void read_triples(PeekSource& source, const std::filesystem::path& path, const LoadOptions& options,
                  Naming naming, Split split, Dataset& dataset, const Context& context);

}  // namespace greenkgc::graph
