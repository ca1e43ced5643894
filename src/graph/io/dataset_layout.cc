#include "graph/io/dataset_layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/files/byte_source.h"
#include "base/text.h"
#include "graph/io/format.h"
#include "greenkgc/error.h"

namespace greenkgc::graph {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> kCompressions = {"", ".gz", ".zst"};
constexpr std::size_t kMaxDescriptionBytes = 1 << 20;

// Endings of the files of labels; "" is a bare "train".
constexpr std::array<std::string_view, 8> kLabelEndings = {".txt", ".tsv", ".csv",  ".nt",
                                                           ".ttl", ".nq",  ".trig", ""};
constexpr std::string_view kOpenKeEnding = "2id.txt";
constexpr std::string_view kLibKgeEnding = ".del";

// Folders do not count. Throws kIo if the system does not tell.
bool is_there(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::none) {
    throw Error(ErrorCode::kIo, fmt::format("{}: cannot be accessed: {}", path.string(), error.message()));
  }
  return fs::exists(status) && !fs::is_directory(status);
}

// The files called `name`, plain or compressed.
std::vector<fs::path> find_files(const fs::path& folder, std::string_view name) {
  std::vector<fs::path> found;
  for (const std::string_view compression : kCompressions) {
    fs::path path = folder / fmt::format("{}{}", name, compression);
    if (is_there(path)) found.push_back(std::move(path));
  }
  return found;
}

// The one of them; an empty path if there is none. Throws kBadInput if there are several.
fs::path find_file(const fs::path& folder, std::string_view name) {
  const std::vector<fs::path> found = find_files(folder, name);
  if (found.size() > 1) {
    throw Error(ErrorCode::kBadInput,
                fmt::format("{}: contains both {} and {}; remove one of them", folder.string(),
                            found[0].filename().string(), found[1].filename().string()));
  }
  return found.empty() ? fs::path() : found[0];
}

fs::path require_file(const fs::path& folder, std::string_view name, std::string_view layout) {
  fs::path path = find_file(folder, name);
  if (path.empty()) {
    throw Error(ErrorCode::kBadInput, fmt::format("{}: contains no {}, which a folder in the format {} needs",
                                                  folder.string(), name, layout));
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
              fmt::format("{}: contains no {}; it contains {}{}", folder.string(), expected,
                          names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", ")),
                          more ? ", ..." : ""));
}

std::vector<std::string_view> stems_of(Split split) {
  if (split == Split::kValid) return {"valid", "dev", "validation"};
  return {split_name(split)};
}

// In the order in which a requested format prefers them; its own comes first.
std::vector<std::string> endings_of(const std::string& format) {
  if (format == "tsv") return {".tsv", ".txt", ""};
  if (format == "csv") return {".csv", ".txt", ""};
  if (format == "dict") return {".txt", ".tsv"};
  if (rdf_syntax(format)) return {"." + format, ".txt"};
  return {kLabelEndings.begin(), kLabelEndings.end()};
}

// Files that could be the split: a known ending behind one of its names. A requested format decides for the
// first of its endings that occurs.
std::vector<fs::path> candidates(const fs::path& folder, Split split, const std::string& format) {
  std::vector<fs::path> found;
  for (const std::string& ending : endings_of(format)) {
    for (const std::string_view stem : stems_of(split)) {
      for (fs::path& path : find_files(folder, fmt::format("{}{}", stem, ending)))
        found.push_back(std::move(path));
    }
    if (format != "auto" && !found.empty()) break;
  }
  return found;
}

[[noreturn]] void fail_ambiguous(const fs::path& folder, Split split, const fs::path& one,
                                 const fs::path& other) {
  const bool format_decides = without_compression(one).extension() != without_compression(other).extension();
  throw Error(ErrorCode::kBadInput,
              fmt::format("{}: both {} and {} could be the {} split; {}remove one of them", folder.string(),
                          one.filename().string(), other.filename().string(), split_name(split),
                          format_decides ? "choose with --format or " : ""));
}

void find_labelled_files(const fs::path& folder, const std::string& format, FolderLayout& layout) {
  for (const Split split : kAllSplits) {
    const std::vector<fs::path> found = candidates(folder, split, format);
    if (found.size() > 1) fail_ambiguous(folder, split, found[0], found[1]);
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
    const fs::path path = find_file(folder, fmt::format("{}{}", split_name(split), kOpenKeEnding));
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
      const std::string where = error.mark.is_null() ? "" : fmt::format("line {}: ", error.mark.line + 1);
      throw Error(ErrorCode::kBadInput, fmt::format("{}: {}{}", path.string(), where, error.msg));
    }
    if (!dataset_ || !dataset_.IsMap()) {
      throw Error(ErrorCode::kBadInput,
                  fmt::format("{}: line 1: expected a map named 'dataset'", path.string()));
    }
  }

  std::optional<std::string> filename(std::string_view file) const {
    const YAML::Node nested = child(child(child(dataset_, "files"), std::string(file)), "filename");
    return text(nested ? nested : child(dataset_, fmt::format("files.{}.filename", file)));
  }
  std::optional<DescribedCount> count(const std::string& key) const {
    const YAML::Node node = child(dataset_, key);
    const auto value = text(node);
    if (!value || value->starts_with('-')) return std::nullopt;  // LibKGE writes -1 for "not known"
    DescribedCount described{.line = static_cast<std::uint64_t>(node.Mark().line) + 1};
    if (!parse_u64(*value, described.count)) {
      throw Error(ErrorCode::kBadInput, fmt::format("{}: line {}: {} must be a whole number, not {}",
                                                    path_.string(), described.line, key, in_quotes(*value)));
    }
    return described;
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
    return description.filename(file).value_or(fmt::format("{}{}", file, kLibKgeEnding));
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

fs::path negatives_beside(const fs::path& data) {
  const std::string name = without_compression(data).stem().string() + "_negatives";
  fs::path found;
  for (const std::string_view ending : kLabelEndings) {
    const fs::path path = find_file(data.parent_path(), fmt::format("{}{}", name, ending));
    if (path.empty()) continue;
    if (!found.empty())
      throw Error(ErrorCode::kBadInput,
                  fmt::format("{}: both {} and {} could be the facts that are known to be false; remove one "
                              "of them",
                              data.string(), found.filename().string(), path.filename().string()));
    found = path;
  }
  return found;
}

void refuse_leftovers(const fs::path& folder, std::span<const fs::path> to_write) {
  const auto refuse_file = [&](std::string_view name) {
    for (const fs::path& path : find_files(folder, name)) {
      if (std::find(to_write.begin(), to_write.end(), path) != to_write.end()) continue;
      throw Error(ErrorCode::kUsage, fmt::format("{}: would be read as part of the new graph but is not "
                                                 "overwritten by it: empty the folder or choose another",
                                                 path.string()));
    }
  };
  for (const Split split : kAllSplits) {
    for (const std::string_view stem : stems_of(split)) {
      for (const std::string_view ending : kLabelEndings) refuse_file(fmt::format("{}{}", stem, ending));
    }
    refuse_file(fmt::format("{}{}", split_name(split), kOpenKeEnding));
    refuse_file(fmt::format("{}{}", split_name(split), kLibKgeEnding));
  }
  for (const std::string_view name : {"entities.dict", "relations.dict", "entity2id.txt", "relation2id.txt",
                                      "entity_ids.del", "relation_ids.del", "dataset.yaml"}) {
    refuse_file(name);
  }
}

}  // namespace greenkgc::graph
