#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "command.h"

namespace greenkgc::cli {

// Path and size of each file that a command wrote.
std::string written_text(const std::vector<std::filesystem::path>& paths);
Json written_json(const std::vector<std::filesystem::path>& paths);

}  // namespace greenkgc::cli
