#pragma once

#include <span>
#include <string>

#include "cli/command.h"
#include "cli/global_options.h"

namespace greenkgc::cli {

// greenkgc(1) in roff: every command and option as --help has them (`greenkgc help --man`).
std::string man_page(std::span<const Command> commands, GlobalOptions& global);

}  // namespace greenkgc::cli
