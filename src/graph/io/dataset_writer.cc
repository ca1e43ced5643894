#include "graph/io/dataset_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/files/output_file.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/utf8.h"
#include "graph/io/dataset_layout.h"
#include "graph/io/format.h"
#include "greenkgc/error.h"

namespace greenkgc::graph {
namespace {

namespace fs = std::filesystem;
using Buffer = fmt::memory_buffer;

constexpr std::size_t kTriplesPerFlush = 4096;

// Where the output goes: one file, or a folder with one file per split.
struct Target {
  std::string format;  // of ConvertOptions::to, never "auto"
  bool folder = true;
  std::string compression;  // "", ".gz", ".zst": for the files of a folder
};

bool needs_folder(std::string_view format) {
  return format == "dict" || format == "openke" || format == "libkge";
}

// The format that a file's ending names; "" if it names none.
std::string format_of_ending(const fs::path& out) {
  const std::string ending = without_compression(out).extension().string();
  if (ending == ".txt" || ending == ".tsv") return "tsv";
  if (ending == ".csv") return "csv";
  return rdf_syntax(ending.empty() ? "" : ending.substr(1)) ? ending.substr(1) : "";
}

Target choose_target(const fs::path& out, const ConvertOptions& options) {
  if (options.to == "safetensors" || options.to == "npy" || options.to == "word2vec")
    throw Error(ErrorCode::kUsage,
                fmt::format("--to {} is for embeddings, but the input is a graph", options.to));
  std::error_code error;
  const bool is_folder = fs::is_directory(out, error);
  const bool is_stream = is_written_in_place(out);
  const std::string by_name = is_folder ? "" : format_of_ending(out);
  Target target;
  target.format = options.to != "auto" ? options.to : by_name.empty() ? "tsv" : by_name;
  target.folder = needs_folder(target.format) || (by_name.empty() && !is_stream);
  target.compression = options.compress == "none" ? "" : "." + options.compress;
  if (target.folder && !needs_folder(target.format) && !is_folder && out.has_extension()) {
    const std::string name = out.string();
    throw Error(
        ErrorCode::kUsage,
        fmt::format("{0}: the extension does not name a format: use {0}/ for a folder, or {0}.{1} for a file",
                    name, target.format));
  }
  if (target.folder && (is_stream || !by_name.empty())) {
    throw Error(ErrorCode::kUsage, fmt::format("--to {} writes a folder, but {} is {} a file", target.format,
                                               out.string(), is_stream ? "written as" : "named like"));
  }
  if (!target.folder && !target.compression.empty()) {
    throw Error(ErrorCode::kUsage, fmt::format("--compress applies to folders; name the file {}{} instead",
                                               out.string(), target.compression));
  }
  return target;
}

void append(Buffer& out, std::string_view text) {
  out.append(text.data(), text.data() + text.size());
}

// RFC 4180: quotes only where they are needed.
void append_csv(Buffer& out, std::string_view label) {
  if (label.find_first_of(",\"\r") == std::string_view::npos) return append(out, label);
  out.push_back('"');
  for (const char c : label) {
    if (c == '"') out.push_back('"');
    out.push_back(c);
  }
  out.push_back('"');
}

// A label that ends its line.
void append_last(Buffer& out, std::string_view label, const OutputFile& file) {
  if (label.ends_with('\r')) {
    throw Error(
        ErrorCode::kBadInput,
        fmt::format("{}: the label {} ends in a carriage return, which would be read as the end of the line",
                    file.path().string(), in_quotes(label)));
  }
  append(out, label);
  out.push_back('\n');
}

// Calls write_line(buffer, i) for each fact and hands the text on in pieces.
template <class WriteLine>
void write_lines(OutputFile& file, std::size_t count, const Context& context, WriteLine write_line) {
  ProgressTask progress(context, fmt::format("writing {}", file.path().string()), count, "triples");
  Buffer buffer;
  for (std::size_t begin = 0; begin < count; begin += kTriplesPerFlush) {
    const std::size_t end = std::min(count, begin + kTriplesPerFlush);
    for (std::size_t i = begin; i < end; ++i) write_line(buffer, i);
    file.write({buffer.data(), buffer.size()});
    buffer.clear();
    progress.advance(end - begin);
  }
}

class Writer {
 public:
  Writer(const Dataset& dataset, const Context& context) : dataset_(dataset), context_(context) {}

