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
    o.add("threads", &GlobalOptions::threads, "how many threads; 0 is one per core", {.min = 0, .max = 1024});
    o.add("seed", &GlobalOptions::seed, "start of all random numbers: the same seed gives the same result");
    o.add("config", &GlobalOptions::config,
          "TOML file of options, named as here but with underscores; at top level or in a table named after "
          "the command; flags win");
    o.add("json", &GlobalOptions::json,
          "print the result as JSON; --json=FILE writes it there and prints the tables as well");
    o.add("quiet", &GlobalOptions::quiet, "no progress and no notes, only warnings and errors");
    o.add("verbose", &GlobalOptions::verbose, "say more about what is done");
  }
};

// What a bare --json stands for: the JSON goes to standard output.
inline constexpr const char* kJsonToStdout = "-";

}  // namespace greenkgc::cli
