#include "graph/dataset_layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/byte_source.h"
#include "base/text.h"
#include "greenkgc/error.h"

namespace greenkgc::graph {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> kCompressions = {"", ".gz", ".zst"};
constexpr std::size_t kMaxDescriptionBytes = 1 << 20;

// The file called `name`, plain or compressed; an empty path if there is none.
fs::path find_file(const fs::path& folder, std::string_view name) {
  for (const std::string_view compression : kCompressions) {
    fs::path path = folder / fmt::format("{}{}", name, compression);
    if (fs::exists(path)) return path;
  }
  return {};
}

fs::path require_file(const fs::path& folder, std::string_view name, std::string_view layout) {
  fs::path path = find_file(folder, name);
  if (path.empty()) {
    throw Error(ErrorCode::kBadInput,
                fmt::format("{}: has no {}, which a folder of {} needs", folder.string(), name, layout));
  }
  return path;
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    names.push_back(it->path().filename().string());
  }
  if (error)
    throw Error(ErrorCode::kIo, fmt::format("{}: cannot be listed: {}", folder.string(), error.message()));
  std::sort(names.begin(), names.end());
  return names;
}

[[noreturn]] void fail_no_train(const fs::path& folder, std::string_view expected) {
  std::vector<std::string> names = names_in(folder);
  const bool more = names.size() > 6;
  if (more) names.resize(6);
  throw Error(ErrorCode::kBadInput,
              fmt::format("{}: has no {}; it holds {}{}", folder.string(), expected,
                          names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", ")),
                          more ? ", ..." : ""));
}

std::vector<std::string_view> stems_of(Split split) {
  if (split == Split::kValid) return {"valid", "dev", "validation"};
  return {split_name(split)};
}

// Files that could be the split: a known ending behind one of its names.
std::vector<fs::path> candidates(const fs::path& folder, Split split, const std::string& format) {
  std::vector<std::string_view> endings = {".txt", ".tsv", ".csv", ".nt", ".ttl", ".nq", ".trig", ""};
  if (format == "tsv") endings = {".tsv", ".txt", ""};
  if (format == "csv") endings = {".csv", ".txt", ""};
  if (format == "dict") endings = {".txt", ".tsv"};
  const std::string own_ending = "." + format;
  if (format == "nt" || format == "ttl" || format == "nq" || format == "trig") endings = {own_ending, ".txt"};
  std::vector<fs::path> found;
  for (const std::string_view stem : stems_of(split)) {
    for (const std::string_view ending : endings) {
      for (const std::string_view compression : kCompressions) {
        fs::path path = folder / fmt::format("{}{}{}", stem, ending, compression);
        if (fs::exists(path)) found.push_back(std::move(path));
      }
    }
  }
  return found;
}

void find_labelled_files(const fs::path& folder, const std::string& format, FolderLayout& layout) {
  for (const Split split : kAllSplits) {
    const std::vector<fs::path> found = candidates(folder, split, format);
    if (found.size() > 1) {
      throw Error(
          ErrorCode::kBadInput,
          fmt::format("{}: both {} and {} could be the {} split; choose with --format or move one away",
                      folder.string(), found[0].filename().string(), found[1].filename().string(),
                      split_name(split)));
    }
    if (!found.empty()) layout.files.emplace_back(split, found[0]);
  }
  if (layout.files.empty() || layout.files[0].first != Split::kTrain) {
    fail_no_train(folder, "train file (train.txt, .tsv, .csv, .nt, .ttl, .nq or .trig, plain, .gz or .zst)");
  }
}

FolderLayout openke_layout(const fs::path& folder) {
  FolderLayout layout;
  layout.file_format = "openke";
  layout.naming = Naming::kIds;
  layout.dictionary = {.columns = DictionaryColumns::kLabelId, .count_line = true};
  layout.entities = require_file(folder, "entity2id.txt", "OpenKE");
  layout.relations = require_file(folder, "relation2id.txt", "OpenKE");
  for (const Split split : kAllSplits) {
    const fs::path path = find_file(folder, fmt::format("{}2id.txt", split_name(split)));
    if (!path.empty()) layout.files.emplace_back(split, path);
  }
  if (layout.files.empty() || layout.files[0].first != Split::kTrain) fail_no_train(folder, "train2id.txt");
  return layout;
}

