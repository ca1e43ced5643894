#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "greenkgc/answers.h"
#include "greenkgc/context.h"
#include "greenkgc/export.h"
#include "greenkgc/model.h"
#include "greenkgc/options.h"

namespace greenkgc {

struct CompleteOptions {
  std::vector<std::string> relation;
  double min_probability = 0;
  std::int64_t top = 1000;
  bool exact = false;

  static void declare(OptionList<CompleteOptions>& o) {
    o.add("relation", &CompleteOptions::relation, "labels of the relations to complete; none: all of them");
    o.add("min_probability", &CompleteOptions::min_probability, "leave out facts that are less probable",
          {.min = 0, .max = 1});
    o.add("top", &CompleteOptions::top, "how many facts, over all relations; memory grows with it",
          {.min = 1, .max = 1e8});
    o.add("exact", &CompleteOptions::exact,
          "try all entities as heads and tails; otherwise heads and tails that the relation has in a known "
          "fact, and a head as its own tail only where the relation has such a fact. Models of two stages: "
          "all entities as heads; tails are always the candidates that the second stage looks at");
  }
};

// The most probable facts that the model does not hold: by probability, then margin, then ids. Each candidate
// head is asked for its tails, exactly (of a model of two stages, for those of its list: the first stage's
// best and what the graph has evidence for); memory is bounded by `top`. The same result for any number of
// threads. Throws kBadInput for an unknown relation, kUsage for a model without facts.
GREENKGC_API std::vector<Answer> complete(const Model& model, const CompleteOptions& options,
                                          const Context& context);

// Throws kUsage if no format of write_facts has such a name.
GREENKGC_API void check_facts_path(const std::filesystem::path& path);

// Writes facts by the name of the file: .tsv (head, relation, tail, probability) or .nt (N-Triples; labels as
// `greenkgc convert` writes them), and .gz or .zst behind it. /dev/stdout, a pipe or a device gets what .tsv
// has.
GREENKGC_API void write_facts(const Model& model, std::span<const Answer> answers,
                              const std::filesystem::path& path, const Context& context);

}  // namespace greenkgc
