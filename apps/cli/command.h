#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "greenkgc/context.h"
#include "greenkgc/options.h"

namespace greenkgc::cli {

using Json = nlohmann::ordered_json;

// A measured number; null below 0, which means that it was not measured.
inline Json number(double x) {
  return x < 0 ? Json(nullptr) : Json(x);
}

// What a command found out, for people and for programs.
struct Result {
  std::string text;  // whole lines
  Json json;
  bool on_stderr = false;  // standard output is taken by what the command wrote
  bool streamed = false;   // the command has written its result itself, --json included
};

// A word that must be given, unless it is optional; optional ones come last.
struct Positional {
  std::string name;  // as --help shows it: "DATA"
  std::string help;
  std::string* value;
  bool optional = false;
  std::vector<std::string>* rest = nullptr;  // instead of `value`, in the last: takes all words that are left
};

// A struct of options whose fields are flags and config keys. Their defaults are the values that the struct
// holds when the command is made.
struct OptionGroup {
  void* options;
  const std::vector<OptionSpec>* specs;
  std::set<std::string>* given = nullptr;  // takes the names of those that a flag or the config file set
  // With a stage, "embed", options are --embed.rate and `rate` in the table [embed]; where no other group has
  // the name, --rate will do. --help refers to the command of that name.
  std::string stage = {};
};

template <class Options>
OptionGroup group_of(Options& options, std::set<std::string>* given = nullptr, std::string stage = {}) {
  return {&options, &option_specs<Options>(), given, std::move(stage)};
}

struct Command {
  std::string name;
  std::string summary;  // one line, as it stands in the list of commands
  std::string example;
  std::vector<Positional> positionals;
  std::vector<OptionGroup> options;
  std::vector<std::string> required;  // names of text options that must not stay empty
  std::function<Result(const Context&)> run;
  std::string* json = nullptr;  // takes the value of --json, if the command may stream its result
};

// Each in its own file: NAME_command.cc.
Command complete_command();
Command convert_command();
Command embed_command();
Command evaluate_command();
Command explain_command();
Command generate_command();
Command neighbors_command();
Command predict_command();
Command prune_command();
Command decide_command();
Command report_command();
Command reproduce_command();
Command rerank_command();
Command score_command();
Command serve_command();
Command train_command();
Command stats_command();

}  // namespace greenkgc::cli
