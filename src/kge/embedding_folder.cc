#include "kge/embedding_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/files/byte_source.h"
#include "base/files/output_file.h"
#include "base/text.h"
#include "base/utf8.h"
#include "greenkgc/error.h"
#include "kge/assemble.h"
#include "tensors/npy.h"
#include "tensors/row_labels.h"
#include "tensors/table_file.h"
#include "tensors/word2vec.h"

namespace greenkgc::kge {
namespace {

namespace fs = std::filesystem;
using OrderedJson = nlohmann::ordered_json;

constexpr std::string_view kFormat = "greenkgc.embeddings";
constexpr std::uint64_t kVersion = 1;
constexpr std::size_t kMaxJsonBytes = 1 << 20;

std::vector<std::string> labels_of(const graph::Vocabulary& vocabulary) {
  std::vector<std::string> labels;
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id) labels.emplace_back(vocabulary.label(id));
  return labels;
}

// A name for every row. Throws kBadInput if a reverse row would be called as a relation is.
std::vector<std::string> relation_row_names(const NamedEmbeddings& named) {
  std::vector<std::string> names = labels_of(named.relations);
  if (!named.embeddings.reciprocal) return names;
  for (std::uint32_t id = 0; id < named.relations.size(); ++id) {
    names.push_back(fmt::format("{}{}", named.relations.label(id), kReverseEnding));
    if (named.relations.find(names.back())) {
      throw Error(
          ErrorCode::kBadInput,
          fmt::format(
              "there is a relation {}, but the reciprocal of {} would have the same name; npy can store both",
              in_quotes(names.back()), in_quotes(named.relations.label(id))));
    }
  }
  return names;
}

std::string description(const NamedEmbeddings& named, std::string_view form) {
  const Embeddings& embeddings = named.embeddings;
  OrderedJson json = {{"format", kFormat},
                      {"version", kVersion},
                      {"tables", form},
                      {"model", embeddings.kge->name()},
                      {"similarity", similarity_name(embeddings.similarity)},
                      {"dims", embeddings.dims},
                      {"reciprocal", embeddings.reciprocal},
                      {"range_dims", embeddings.range_dims.size()},
                      {"provenance", named.provenance}};
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + '\n';
}

class FolderWriter {
 public:
  FolderWriter(const fs::path& folder, const Context& context) : folder_(folder), context_(context) {}

  void npy(std::string_view name, std::uint64_t rows, std::span<const float> values) {
    tensors::write_npy(open(name), rows, values.size() / rows, values);
  }
  void word2vec(std::string_view name, std::span<const std::string> labels, std::span<const float> values) {
    tensors::write_word2vec(open(name), labels, values, context_);
    const auto spaced =
        static_cast<std::uint64_t>(std::count_if(labels.begin(), labels.end(), [](const std::string& label) {
          return label.find(' ') != std::string::npos;
        }));
    if (spaced == 0) return;
    context_.say(LogLevel::kWarning, fmt::format("{}: {} with spaces; greenkgc can read them, but programs "
                                                 "that split lines at every space (gensim) cannot",
                                                 (folder_ / name).string(), count_of(spaced, "label")));
  }
  void label_lines(std::string_view name, const graph::Vocabulary& vocabulary) {
    OutputFile& file = open(name);
    for (std::uint32_t id = 0; id < vocabulary.size(); ++id) {
      const std::string_view label = vocabulary.label(id);
      if (label.find_first_of(std::string_view("\t\n\0", 3)) != std::string_view::npos ||
          label.ends_with('\r') || label.starts_with(kByteOrderMark)) {
        throw Error(ErrorCode::kBadInput,
                    fmt::format("{}: the label {} cannot be stored in a line of text; use safetensors",
                                file.path().string(), in_quotes(label)));
      }
      file.write(label);
      file.write("\n");
    }
  }
  void text(std::string_view name, std::string_view bytes) { open(name).write(bytes); }

  std::vector<fs::path> commit() {
    std::vector<fs::path> paths;
    for (const auto& file : files_) {
      context_.check_cancelled();
      file->commit();
      paths.push_back(file->path());
    }
    return paths;
  }

 private:
  OutputFile& open(std::string_view name) {
    files_.push_back(std::make_unique<OutputFile>(folder_ / name));
    return *files_.back();
  }

  fs::path folder_;
  const Context& context_;
  std::vector<std::unique_ptr<OutputFile>> files_;
};

std::vector<std::string_view> file_names(std::string_view form) {
  if (form == "word2vec") return {"entities.vec", "relations.vec", kEmbeddingJson};
  return {"entities.npy", "relations.npy", "entities.txt", "relations.txt", kEmbeddingJson};
}

void refuse_other_files(const fs::path& folder, std::string_view form) {
  const auto names = file_names(form);
  std::error_code error;
  if (!fs::exists(folder, error)) return;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (std::find(names.begin(), names.end(), it->path().filename().string()) != names.end()) continue;
    throw Error(ErrorCode::kUsage,
                fmt::format("{}: contains {}, which is not part of the new embeddings: choose another folder",
                            folder.string(), in_quotes(it->path().filename().string())));
  }
  if (error)
    throw Error(ErrorCode::kIo, fmt::format("{}: cannot be listed: {}", folder.string(), error.message()));
}

