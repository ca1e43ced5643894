#include "kge/embedding_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/files/byte_source.h"
#include "base/text.h"
#include "base/utf8.h"
#include "graph/io/dataset_layout.h"
#include "graph/io/dataset_reader.h"
#include "greenkgc/error.h"
#include "kge/assemble.h"
#include "kge/embedding_folder.h"
#include "tensors/row_labels.h"
#include "tensors/safetensors.h"
#include "tensors/table_file.h"

namespace greenkgc::kge {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorCode::kUsage, message);
}

// Options that say nothing about this input must not be there: a default is not the user's word. No names
// mean all options.
void refuse_given(const ImportOptions& options, std::initializer_list<std::string_view> names,
                  std::string_view why) {
  static const ImportOptions defaults;
  for (const OptionSpec& spec : option_specs<ImportOptions>()) {
    if (names.size() > 0 && std::find(names.begin(), names.end(), spec.name) == names.end()) continue;
    if (spec.get(&options) == spec.get(&defaults)) continue;
    std::string flag = spec.name;
    std::replace(flag.begin(), flag.end(), '_', '-');
    refuse(fmt::format("--{} does not apply here: {}", flag, why));
  }
}

// For files of our own.
void refuse_all(const ImportOptions& options, const LoadOptions& load, const fs::path& in) {
  refuse_given(options, {}, fmt::format("{} was written by greenkgc and already contains this", in.string()));
  if (load.format != "auto" || load.keep_literals) refuse("--format and --keep-literals are for graphs");
}

bool is_ours(const fs::path& path) {
  const auto ending = path.extension();
  if (ending == ".gz" || ending == ".zst")
    refuse(fmt::format("{}: safetensors files must be uncompressed; decompress it first", path.string()));
  const tensors::SafetensorsFile file(path);
  const auto format = file.metadata().find("format");
  return format != file.metadata().end() && format->second.starts_with("greenkgc.");
}

TableMeaning meaning_of(const ImportOptions& options, const fs::path& in) {
  if (options.model == "unknown") {
    refuse(fmt::format("{}: does not name its scorer; use --model transe, distmult, complex or rotate",
                       in.string()));
  }
  TableMeaning meaning{.kge = &kge_model(options.model),
                       .similarity = parse_similarity(kge_model(options.model), options.similarity),
                       .reciprocal = options.reciprocal,
                       .cos_sin = options.relation_form == "cos-sin",
                       .relation_scale = options.relation_scale};
  if (options.model != "rotate")
    refuse_given(options, {"relation_form", "relation_scale"}, "it applies to the phases of rotate");
  return meaning;
}

// Labels in the order of their first fact, whatever ids they have.
void order_by_appearance(const graph::Dataset& data, graph::Vocabulary& entities,
                         graph::Vocabulary& relations) {
  for (const Split split : {Split::kTrain, Split::kValid, Split::kTest}) {
    for (const Triple& fact : data[split].triples) {
      entities.intern(data.entities.label(index(fact.head)));
      entities.intern(data.entities.label(index(fact.tail)));
      relations.intern(data.relations.label(index(fact.relation)));
    }
  }
}

class RowNames {
 public:
  RowNames(const ImportOptions& options, const LoadOptions& load) : options_(options), load_(load) {}

  // Names the rows of those tables that have no labels of their own.
  void name(tensors::TableFile& entities, tensors::TableFile& relations, std::vector<std::string>& notes,
            const Context& context) {
    check_options(entities, relations);
    if (options_.order != "unknown") return by_order(entities, relations, notes, context);
    if (!entities.labels) from_file(entities, options_.entity_ids, notes, context);
    if (!relations.labels) from_file(relations, options_.relation_ids, notes, context);
  }

 private:
  void check_options(const tensors::TableFile& entities, const tensors::TableFile& relations) const {
    if (entities.labels) refuse_given(options_, {"entity_ids"}, entities.name + " names its own rows");
    if (relations.labels) refuse_given(options_, {"relation_ids"}, relations.name + " names its own rows");
    if (entities.labels && relations.labels)
      refuse_given(options_, {"order", "data"}, "the files name their own rows");
    const bool ordered = options_.order != "unknown";
    if (ordered && options_.data.empty())
      refuse(fmt::format("--order {} needs --data DATA, the graph that defines the order", options_.order));
    if (!ordered && !options_.data.empty())
      refuse("--data needs --order first-appearance or --order dataset, to say which order is meant");
    if (ordered) refuse_given(options_, {"entity_ids", "relation_ids"}, "--order already assigns the rows");
    if (!ordered && (load_.format != "auto" || load_.keep_literals))
      refuse("--format and --keep-literals are for the graph that --data names");
  }

