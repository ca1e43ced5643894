#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/command.h"

namespace greenkgc::cli {

// The path that the value of --out means: `-` is standard output.
std::string output_path(const std::string& out);

// Whether the path is standard output, by any of its names.
bool is_standard_output(const std::string& path);

// Path and size of each file that a command wrote.
std::string written_text(const std::vector<std::filesystem::path>& paths);
Json written_json(const std::vector<std::filesystem::path>& paths);

}  // namespace greenkgc::cli
