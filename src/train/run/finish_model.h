#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "graph/dataset.h"
#include "greenkgc/context.h"

namespace greenkgc {

// Gives a model every fact of the data that it was trained on, those of valid and test included, and writes
// it to `out`: known facts, evidence, counts, rules and walks are those of all facts. Vectors, trees and
// curves stay, since they were learned and measured without the facts that are added. So are all facts that
// are known to be false, those of the files included (known_negatives.h). Throws kBadInput if the model was
// trained on other data, or stores no facts.
void finish_model(const graph::Dataset& data, const std::filesystem::path& measured,
                  const std::filesystem::path& out, std::span<const std::string> negative_files,
                  const Context& context);

}  // namespace greenkgc
