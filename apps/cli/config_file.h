#pragma once

#include <filesystem>
#include <span>

#include "cli/command.h"
#include "cli/command_line.h"

namespace greenkgc::cli {

// Sets options from a TOML file: its top-level keys, then the keys of a table named after the command, which
// win. Tables of other commands are passed over. Returns notes about former names of options. Throws kUsage
// or kBadInput with file and line for a key that is none of `options`, two names of one option, a value that
// set_option refuses, and wrong TOML; kIo if the file may not be read.
std::vector<std::string> apply_config(const std::filesystem::path& path, const Command& command,
                                      std::span<const BoundOption> options,
                                      std::span<const Command> commands);

}  // namespace greenkgc::cli
