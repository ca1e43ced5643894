#pragma once

#include <span>
#include <string>

#include "command.h"
#include "global_options.h"

namespace greenkgc::cli {

// The list of commands.
std::string program_help(std::span<const Command> commands, GlobalOptions& global);

// Usage, options with default and range, an example.
std::string command_help(const Command& command, GlobalOptions& global);

}  // namespace greenkgc::cli
