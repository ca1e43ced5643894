#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/global_options.h"

namespace greenkgc::cli {

// What --help and the man page say, before either lays it out.
struct HelpEntry {
  std::string term;  // "--threads N"
  std::string explanation;
};
std::string usage_line(const Command& command);  // "greenkgc train DATA --out OUT [options]"
std::vector<HelpEntry> option_entries(std::span<const OptionGroup> groups,
                                      const std::vector<std::string>& required);
std::vector<HelpEntry> global_entries(GlobalOptions& global);
std::vector<HelpEntry> environment_entries();

// The list of commands.
std::string program_help(std::span<const Command> commands, GlobalOptions& global);

// Usage, options with default and range, an example.
std::string command_help(const Command& command, GlobalOptions& global);

}  // namespace greenkgc::cli
