#include <fmt/format.h>

#include <string>

#include "base/files/output_file.h"
#include "greenkgc/embeddings.h"
#include "greenkgc/error.h"
#include "kge/embedding_folder.h"
#include "kge/embedding_import.h"
#include "tensors/table_file.h"

namespace greenkgc {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorCode::kUsage, message);
}

// A folder with tables, but neither their description nor a graph.
void refuse_bare_tables(const fs::path& folder) {
  std::error_code error;
  fs::path table;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.starts_with("train")) return;
    const bool is_table = name.ends_with(".npy") || name.ends_with(".vec") || name.ends_with(".safetensors");
    if (is_table && (table.empty() || it->path() < table)) table = it->path();
  }
  if (table.empty()) return;
  throw Error(ErrorCode::kBadInput,
              fmt::format("{}: contains {}, but no embedding.json that describes it; name the entities' "
                          "file, and the relations' file with --relations",
                          folder.string(), table.filename().string()));
}

// "safetensors", "npy" or "word2vec".
std::string choose_form(const EmbeddingTarget& target) {
  const std::string name = target.out.string();
  const bool named_safetensors = name.ends_with(".safetensors");
  if (target.to == "auto" && !named_safetensors) {
    refuse(fmt::format(
        "{}: embeddings are written as NAME.safetensors, or, with --to npy or --to word2vec, as a "
        "folder",
        name));
  }
  if (target.to == "auto" || target.to == "safetensors") {
    if (name.ends_with(".gz") || name.ends_with(".zst"))
      refuse(fmt::format("{}: safetensors files cannot be compressed", name));
    return "safetensors";
  }
  if (target.to != "npy" && target.to != "word2vec") {
    refuse(fmt::format("--to {} is for graphs; embeddings are written as safetensors, npy or word2vec",
                       target.to));
  }
  const fs::path ending = target.out.extension();
  std::error_code error;
  const bool like_file = ending == ".npy" || ending == ".vec" || ending == ".safetensors";
  if (like_file || is_written_in_place(target.out) ||
      (fs::exists(target.out, error) && !fs::is_directory(target.out, error))) {
    refuse(fmt::format("--to {} writes a folder, but {} is {} a file", target.to, name,
                       like_file ? "named like" : "written as"));
  }
  return target.to;
}

}  // namespace

bool holds_embeddings(const std::string& path) {
  if (path == "world") return false;
  std::error_code error;
  if (!fs::is_directory(path, error)) return tensors::table_kind(path) != tensors::TableKind::kNone;
  if (fs::exists(fs::path(path) / kge::kEmbeddingJson, error)) return true;
  refuse_bare_tables(path);
  return false;
}

ConvertedEmbeddings convert_embeddings(const std::string& in, const EmbeddingTarget& target,
                                       const ImportOptions& options, const LoadOptions& load,
                                       const Context& context) {
  const std::string form = choose_form(target);
  const auto [named, notes] = kge::import_embeddings(in, options, load, context);
  const kge::Embeddings& embeddings = named.embeddings;
  ConvertedEmbeddings converted{.model = std::string(embeddings.kge->name()),
                                .similarity = std::string(similarity_name(embeddings.similarity)),
                                .dims = embeddings.dims,
                                .reciprocal = embeddings.reciprocal,
                                .entities = embeddings.entity_count,
                                .relations = embeddings.relation_count,
                                .notes = notes,
                                .written = {target.out}};
  if (form == "safetensors") {
    kge::write_embeddings(target.out, embeddings, named.entities, named.relations, named.provenance);
  } else {
    converted.written = kge::write_embedding_folder(target.out, form, named, context);
  }
  return converted;
}

}  // namespace greenkgc
