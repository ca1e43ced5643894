#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "greenkgc/context.h"
#include "greenkgc/export.h"
#include "greenkgc/options.h"

namespace greenkgc {

struct GenerateOptions {
  std::int64_t entities = 10'000;
  std::int64_t relations = 20;
  std::int64_t triples = 100'000;
  double valid_share = 0.02;
  double test_share = 0.02;
  double symmetric_share = 0.1;
  double inverse_share = 0.1;
  double composition_share = 0.1;
  double noise = 0.05;
  double skew = 1.5;
  std::string compress = "none";

  // Throws kUsage for a value out of its range and for shares that do not go together.
  GREENKGC_API void validate() const;

  static void declare(OptionList<GenerateOptions>& o) {
    o.add("entities", &GenerateOptions::entities, "number of entities; each of them occurs in train",
          {.min = 64, .max = 4'000'000'000.0});
    o.add("relations", &GenerateOptions::relations, "number of relations; each of them occurs in train",
          {.min = 1, .max = 1'000'000});
    o.add("triples", &GenerateOptions::triples, "number of distinct facts in all splits together",
          {.min = 64, .max = 1'000'000'000'000.0});
    o.add("valid_share", &GenerateOptions::valid_share, "share of the facts that goes into valid",
          {.min = 0, .max = 0.4});
    o.add("test_share", &GenerateOptions::test_share, "share of the facts that goes into test",
          {.min = 0, .max = 0.4});
    o.add("symmetric_share", &GenerateOptions::symmetric_share,
          "share of the relations that are symmetric: (h, r, t) implies (t, r, h)", {.min = 0, .max = 1});
    o.add("inverse_share", &GenerateOptions::inverse_share,
          "share of the relations that belong to an inverse pair: (h, r, t) implies (t, r', h)",
          {.min = 0, .max = 1});
    o.add("composition_share", &GenerateOptions::composition_share,
          "share of the relations that are compositions of two others: (h, r1, x) and (x, r2, t) imply (h, "
          "r, t)",
          {.min = 0, .max = 1});
    o.add("noise", &GenerateOptions::noise, "share of the facts that are random and follow no rule",
          {.min = 0, .max = 1});
    o.add("skew", &GenerateOptions::skew,
          "exponent of the degree distribution's tail; lower values mean fewer and larger hubs",
          {.min = 1.05, .max = 10});
    o.add("compress", &GenerateOptions::compress, "compress the output files",
          {.choices = {"none", "gz", "zst"}});
  }
};

// Writes and returns train.txt, valid.txt and test.txt (tab-separated labels) and config.toml, the options as
// used, into `out`. The sizes of the splits are exact to one fact. A split without facts has no file. The
// files appear when all are complete. The same options and seed give the same bytes, for any number of
// threads. Facts are computed as they are written: memory grows with the relations only. Throws kUsage if the
// options contradict each other, if the triples are too few for every entity and relation to be in train or
// more than the rules allow, and if the folder holds files that would be taken for a part of the new graph.
GREENKGC_API std::vector<std::filesystem::path> generate(const GenerateOptions& options,
                                                         const std::filesystem::path& out,
                                                         const Context& context);

}  // namespace greenkgc
