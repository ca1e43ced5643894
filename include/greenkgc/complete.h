#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
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
  std::vector<std::string> entity;
  std::vector<std::string> type;
  double min_probability = 0;
  std::int64_t top = 1000;
  bool exact = false;
  bool only_gaps = false;
  std::int64_t max_per_query = 0;
  std::int64_t max_queries = 0;
  double missing_share = 0;
  std::vector<std::string> exclude;

  static void declare(OptionList<CompleteOptions>& o) {
    o.add("relation", &CompleteOptions::relation,
          "labels of the relations to complete; empty: all relations");
    o.add("entity", &CompleteOptions::entity,
          "labels of entities: return only facts that have one of them as head or as tail; empty: all facts");
    o.add(
        "type", &CompleteOptions::type,
        "labels of entities: return only facts whose head has a known fact with one of them as tail, such as "
        "its class; empty: all facts");
    o.add("min_probability", &CompleteOptions::min_probability, "leave out facts with a lower probability",
          {.min = 0, .max = 1});
    o.add("top", &CompleteOptions::top,
          "number of facts to return, over all relations; memory use grows with it", {.min = 1, .max = 1e8});
    o.add("exact", &CompleteOptions::exact,
          "try every entity as head and as tail. By default only entities that the relation has on that side "
          "in a known fact are tried, and an entity is paired with itself only if the relation has such a "
          "fact. Two-stage models: tries every entity as head; the tails are always the candidates of the "
          "second stage");
    o.add(
        "only_gaps", &CompleteOptions::only_gaps,
        "return only facts whose head has no known fact of the relation. Heads that resemble those that have "
        "one are tried, or with `exact` every entity");
    o.add("max_per_query", &CompleteOptions::max_per_query,
          "keep at most this many facts of one head and relation, the best by score; 0: 16 if the model "
          "judges "
          "each fact by trees (models of two stages that were trained with held-out facts), otherwise all",
          {.min = 0, .max = 1e8})
        .alias("max_per_question");
    o.add("max_queries", &CompleteOptions::max_queries,
          "ask at most this many queries (h, r, ?), those most likely to have a missing answer first; 0: all "
          "that promise anything. Only for models that judge each fact by trees",
          {.min = 0, .max = 1e12});
    o.add("missing_share", &CompleteOptions::missing_share,
          "share of all true facts that is assumed to be missing from the graph; a higher share makes every "
          "fact more probable, by the same factor in odds. 0: the share that was held out in training. Only "
          "for models that judge each fact by trees",
          {.min = 0, .max = 0.99});
    o.add("exclude", &CompleteOptions::exclude,
          "files with facts that are never returned, because they are known elsewhere or known to be false: "
          "lines of head, relation and tail, separated by tabs; further columns are ignored; .gz, .zst");
  }
};

// The most probable facts that the model does not hold: by probability, then margin, then ids. Each candidate
// head is asked for its tails, exactly (of a model of two stages, for those of its list: the first stage's
// best and what the graph has evidence for); memory is bounded by `top`. The same result for any number of
// threads. Throws kBadInput for an unknown label or a line of `exclude` that is no fact, kUsage for a model
// without facts, and for a missing share or a number of queries where no trees judge facts. Facts to exclude
// whose labels the model does not know are skipped, with a warning in the log.
GREENKGC_API std::vector<Answer> complete(const Model& model, const CompleteOptions& options,
                                          const Context& context);

struct NewFacts {
  std::vector<Answer> facts;  // as complete() has them
  // The queries that `max_queries` cut off although facts were to be expected there; 0: the list is complete.
  std::uint64_t queries_left_out = 0;
};

// The same as complete(), and whether the list was cut short.
GREENKGC_API NewFacts find_new_facts(const Model& model, const CompleteOptions& options,
                                     const Context& context);

// The reason for each fact: the evidence that Model::explain() lists first for it. Nothing where no known
// fact supports it, and for models that read no evidence (those of one stage). Throws kUsage for an id that
// the model does not have.
GREENKGC_API std::vector<std::optional<Evidence>> best_evidence(const Model& model,
                                                                std::span<const Triple> facts,
                                                                const Context& context);

// The share of all true facts that the probabilities of complete() assume to be missing from the graph.
// Nothing if no trees of the model judge facts: its probabilities assume that each query has an answer.
GREENKGC_API std::optional<double> assumed_missing_share(const Model& model, const CompleteOptions& options);

// Throws kUsage if no format of write_facts has such a name.
GREENKGC_API void check_facts_path(const std::filesystem::path& path);

// Writes facts by the name of the file: .tsv (head, relation, tail, probability) or .nt (N-Triples; labels as
// `greenkgc convert` writes them), and .gz or .zst behind it. /dev/stdout, a pipe or a device gets what .tsv
// has.
GREENKGC_API void write_facts(const Model& model, std::span<const Answer> answers,
                              const std::filesystem::path& path, const Context& context);

}  // namespace greenkgc
