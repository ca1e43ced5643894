#pragma once

#include <pybind11/pybind11.h>

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "greenkgc/options.h"

namespace greenkgc::python {

namespace py = pybind11;

// A struct of options whose fields are keyword arguments of a function.
struct KeywordGroup {
  void* options;
  const std::vector<OptionSpec>* specs;
  std::set<std::string>* given = nullptr;  // takes the names of those that were given
  // With a stage, "embed", options are in a dict, embed={"rate": 0.1}; where no other group has the name,
  // rate=0.1 will do: as --embed.rate and --rate on the command line.
  std::string stage = {};
};

template <class Options>
KeywordGroup keywords_of(Options& options, std::set<std::string>* given = nullptr, std::string stage = {}) {
  return {&options, &option_specs<Options>(), given, std::move(stage)};
}

// None stands for an option that is not given. Throws kUsage for names that no option has, with the one that
// may have been meant, for two names of one option, and for values as set_option does. A former name of an
// option raises FutureWarning.
void set_keywords(const py::dict& keywords, std::string_view function, std::span<const KeywordGroup> groups);

// Of each option: stage, name, type ("bool", "int", "float", "str", "list"), the value that the group holds,
// help, least, most (None if there is no limit), choices, aliases that are not former names, and whether
// `by_data` has it ("embed.dims").
py::list listed(std::span<const KeywordGroup> groups, const std::set<std::string>& by_data = {});

}  // namespace greenkgc::python
