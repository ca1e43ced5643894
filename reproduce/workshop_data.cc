// Where datasets come from.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "greenkgc/error.h"
#include "greenkgc/generate.h"
#include "workshop.h"

namespace greenkgc {
namespace {

namespace fs = std::filesystem;

constexpr const char* kScale = "ogbl-wikikg2";

// Names of folders that a dataset usually has.
std::vector<std::string> folder_names(const std::string& dataset) {
  static const std::map<std::string, std::vector<std::string>> names = {
      {"FB15k-237", {"FB15k-237", "fb15k-237", "FB15K237", "FB15k237", "fb15k237"}},
      {"WN18RR", {"WN18RR", "wn18rr"}},
      {"YAGO3-10", {"YAGO3-10", "yago3-10", "YAGO310"}},
      {kScale, {kScale, "ogbl_wikikg2", "wikikg2"}},
  };
  return names.at(dataset);
}

std::string how_to_get(const std::string& dataset) {
  if (dataset == kScale)
    return "run pip install ogb; LinkPropPredDataset('ogbl-wikikg2') downloads it, and "
           "scripts/wikikg2_to_tsv.py converts its folder to train.txt, valid.txt and test.txt";
  return "download it from github.com/TimDettmers/ConvE (" + dataset +
         ".tar.gz: train.txt, valid.txt, test.txt with head, relation, tail separated by tabs)";
}

// Folders are found by their training facts: plain, compressed, or ids with dictionaries.
bool holds_graph(const fs::path& folder) {
  std::error_code ignored;
  for (const char* name :
       {"train.txt", "train.tsv", "train.txt.gz", "train.txt.zst", "train2id.txt", "train.del"}) {
    if (fs::exists(folder / name, ignored)) return true;
  }
  return false;
}

}  // namespace

std::string Workshop::find_data(const std::string& name) const {
  for (const std::string& folder : folder_names(name)) {
    if (holds_graph(run_.data / folder)) return (run_.data / folder).string();
  }
  return "";
}

// With `quick` about 100 times smaller than the smallest of the paper's; else of the dataset's size.
std::string Workshop::generated(const std::string& name) {
  const PaperDataset& sizes = paper(name);
  GenerateOptions options;
  const auto seed_offset = static_cast<std::int64_t>(&sizes - paper_datasets().data());
  if (options_.quick) {
    options.entities = 150 + 10 * seed_offset;
    options.relations = 8 + seed_offset;
    options.triples = 1500;
    options.valid_share = 0.05;
    options.test_share = 0.05;
  } else {
    const auto all = static_cast<double>(sizes.train + sizes.valid + sizes.test);
    options.entities = static_cast<std::int64_t>(sizes.entities);
    options.relations = static_cast<std::int64_t>(sizes.relations);
    options.triples = static_cast<std::int64_t>(all);
    options.valid_share = static_cast<double>(sizes.valid) / all;
    options.test_share = static_cast<double>(sizes.test) / all;
  }
  const fs::path folder =
      run_.out / "artefacts" / name / fmt::format("generated-{}-{}", options.triples, context_.seed);
  if (!holds_graph(folder)) generate(options, folder, context_);
  return folder.string();
}

const Dataset* Workshop::dataset(const std::string& name) {
  const auto found = datasets_.find(name);
  if (found != datasets_.end()) return found->second.get();
  std::string folder = options_.quick ? generated(name) : find_data(name);
  if (folder.empty() && name == kScale && options_.stand_in) {
    folder = generated(name);
    note(
        "ogbl-wikikg2 is missing and replaced by a generated graph of its size: times and sizes are "
        "meaningful, accuracy is not.");
  }
  if (folder.empty()) {
    const std::string place = (run_.data / folder_names(name)[0]).string();
    note(fmt::format("{} is missing ({}): {}.", name, place, how_to_get(name)));
    if (std::find(missing_.begin(), missing_.end(), name) == missing_.end()) {
      missing_.push_back(name);
      context_.say(LogLevel::kWarning,
                   fmt::format("{} is missing ({}) and left out: {}", name, place, how_to_get(name)));
    }
    return nullptr;
  }
  auto& dataset = datasets_[name];
  dataset = std::make_unique<Dataset>(Dataset::load(folder, {}, context_));
  return dataset.get();
}

std::string Workshop::dataset_words(const std::string& name) const {
  if (options_.quick) return name + " (generated, quick)";
  return find_data(name).empty() ? name + " (generated stand-in)" : name;
}

}  // namespace greenkgc