  void write_facts(const fs::path& path, std::string_view format, const Facts& facts) {
    OutputFile& file = open(path);
    if (const auto syntax = rdf_syntax(format)) {
      write_rdf(file, *syntax, dataset_, facts.triples, context_);
    } else if (format == "csv") {
      write_csv(file, facts);
    } else if (format == "openke") {
      write_openke(file, facts);
    } else if (format == "libkge") {
      write_lines(file, facts.triples.size(), context_, [&](Buffer& out, std::size_t i) {
        const Triple& fact = facts.triples[i];
        fmt::format_to(std::back_inserter(out), "{}\t{}\t{}\n", index(fact.head), index(fact.relation),
                       index(fact.tail));
      });
    } else {
      write_tsv(file, facts);
    }
    if (!facts.weights.empty() && format != "tsv" && format != "csv" && format != "dict") {
      context_.say(
          LogLevel::kWarning,
          fmt::format("{}: weights are dropped because this format cannot store them", path.string()));
    }
  }

  // As an id map; needs_folder(format).
  void write_dictionary(const fs::path& path, std::string_view format, const Vocabulary& vocabulary) {
    OutputFile& file = open(path);
    if (format == "openke") file.write(fmt::format("{}\n", vocabulary.size()));
    write_lines(file, vocabulary.size(), context_, [&](Buffer& out, std::size_t i) {
      const auto id = static_cast<std::uint32_t>(i);
      if (format == "openke") {
        append(out, vocabulary.label(id));
        fmt::format_to(std::back_inserter(out), "\t{}\n", id);
      } else {
        fmt::format_to(std::back_inserter(out), "{}\t", id);
        append_last(out, vocabulary.label(id), file);
      }
    });
  }

  void write_libkge_description(const fs::path& path) {
    const fs::path folder = path.parent_path();
    std::string text = fmt::format("dataset:\n  name: {}\n  num_entities: {}\n  num_relations: {}\n",
                                   yaml_string(folder.filename().string()), dataset_.entities.size(),
                                   dataset_.relations.size());
    const auto add_file = [&](std::string_view key, std::string_view type) {
      text += fmt::format("  files.{0}.filename: {0}.del\n  files.{0}.type: {1}\n", key, type);
    };
    add_file("entity_ids", "map");
    add_file("relation_ids", "map");
    for (const Split split : kAllSplits) {
      if (!dataset_[split].triples.empty()) add_file(split_name(split), "triples");
    }
    open(path).write(text);
  }

  std::vector<fs::path> commit() {
    std::vector<fs::path> paths;
    for (const auto& file : files_) {
      file->commit();
      paths.push_back(file->path());
    }
    return paths;
  }

 private:
  OutputFile& open(const fs::path& path) {
    files_.push_back(std::make_unique<OutputFile>(path));
    return *files_.back();
  }

  std::string_view entity(EntityId id) const { return dataset_.entities.label(index(id)); }
  std::string_view relation(RelationId id) const { return dataset_.relations.label(index(id)); }

  // Whether the reader would take the first fact for a header or the file for another format.
  bool needs_header(const fs::path& path, const Facts& facts) const {
    if (facts.triples.empty()) return false;
    const Triple& first = facts.triples[0];
    if (entity(first.head).starts_with(kByteOrderMark)) return true;
    if (!facts.weights.empty()) return false;  // the number tells
    const std::string line =
        fmt::format("{}\t{}\t{}\n", entity(first.head), relation(first.relation), entity(first.tail));
    const FileFormat format = detect_format(path, line, "auto");
    const auto* table = std::get_if<DelimitedFormat>(&format);
    return table == nullptr || table->header;
  }