  void by_order(tensors::TableFile& entities, tensors::TableFile& relations, std::vector<std::string>& notes,
                const Context& context) const {
    LoadOptions whole = load_;
    whole.valid_share = whole.test_share = 0;
    const auto data = graph::read_dataset(options_.data, whole, context);
    notes.insert(notes.end(), data->notes.begin(), data->notes.end());
    graph::Vocabulary entity_order;
    graph::Vocabulary relation_order;
    if (options_.order == "first-appearance") {
      order_by_appearance(*data, entity_order, relation_order);
    } else {
      require_ids();
      entity_order = std::move(data->entities);
      relation_order = std::move(data->relations);
    }
    if (!entities.labels) entities.labels = std::move(entity_order);
    if (!relations.labels) relations.labels = std::move(relation_order);
  }

  void require_ids() const {
    std::error_code error;
    if (fs::is_directory(options_.data, error) &&
        graph::find_layout(options_.data, load_.format).has_dictionaries()) {
      return;
    }
    refuse(
        fmt::format("{}: has no files with ids, so --order dataset does not apply; if the rows are in the "
                    "order of first appearance, use --order first-appearance",
                    options_.data));
  }

  static void from_file(tensors::TableFile& file, const std::string& ids, std::vector<std::string>& notes,
                        const Context& context) {
    if (ids.empty()) {
      refuse(fmt::format(
          "{}: its rows have no names; use --order first-appearance --data DATA (or --order dataset for the "
          "ids in DATA's own files), or name the rows with --entity-ids FILE --relation-ids FILE",
          file.name));
    }
    file.labels.emplace();
    const std::string form = tensors::read_row_labels(ids, *file.labels, context);
    notes.push_back(fmt::format("{}: {}, {}", ids, form, count_of(file.labels->size(), "label")));
  }

  const ImportOptions& options_;
  const LoadOptions& load_;
};

void refuse_tensor_names(const ImportOptions& options, const fs::path& entities, const fs::path& relations) {
  const std::string_view why = "it selects a tensor of a safetensors file";
  if (tensors::table_kind(entities) != tensors::TableKind::kSafetensors)
    refuse_given(options, {"entity_tensor"}, why);
  if (tensors::table_kind(relations) != tensors::TableKind::kSafetensors)
    refuse_given(options, {"relation_tensor"}, why);
}

// For the metadata of a file, which are UTF-8.
std::string as_text(const std::string& bytes) {
  return is_utf8(bytes) ? bytes : in_quotes(bytes);
}

ImportedEmbeddings import_tables(const fs::path& in, const ImportOptions& options, const LoadOptions& load,
                                 const Context& context) {
  open_source(in);  // where there is no such file, that comes first
  const bool one_file =
      tensors::table_kind(in) == tensors::TableKind::kSafetensors && options.relations.empty();
  if (options.relations.empty() && !one_file)
    refuse(
        fmt::format("{}: contains the rows of the entities; use --relations FILE for those of the relations",
                    in.string()));
  const fs::path relations_path = one_file ? in : fs::path(options.relations);
  const TableMeaning meaning = meaning_of(options, in);
  refuse_tensor_names(options, in, relations_path);

  ImportedEmbeddings imported;
  tensors::TableFile entities = tensors::read_table(in, options.entity_tensor, context);
  tensors::TableFile relations = tensors::read_table(relations_path, options.relation_tensor, context);
  imported.notes = {entities.note, relations.note};
  if (relations.labels && meaning.reciprocal)
    relations.labels = forward_labels(*relations.labels, relations.name);
  RowNames(options, load).name(entities, relations, imported.notes, context);
  imported.named = assemble(std::move(entities), std::move(relations), meaning);
  imported.named.provenance = {{"imported", as_text(in.string())},
                               {"import", as_text(options_as_toml(&options, option_specs<ImportOptions>()))}};
  return imported;
}

}  // namespace

ImportedEmbeddings import_embeddings(const fs::path& in, const ImportOptions& options,
                                     const LoadOptions& load, const Context& context) {
  ImportedEmbeddings imported;
  std::error_code error;
  if (fs::is_directory(in, error)) {
    refuse_all(options, load, in);
    imported.named = read_embedding_folder(in, imported.notes, context);
  } else if (tensors::table_kind(in) == tensors::TableKind::kSafetensors && is_ours(in)) {
    refuse_all(options, load, in);
    imported.named = read_embeddings(in);
    imported.notes = {fmt::format("{}: greenkgc embeddings", in.string())};
  } else {
    return import_tables(in, options, load, context);
  }
  return imported;
}

}  // namespace greenkgc::kge
