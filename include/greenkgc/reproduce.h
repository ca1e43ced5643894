#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "greenkgc/context.h"
#include "greenkgc/export.h"
#include "greenkgc/options.h"

namespace greenkgc {

// How far a reproduction of the paper departs from it. What departs is written into every output.
struct ReproduceOptions {
  bool quick = false;
  bool stand_in = false;
  std::string scope = "group";
  std::int64_t negatives_per_side = 64;
  std::int64_t trees = 0;
  std::int64_t epochs = 0;

  static void declare(OptionList<ReproduceOptions>& o) {
    o.add("quick", &ReproduceOptions::quick,
          "check in seconds that everything runs: small generated graphs with few dimensions, epochs and "
          "trees; the figures mean nothing");
    o.add("stand_in", &ReproduceOptions::stand_in,
          "if ogbl-wikikg2 is missing, use a generated graph of the same size and label it as such");
    o.add("scope", &ReproduceOptions::scope,
          "choose dimensions per group, as the paper describes, or globally, as its authors' program does",
          {.choices = {"group", "global"}});
    o.add("negatives_per_side", &ReproduceOptions::negatives_per_side,
          "negative tails per fact, and the same number of negative heads (the paper does not say). More: "
          "more accurate, slower",
          {.min = 1, .max = 10'000});
    o.add("trees", &ReproduceOptions::trees, "number of trees per group; 0: as in the paper",
          {.min = 0, .max = 100'000});
    o.add("epochs", &ReproduceOptions::epochs, "number of epochs of each embedding; 0: as in the recipe",
          {.min = 0, .max = 1e6});
  }
};

// A table or figure of the paper.
struct Reproducible {
  std::string name;   // "table-low-dimensions"
  std::string title;  // what it shows
  std::vector<std::string> datasets;
};
GREENKGC_API const std::vector<Reproducible>& reproducibles();  // in the order of the paper

struct ReproduceRun {
  std::string name;            // of a Reproducible
  std::filesystem::path data;  // folder with a folder for each dataset; not needed with `quick`
  std::filesystem::path out;   // folder for NAME.json, NAME.md and NAME-*.svg, and for artifacts
};

struct Reproduced {
  std::vector<std::filesystem::path> written;
  std::vector<std::string> missing;  // datasets that are not there
  std::string markdown;
  double seconds = 0;
};

// Trains what the exhibit needs, into `out`/artefacts, where other exhibits find it; what an earlier call
// finished, from the same options, seed and data, is not done again. Then writes the exhibit: our figures
// under `filtered` and under `paper` (answer exempt) beside those of the paper. A dataset that is not there
// is left out, and the output says how to get it. Throws kUsage for an unknown name, and if neither `data`
// nor `quick` is given.
GREENKGC_API Reproduced reproduce(const ReproduceRun& run, const ReproduceOptions& options,
                                  const Context& context);

}  // namespace greenkgc