  void write_tsv(OutputFile& file, const Facts& facts) {
    if (needs_header(file.path(), facts)) {
      file.write(facts.weights.empty() ? "head\trelation\ttail\n" : "head\trelation\ttail\tweight\n");
    }
    write_lines(file, facts.triples.size(), context_, [&](Buffer& out, std::size_t i) {
      const Triple& fact = facts.triples[i];
      append(out, entity(fact.head));
      out.push_back('\t');
      append(out, relation(fact.relation));
      out.push_back('\t');
      if (facts.weights.empty()) {
        append_last(out, entity(fact.tail), file);
      } else {
        append(out, entity(fact.tail));
        fmt::format_to(std::back_inserter(out), "\t{}\n", facts.weights[i]);
      }
    });
  }

  void write_csv(OutputFile& file, const Facts& facts) {
    file.write(facts.weights.empty() ? "head,relation,tail\n" : "head,relation,tail,weight\n");
    write_lines(file, facts.triples.size(), context_, [&](Buffer& out, std::size_t i) {
      const Triple& fact = facts.triples[i];
      append_csv(out, entity(fact.head));
      out.push_back(',');
      append_csv(out, relation(fact.relation));
      out.push_back(',');
      append_csv(out, entity(fact.tail));
      if (!facts.weights.empty()) fmt::format_to(std::back_inserter(out), ",{}", facts.weights[i]);
      out.push_back('\n');
    });
  }

  void write_openke(OutputFile& file, const Facts& facts) {
    file.write(fmt::format("{}\n", facts.triples.size()));
    write_lines(file, facts.triples.size(), context_, [&](Buffer& out, std::size_t i) {
      const Triple& fact = facts.triples[i];
      fmt::format_to(std::back_inserter(out), "{} {} {}\n", index(fact.head), index(fact.tail),
                     index(fact.relation));
    });
  }

  static std::string yaml_string(std::string_view text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? std::string("''") : std::string(1, c);
    return out + "'";
  }

  const Dataset& dataset_;
  const Context& context_;
  std::vector<std::unique_ptr<OutputFile>> files_;
};

// The files that make up a folder. Those that the format does not have are empty.
struct FolderFiles {
  fs::path entities;
  fs::path relations;
  fs::path description;
  std::vector<std::pair<Split, fs::path>> splits;  // only those that have facts

