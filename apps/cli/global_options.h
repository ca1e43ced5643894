#pragma once

#include <cstdint>
#include <string>

#include "greenkgc/context.h"
#include "greenkgc/options.h"

namespace greenkgc::cli {

// The options of every command.
struct GlobalOptions {
  int threads = Context{}.threads;
  std::uint64_t seed = Context{}.seed;
  std::string config;
  std::string json;
  bool quiet = false;
  bool verbose = false;

  static void declare(OptionList<GlobalOptions>& o) {
    o.add("threads", &GlobalOptions::threads, "number of threads; 0: one per core", {.min = 0, .max = 1024});
    o.add("seed", &GlobalOptions::seed, "seed of all random numbers; the same seed gives the same result");
    o.add("config", &GlobalOptions::config,
          "TOML file with options, named as here but with underscores, at the top level or in a table named "
          "after the command; command-line options take precedence");
    o.add("json", &GlobalOptions::json,
          "print the result as JSON; --json=FILE writes the JSON to FILE and prints the tables too");
    o.add("quiet", &GlobalOptions::quiet, "print no progress and no notes, only warnings and errors");
    o.add("verbose", &GlobalOptions::verbose, "print more about what is being done");
  }
};

// What a bare --json stands for: the JSON goes to standard output.
inline constexpr const char* kJsonToStdout = "-";

}  // namespace greenkgc::cli
