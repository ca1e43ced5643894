#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "greenkgc/options.h"

namespace greenkgc {

// Settings are a line of ours, "name=value name=value", by the names of an option struct.

// Sets all but those that are named in `given`.
void apply_settings(std::string_view settings, const std::set<std::string>& given, void* options,
                    const std::vector<OptionSpec>& specs);

template <class Options>
void apply_settings(std::string_view settings, const std::set<std::string>& given, Options& options) {
  apply_settings(settings, given, &options, option_specs<Options>());
}

std::set<std::string> names_in(std::string_view settings);

}  // namespace greenkgc
