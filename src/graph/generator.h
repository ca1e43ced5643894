#pragma once

#include <filesystem>

#include "greenkgc/context.h"
#include "greenkgc/generate.h"

namespace greenkgc::graph {

void generate(const GenerateOptions& options, const std::filesystem::path& out, const Context& context);

}  // namespace greenkgc::graph
