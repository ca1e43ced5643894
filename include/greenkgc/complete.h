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
    o.add("relation", &CompleteOptions::relation,
          "labels of the relations to complete; empty: all relations");
    o.add("min_probability", &CompleteOptions::min_probability, "leave out facts with a lower probability",
          {.min = 0, .max = 1});
    o.add("top", &CompleteOptions::top,
          "number of facts to return, over all relations; memory use grows with it", {.min = 1, .max = 1e8});
    o.add("exact", &CompleteOptions::exact,
          "try every entity as head and as tail. By default only entities that the relation has on that side "
          "in a known fact are tried, and an entity is paired with itself only if the relation has such a "
          "fact. Two-stage models: tries every entity as head; the tails are always the candidates of the "
          "second stage");
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
