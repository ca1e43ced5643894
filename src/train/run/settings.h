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

// Sets what a record says: lines `name = value` as options_as_toml() writes them. Names that are no options
// are passed over. Throws, with `where` and the name, for a value that the option does not take.
void apply_record(std::string_view record, void* options, const std::vector<OptionSpec>& specs,
                  std::string_view where);

template <class Options>
void apply_record(std::string_view record, Options& options, std::string_view where) {
  apply_record(record, &options, option_specs<Options>(), where);
}

}  // namespace greenkgc
