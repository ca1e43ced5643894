#pragma once

#include <string>
#include <vector>

#include "report/run_history.h"

namespace greenkgc::report {

// A page that holds runs against each other. `names` are what each is called.
std::string comparison_page(const std::vector<RunHistory>& runs, const std::vector<std::string>& names);

// Names of the folders; where two are the same, with as much of the path as tells them apart.
std::vector<std::string> distinct_names(const std::vector<RunHistory>& runs);

}  // namespace greenkgc::report
