#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "graph/identity.h"
#include "greenkgc/dataset.h"
#include "greenkgc/decide.h"
#include "greenkgc/embed.h"
#include "greenkgc/evaluate.h"
#include "greenkgc/prune.h"
#include "greenkgc/reproduce.h"
#include "paper_figures.h"

namespace greenkgc {

// Something trained, in a folder of its own: its file, and log.jsonl.
struct Artefact {
  std::string dataset;
  std::string kind;  // "embedding", "features", "model"
  std::filesystem::path file;
  std::string options;       // TOML
  double seconds = 0;        // of the run that made it
  double total_seconds = 0;  // and of those that made what it was made from
  std::uint64_t bytes = 0;

  std::filesystem::path folder() const { return file.parent_path(); }
};

// Makes what exhibits need, each thing once, and remembers what was used. Not for several threads.
class Workshop {
 public:
  Workshop(const ReproduceRun& run, const ReproduceOptions& options, const Context& context);

  // Null if it is not there; then missing() and notes() say so.
  const Dataset* dataset(const std::string& name);
  static const PaperDataset& paper(const std::string& name);
  // What the dataset is, if not itself: "a generated stand-in".
  std::string dataset_words(const std::string& name) const;

  // `dims` are the paper's; with `quick` they are fewer. So are groups, where there are fewer relations.
  std::int64_t dims(std::int64_t paper_dims) const;
  Artefact embedding(const std::string& dataset, const std::string& model, std::int64_t paper_dims);
  PruneOptions prune_options(const std::string& dataset, std::int64_t paper_keep_dims);
  Artefact features(const Artefact& embedding, const PruneOptions& options);
  DecideOptions decide_options(const std::string& dataset) const;
  Artefact model(const Artefact& features, const DecideOptions& options);
  // The three stages with the paper's settings.
  Artefact green(const std::string& dataset, const std::string& model, std::int64_t paper_dims,
                 std::int64_t paper_keep_dims);

  // `sample` facts, or all of them with 0; without figures of single relations.
  Evaluation evaluation(const Artefact& artefact, const std::string& protocol,
                        const std::string& split = "test", std::int64_t sample = 0);
  // As the paper counts.
  std::uint64_t parameters(const Artefact& artefact);

  void note(const std::string& note);
  const std::vector<std::string>& notes() const { return notes_; }
  const std::vector<std::string>& missing() const { return missing_; }
  const std::vector<Artefact>& used() const { return used_; }
  const ReproduceOptions& options() const { return options_; }
  const Context& context() const { return context_; }
  const std::filesystem::path& out() const { return run_.out; }

 private:
  std::string find_data(const std::string& name) const;
  std::string generated(const std::string& name);
  graph::Identity identity_of(const std::string& dataset) const;
  std::filesystem::path folder_for(const std::string& dataset, const std::string& slug,
                                   const graph::Identity& identity) const;
  void remember(const Artefact& artefact);

  const ReproduceRun& run_;
  const ReproduceOptions& options_;
  const Context& context_;
  std::map<std::string, std::unique_ptr<Dataset>> datasets_;
  std::vector<std::string> notes_;
  std::vector<std::string> missing_;
  std::vector<Artefact> used_;
};

}  // namespace greenkgc