  std::vector<fs::path> all() const {
    std::vector<fs::path> paths;
    for (const fs::path& path : {entities, relations, description}) {
      if (!path.empty()) paths.push_back(path);
    }
    for (const auto& [split, path] : splits) paths.push_back(path);
    return paths;
  }
};

std::string split_file_name(Split split, std::string_view format) {
  if (format == "openke") return fmt::format("{}2id.txt", split_name(split));
  if (format == "libkge") return fmt::format("{}.del", split_name(split));
  if (format == "csv" || rdf_syntax(format)) return fmt::format("{}.{}", split_name(split), format);
  return fmt::format("{}.txt", split_name(split));
}

FolderFiles folder_files(const Dataset& dataset, const fs::path& folder, const Target& target) {
  const auto path = [&](std::string_view name) {
    return folder / fmt::format("{}{}", name, target.compression);
  };
  FolderFiles files;
  if (target.format == "dict") {
    files.entities = path("entities.dict");
    files.relations = path("relations.dict");
  } else if (target.format == "openke") {
    files.entities = path("entity2id.txt");
    files.relations = path("relation2id.txt");
  } else if (target.format == "libkge") {
    files.entities = path("entity_ids.del");
    files.relations = path("relation_ids.del");
    files.description = folder / "dataset.yaml";
  }
  for (const Split split : kAllSplits) {
    if (!dataset[split].triples.empty())
      files.splits.emplace_back(split, path(split_file_name(split, target.format)));
  }
  return files;
}

// The facts that go into a single output file.
Facts single_file_facts(const Dataset& dataset, const fs::path& out, const std::string& choice,
                        const Context& context) {
  constexpr std::array kPositive = {Split::kTrain, Split::kValid, Split::kTest};
  std::vector<Split> chosen;
  for (const Split split : kPositive) {
    const bool wanted = choice == "all" || choice == "auto" || choice == split_name(split);
    if (wanted && !dataset[split].triples.empty()) chosen.push_back(split);
  }
  if (choice == "auto" && chosen.size() > 1) {
    throw Error(ErrorCode::kUsage, fmt::format("{} is one file, but the data have several splits: use "
                                               "--split all (or train, valid, test), or name a folder",
                                               out.string()));
  }
  const std::size_t negatives = dataset[Split::kTrainNegatives].triples.size() +
                                dataset[Split::kValidNegatives].triples.size() +
                                dataset[Split::kTestNegatives].triples.size();
  if (negatives > 0 && (choice == "all" || choice == "auto")) {
    context.say(LogLevel::kWarning, fmt::format("{}: {} left out; a folder would keep them", out.string(),
                                                count_of(negatives, "negative")));
  }
  if (chosen.empty()) throw Error(ErrorCode::kBadInput, fmt::format("the data have no {} facts", choice));
  const bool weighted =
      std::any_of(chosen.begin(), chosen.end(), [&](Split split) { return !dataset[split].weights.empty(); });
  Facts facts;
  for (const Split split : chosen) {
    const Facts& part = dataset[split];
    facts.triples.insert(facts.triples.end(), part.triples.begin(), part.triples.end());
    if (!weighted) continue;
    facts.weights.insert(facts.weights.end(), part.weights.begin(), part.weights.end());
    facts.weights.resize(facts.triples.size(), 1.0F);  // a split without weights counts each fact once
  }
  return facts;
}

// Formats without a dictionary lose labels that are in none of the facts: that is said, never silent.
void warn_unused_labels(const Dataset& dataset, std::span<const Facts> written, const Context& context) {
  std::vector<bool> entities(dataset.entities.size());
  std::vector<bool> relations(dataset.relations.size());
  for (const Facts& facts : written) {
    for (const Triple& fact : facts.triples) {
      entities[index(fact.head)] = entities[index(fact.tail)] = true;
      relations[index(fact.relation)] = true;
    }
  }
  const auto unused = [](const std::vector<bool>& used) {
    return static_cast<std::uint64_t>(std::count(used.begin(), used.end(), false));
  };
  if (unused(entities) + unused(relations) == 0) return;
  context.say(
      LogLevel::kWarning,
      fmt::format(
          "{} and {} occur in no written fact and are dropped; the formats dict, openke and libkge keep them",
          count_of(unused(entities), "entity"), count_of(unused(relations), "relation")));
}

}  // namespace

std::vector<fs::path> write_dataset(const Dataset& dataset, const fs::path& out,
                                    const ConvertOptions& options, const Context& context) {
  const Target target = choose_target(out, options);
  Writer writer(dataset, context);
  if (!target.folder) {
    const Facts facts = single_file_facts(dataset, out, options.split, context);
    warn_unused_labels(dataset, {&facts, 1}, context);
    writer.write_facts(out, target.format, facts);
    return writer.commit();
  }
  if (options.split != "auto") {
    throw Error(ErrorCode::kUsage,
                fmt::format("--split applies to a single output file; {} is a folder", out.string()));
  }
  const FolderFiles files = folder_files(dataset, out, target);
  refuse_leftovers(out, files.all());
  if (!needs_folder(target.format)) warn_unused_labels(dataset, dataset.splits, context);
  if (needs_folder(target.format)) {
    writer.write_dictionary(files.entities, target.format, dataset.entities);
    writer.write_dictionary(files.relations, target.format, dataset.relations);
  }
  for (const auto& [split, path] : files.splits) writer.write_facts(path, target.format, dataset[split]);
  if (!files.description.empty()) writer.write_libkge_description(files.description);
  return writer.commit();
}

}  // namespace greenkgc::graph
