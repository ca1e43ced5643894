#pragma once

#include <filesystem>
#include <string>

#include "greenkgc/context.h"

namespace greenkgc::report {

// report.html of a run's folder: what its files say, and what its model answers. Throws as read_run and
// Model::open.
std::string run_page(const std::filesystem::path& folder, const Context& context);

}  // namespace greenkgc::report
