#include "graph/io/dataset_reader.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "base/text.h"
#include "graph/io/dataset_layout.h"
#include "graph/io/dictionary.h"
#include "graph/io/fact_list.h"
#include "graph/io/format.h"
#include "graph/split.h"
#include "graph/world.h"
#include "greenkgc/error.h"

namespace greenkgc::graph {
namespace {

std::string read_note(const FileFormat& format, Naming naming, const DelimitedReport& report) {
  std::string note = fmt::format("{}, {}", describe(format, naming), count_of(report.triples, "triple"));
  if (report.blank_lines > 0) note += fmt::format(", {} skipped", count_of(report.blank_lines, "blank line"));
  return note;
}

std::string read_note(const FileFormat& format, const RdfReport& report) {
  std::string note =
      fmt::format("{}, {}", describe(format, Naming::kNewLabels), count_of(report.triples, "triple"));
  if (report.literals_skipped > 0) {
    note += fmt::format(", {} with a literal skipped (--keep-literals keeps them)",
                        count_of(report.literals_skipped, "triple"));
  }
  if (report.in_named_graphs > 0) {
    note += fmt::format(", graph names ignored in {}", count_of(report.in_named_graphs, "triple"));
  }
  return note;
}

void load_file(const std::filesystem::path& path, const LoadOptions& options, Naming naming, Split split,
               Dataset& dataset, const Context& context) {
  PeekSource source(open_source(path), kDetectBytes);
  read_triples(source, path, options, naming, split, dataset, context);
}

void load_dictionary(const std::filesystem::path& path, DictionaryFormat format, std::string_view what,
                     Vocabulary& vocabulary, Dataset& dataset, const Context& context) {
  const auto source = open_source(path);
  read_dictionary(*source, format, vocabulary, context);
  dataset.notes.push_back(
      fmt::format("{}: dictionary, {}", path.string(), count_of(vocabulary.size(), what)));
}

// Counts that a description of the dataset gives are held against what was found.
void check_described(const FolderLayout& layout, const Dataset& dataset) {
  const auto check = [&](const std::optional<DescribedCount>& promised, std::uint64_t found,
                         std::string_view what) {
    if (!promised || promised->count == found) return;
    throw Error(ErrorCode::kBadInput, fmt::format("{}: line {}: declares {} {}, but the files contain {}",
                                                  layout.description.string(), promised->line,
                                                  with_commas(promised->count), what, with_commas(found)));
  };
  check(layout.entity_count, dataset.entities.size(), "entities");
  check(layout.relation_count, dataset.relations.size(), "relations");
}

void read_folder(const std::filesystem::path& folder, const LoadOptions& options, Dataset& dataset,
                 const Context& context) {
  const FolderLayout layout = find_layout(folder, options.format);
  if (layout.has_dictionaries()) {
    load_dictionary(layout.entities, layout.dictionary, "entity label", dataset.entities, dataset, context);
    load_dictionary(layout.relations, layout.dictionary, "relation label", dataset.relations, dataset,
                    context);
  }
  LoadOptions file_options = options;
  file_options.format = layout.file_format;
  for (const auto& [split, path] : layout.files)
    load_file(path, file_options, layout.naming, split, dataset, context);
  check_described(layout, dataset);
}

// "facts_negatives.txt" beside "facts.tsv": facts that are known to be false, in labels of the graph.
void read_negatives_beside(const std::filesystem::path& data, Dataset& dataset, const Context& context) {
  const std::filesystem::path path = negatives_beside(data);
  if (path.empty()) return;
  dataset[Split::kTrainNegatives].triples = read_fact_list(path, dataset, context);
  dataset.notes.push_back(fmt::format("{}: {}", path.string(),
                                      count_of(dataset[Split::kTrainNegatives].triples.size(), "negative")));
}

void check_shares(const LoadOptions& options) {
  if (options.valid_share + options.test_share > 0.9) {
    throw Error(ErrorCode::kUsage,
                fmt::format("--valid-share {} and --test-share {} leave too few facts for training",
                            options.valid_share, options.test_share));
  }
}

// convert sets the shares to 0, and the defaults are not the user's word.
void refuse_shares_of_folder(const std::string& folder, const LoadOptions& options) {
  const LoadOptions defaults;
  const auto refuse_share = [&](double share, double default_share, std::string_view flag) {
    if (share == 0 || share == default_share) return;
    throw Error(ErrorCode::kUsage,
                fmt::format("{}: {} {} applies to a single file; the splits of a folder are used as they are",
                            folder, flag, share));
  };
  refuse_share(options.valid_share, defaults.valid_share, "--valid-share");
  refuse_share(options.test_share, defaults.test_share, "--test-share");
}

void read_world(const LoadOptions& options, Dataset& dataset, const Context& context) {
  if (options.format != "auto") {
    throw Error(ErrorCode::kUsage, fmt::format("world is the built-in graph, and --format {} applies to "
                                               "files (use ./world for a file or folder of that name)",
                                               options.format));
  }
  std::error_code ignored;
  if (std::filesystem::exists("world", ignored))
    context.say(LogLevel::kInfo,
                "using the built-in graph world; for the file or folder of that name in the current folder, "
                "use ./world");
  PeekSource source(memory_source(world_tsv(), "world"), kDetectBytes);
  read_triples(source, "world.tsv", {}, Naming::kNewLabels, Split::kTrain, dataset, context);
}

void split_and_note(const LoadOptions& options, Dataset& dataset, const Context& context) {
  if (options.valid_share == 0 && options.test_share == 0) return;
  split_train(dataset, {.valid = options.valid_share, .test = options.test_share}, context);
  dataset.notes.push_back(fmt::format("split with seed {}: {} train, {} valid, {} test", context.seed,
                                      with_commas(dataset[Split::kTrain].triples.size()),
                                      with_commas(dataset[Split::kValid].triples.size()),
                                      with_commas(dataset[Split::kTest].triples.size())));
}

}  // namespace

void read_triples(PeekSource& source, const std::filesystem::path& path, const LoadOptions& options,
                  Naming naming, Split split, Dataset& dataset, const Context& context) {
  if (source.head().empty()) throw Error(ErrorCode::kBadInput, fmt::format("{}: is empty", source.name()));
  const FileFormat format = detect_format(path, source.head(), options.format);
  Facts& facts = dataset[split];
  std::string note;
  if (const auto* syntax = std::get_if<RdfSyntax>(&format)) {
    if (naming != Naming::kNewLabels) {
      throw Error(
          ErrorCode::kBadInput,
          fmt::format(
              "{}: is {}, which is read without dictionaries; remove entities.dict and relations.dict",
              source.name(), rdf_name(*syntax)));
    }
    note = read_note(format, read_rdf(source, *syntax, options.keep_literals, dataset.entities,
                                      dataset.relations, facts, context));
  } else {
    note = read_note(format, naming,
                     read_delimited(source, std::get<DelimitedFormat>(format), naming, dataset.entities,
                                    dataset.relations, facts, context));
  }
  if (facts.triples.empty())
    throw Error(ErrorCode::kBadInput, fmt::format("{}: contains no triples ({})", source.name(), note));
  dataset.notes.push_back(fmt::format("{}: {}", path.string(), note));
}

std::unique_ptr<Dataset> read_dataset(const std::string& data, const LoadOptions& options,
                                      const Context& context) {
  check_shares(options);
  auto dataset = std::make_unique<Dataset>();
  std::error_code error;
  if (data == "world") {
    read_world(options, *dataset, context);
    split_and_note(options, *dataset, context);
  } else if (std::filesystem::is_directory(data, error)) {
    refuse_shares_of_folder(data, options);
    read_folder(data, options, *dataset, context);
  } else {
    if (options.format == "dict" || options.format == "openke" || options.format == "libkge") {
      throw Error(ErrorCode::kUsage,
                  fmt::format("{}: --format {} needs a folder, but this is {}", data, options.format,
                              std::filesystem::exists(data, error) ? "a file" : "missing"));
    }
    load_file(data, options, Naming::kNewLabels, Split::kTrain, *dataset, context);
    dataset->single_file = data;
    split_and_note(options, *dataset, context);
    read_negatives_beside(data, *dataset, context);
  }
  return dataset;
}

}  // namespace greenkgc::graph