// LibKGE's dataset.yaml writes "files.train.filename: train.del" flat, or the same as nested maps.
class LibKgeDescription {
 public:
  explicit LibKgeDescription(const fs::path& path) : path_(path) {
    if (path.empty()) return;
    const std::string text = read_small_file(path, kMaxDescriptionBytes);
    try {
      const YAML::Node document = YAML::Load(text);
      dataset_ = child(document, "dataset");
    } catch (const YAML::Exception& error) {
      throw Error(ErrorCode::kBadInput,
                  fmt::format("{}: line {}: {}", path.string(), error.mark.line + 1, error.msg));
    }
    if (!dataset_ || !dataset_.IsMap()) {
      throw Error(ErrorCode::kBadInput,
                  fmt::format("{}: line 1: should hold a map called 'dataset'", path.string()));
    }
  }

  std::optional<std::string> filename(std::string_view file) const {
    const YAML::Node nested = child(child(child(dataset_, "files"), std::string(file)), "filename");
    return text(nested ? nested : child(dataset_, fmt::format("files.{}.filename", file)));
  }
  std::optional<std::uint64_t> count(const std::string& key) const {
    const auto value = text(child(dataset_, key));
    std::uint64_t number = 0;
    if (!value || value->starts_with('-')) return std::nullopt;  // LibKGE writes -1 for "not known"
    if (!parse_u64(*value, number)) {
      throw Error(ErrorCode::kBadInput, fmt::format("{}: {} should be a whole number, not {}", path_.string(),
                                                    key, in_quotes(*value)));
    }
    return number;
  }

 private:
  static YAML::Node child(const YAML::Node& node, const std::string& key) {
    return node.IsDefined() && node.IsMap() ? node[key] : YAML::Node(YAML::NodeType::Undefined);
  }
  static std::optional<std::string> text(const YAML::Node& node) {
    if (!node.IsDefined() || !node.IsScalar()) return std::nullopt;
    return node.Scalar();
  }

  fs::path path_;
  YAML::Node dataset_{YAML::NodeType::Undefined};
};

FolderLayout libkge_layout(const fs::path& folder) {
  FolderLayout layout;
  layout.file_format = "libkge";
  layout.naming = Naming::kIds;
  layout.description = find_file(folder, "dataset.yaml");
  const LibKgeDescription description(layout.description);
  const auto name_of = [&](std::string_view file) {
    return description.filename(file).value_or(fmt::format("{}.del", file));
  };
  layout.entities = require_file(folder, name_of("entity_ids"), "LibKGE");
  layout.relations = require_file(folder, name_of("relation_ids"), "LibKGE");
  layout.entity_count = description.count("num_entities");
  layout.relation_count = description.count("num_relations");
  for (const Split split : kAllSplits) {
    const bool named = description.filename(split_name(split)).has_value();
    const fs::path path = named ? require_file(folder, name_of(split_name(split)), "LibKGE")
                                : find_file(folder, name_of(split_name(split)));
    if (!path.empty()) layout.files.emplace_back(split, path);
  }
  if (layout.files.empty() || layout.files[0].first != Split::kTrain) fail_no_train(folder, "train.del");
  return layout;
}

FolderLayout labelled_layout(const fs::path& folder, const std::string& format) {
  FolderLayout layout;
  if (format != "auto") layout.file_format = format;
  layout.entities = find_file(folder, "entities.dict");
  layout.relations = find_file(folder, "relations.dict");
  if (layout.entities.empty() != layout.relations.empty() || (format == "dict" && layout.entities.empty())) {
    layout.entities = require_file(folder, "entities.dict", "labels with dictionaries");
    layout.relations = require_file(folder, "relations.dict", "labels with dictionaries");
  }
  if (layout.has_dictionaries()) layout.naming = Naming::kKnownLabels;
  find_labelled_files(folder, format, layout);
  return layout;
}

}  // namespace

FolderLayout find_layout(const fs::path& folder, const std::string& format) {
  const auto has = [&](std::string_view name) { return !find_file(folder, name).empty(); };
  if (format == "openke" || (format == "auto" && has("train2id.txt"))) return openke_layout(folder);
  if (format == "libkge" || (format == "auto" && (has("dataset.yaml") || has("train.del")))) {
    return libkge_layout(folder);
  }
  return labelled_layout(folder, format);
}

}  // namespace greenkgc::graph
