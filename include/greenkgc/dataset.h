#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "greenkgc/context.h"
#include "greenkgc/export.h"
#include "greenkgc/ids.h"
#include "greenkgc/options.h"

namespace greenkgc {

// The parts of a graph. The negatives are facts that are known to be false, as CoDEx gives them for triple
// classification.
enum class Split { kTrain, kValid, kTest, kValidNegatives, kTestNegatives, kTrainNegatives };
inline constexpr std::array kAllSplits = {Split::kTrain,         Split::kValid,
                                          Split::kTest,          Split::kValidNegatives,
                                          Split::kTestNegatives, Split::kTrainNegatives};
inline constexpr std::size_t kSplitCount = kAllSplits.size();
GREENKGC_API std::string_view split_name(
    Split split);  // "train", ..., "test_negatives": also the file's stem

struct LoadOptions {
  std::string format = "auto";
  bool keep_literals = false;
  double valid_share = 0.05;
  double test_share = 0.05;

  static void declare(OptionList<LoadOptions>& o) {
    o.add("format", &LoadOptions::format, "format of the input files; auto detects it from names and content",
          {.choices = {"auto", "tsv", "csv", "dict", "openke", "libkge", "nt", "ttl", "nq", "trig"}});
    o.add("keep_literals", &LoadOptions::keep_literals,
          "RDF: treat literals as entities instead of skipping the facts that contain them");
    o.add("valid_share", &LoadOptions::valid_share,
          "share of a single file's facts to hold out for validation", {.min = 0, .max = 0.5});
    o.add("test_share", &LoadOptions::test_share, "share of a single file's facts to hold out for testing",
          {.min = 0, .max = 0.5});
  }
};

namespace graph {
struct Dataset;
}

// A graph in memory: labels, and the facts of each split as ids. Ids are given by first appearance: head
// before tail; train, then valid, then test; unless the data come with ids of their own (OpenKE, LibKGE,
// *.dict).
class GREENKGC_API Dataset {
 public:
  // `data` is a folder with train, valid and test; a single file, which is split by us with context.seed so
  // that every entity and relation occurs in train; or "world", the embedded graph.
  static Dataset load(const std::string& data, const LoadOptions& options, const Context& context);

  explicit Dataset(std::unique_ptr<graph::Dataset> impl);  // for the library itself
  ~Dataset();
  Dataset(Dataset&&) noexcept;
  Dataset& operator=(Dataset&&) noexcept;

  std::uint32_t entity_count() const;
  std::uint32_t relation_count() const;
  std::string_view label(EntityId id) const;
  std::string_view label(RelationId id) const;
  std::optional<EntityId> find_entity(std::string_view label) const;
  std::optional<RelationId> find_relation(std::string_view label) const;

  std::span<const Triple> triples(Split split) const;
  std::span<const float> weights(Split split) const;  // empty, or one per triple

  // One line per file read: what it was understood to be ("OpenKE ids, order head tail relation, 272,115
  // triples").
  const std::vector<std::string>& notes() const;

  // For the library itself: graph::Dataset is no part of the API.
  const graph::Dataset& impl() const { return *impl_; }

 private:
  std::unique_ptr<graph::Dataset> impl_;
};

struct ConvertOptions {
  std::string to = "auto";
  std::string split = "auto";
  std::string compress = "none";

  static void declare(OptionList<ConvertOptions>& o) {
    o.add("to", &ConvertOptions::to,
          "output format; auto derives it from the name of the output; safetensors, npy and word2vec are for "
          "embeddings",
          {.choices = {"auto", "tsv", "csv", "dict", "openke", "libkge", "nt", "ttl", "nq", "trig",
                       "safetensors", "npy", "word2vec"}});
    o.add("split", &ConvertOptions::split,
          "what a single output file contains: one split, or train, valid and test together; auto works only "
          "for data with one split",
          {.choices = {"auto", "all", "train", "valid", "test"}});
    o.add("compress", &ConvertOptions::compress, "compress the files in the output folder",
          {.choices = {"none", "gz", "zst"}});
  }
};

// Writes the graph as a folder (one file per split) or as one file, and returns the paths written.
// A name that ends in .gz or .zst is compressed; "DIR" with "to" = "nt" gives DIR/train.nt and so on. Throws
// kUsage if the folder holds files that would be taken for a part of the graph, if the format is one of
// embeddings, if the options contradict each other or the name, and if a new name has an ending that no
// format has ("DIR.x/" is a folder).
GREENKGC_API std::vector<std::filesystem::path> write_dataset(const Dataset& dataset,
                                                              const std::filesystem::path& out,
                                                              const ConvertOptions& options,
                                                              const Context& context);

}  // namespace greenkgc