struct Description {
  TableMeaning meaning;
  std::uint64_t dims = 0;
  std::string form;
  std::map<std::string, std::string> provenance;
};

class DescriptionReader {
 public:
  explicit DescriptionReader(const fs::path& path)
      : name_(path.string()),
        json_(OrderedJson::parse(read_small_file(path, kMaxJsonBytes), nullptr, false)) {}

  Description read() const {
    if (!json_.is_object()) fail("is not a JSON object");
    if (value<std::string>("format") != kFormat) fail("does not describe embeddings");
    if (value<std::uint64_t>("version") != kVersion) {
      throw Error(ErrorCode::kUnsupported,
                  fmt::format("{}: has version {}, but this program reads version {}", name_,
                              value<std::uint64_t>("version"), kVersion));
    }
    Description read;
    read.form = value<std::string>("tables");
    if (read.form != "npy" && read.form != "word2vec") fail("tables must be npy or word2vec");
    read_model(read.meaning);
    read.meaning.reciprocal = value<bool>("reciprocal");
    read.dims = value<std::uint64_t>("dims");
    if (json_.contains("range_dims")) read.meaning.range_dims = value<std::uint64_t>("range_dims");
    if (json_.contains("provenance"))
      read.provenance = value<std::map<std::string, std::string>>("provenance");
    return read;
  }
  [[noreturn]] void fail(std::string_view what) const {
    throw Error(ErrorCode::kCorrupt, fmt::format("{}: {}", name_, what));
  }

 private:
  void read_model(TableMeaning& meaning) const {
    try {
      meaning.kge = &kge_model(value<std::string>("model"));
      meaning.similarity = parse_similarity(*meaning.kge, value<std::string>("similarity"));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kUsage) throw;
      fail(error.what());  // it was not the user who chose them
    }
  }
  template <class Value>
  Value value(const std::string& key) const {
    if (!json_.contains(key)) fail(fmt::format("has no {}", key));
    try {
      return json_[key].get<Value>();
    } catch (const OrderedJson::exception&) {
      fail(fmt::format("{} has a value of the wrong type", key));
    }
  }

  std::string name_;
  OrderedJson json_;
};

tensors::TableFile read_part(const fs::path& folder, std::string_view name, std::string_view form,
                             std::vector<std::string>& notes, const Context& context) {
  const bool npy = form == "npy";
  tensors::TableFile part =
      tensors::read_table(folder / fmt::format("{}.{}", name, npy ? "npy" : "vec"), "", context);
  notes.push_back(part.note);
  if (npy != !part.labels)
    throw Error(ErrorCode::kBadInput, fmt::format("{}: is not a {} file", part.name, form));
  if (npy) {
    part.labels.emplace();
    tensors::read_label_lines(*open_source(folder / fmt::format("{}.txt", name)), *part.labels, context);
  }
  return part;
}

}  // namespace

std::vector<fs::path> write_embedding_folder(const fs::path& folder, std::string_view form,
                                             const NamedEmbeddings& named, const Context& context) {
  refuse_other_files(folder, form);
  const Embeddings& embeddings = named.embeddings;
  if (embeddings.entities.empty() || embeddings.relations.empty())
    throw Error(ErrorCode::kBadInput, fmt::format("{}: there are no numbers to write", folder.string()));
  FolderWriter writer(folder, context);
  if (form == "npy") {
    writer.npy("entities.npy", embeddings.entity_count, embeddings.entities);
    writer.npy("relations.npy", embeddings.relation_rows(), embeddings.relations);
    writer.label_lines("entities.txt", named.entities);
    writer.label_lines("relations.txt", named.relations);
  } else {
    writer.word2vec("entities.vec", labels_of(named.entities), embeddings.entities);
    writer.word2vec("relations.vec", relation_row_names(named), embeddings.relations);
  }
  writer.text(kEmbeddingJson, description(named, form));  // the last: it makes the folder one of embeddings
  return writer.commit();
}

NamedEmbeddings read_embedding_folder(const fs::path& folder, std::vector<std::string>& notes,
                                      const Context& context) {
  const DescriptionReader reader(folder / kEmbeddingJson);
  const Description description = reader.read();
  tensors::TableFile entities = read_part(folder, "entities", description.form, notes, context);
  tensors::TableFile relations = read_part(folder, "relations", description.form, notes, context);
  if (description.form == "word2vec" && description.meaning.reciprocal)
    relations.labels = forward_labels(*relations.labels, relations.name);
  NamedEmbeddings named = assemble(std::move(entities), std::move(relations), description.meaning);
  if (named.embeddings.dims != description.dims) {
    reader.fail(fmt::format("declares {}, but the tables have {}", count_of(description.dims, "dimension"),
                            named.embeddings.dims));
  }
  named.provenance = description.provenance;
  return named;
}

}  // namespace greenkgc::kge
