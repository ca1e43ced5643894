#pragma once

#include <filesystem>
#include <vector>

#include "greenkgc/context.h"
#include "greenkgc/generate.h"

namespace greenkgc::graph {

std::vector<std::filesystem::path> generate(const GenerateOptions& options, const std::filesystem::path& out,
                                            const Context& context);

}  // namespace greenkgc::graph
