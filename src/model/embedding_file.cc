#include "model/embedding_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "greenkgc/error.h"
#include "model/safetensors.h"

namespace greenkgc::model {
namespace {

constexpr std::string_view kFormat = "greenkgc.embeddings";
constexpr std::string_view kVersion = "1";
constexpr std::string_view kProvenance = "provenance.";

// Labels one after another, and where each ends.
struct LabelTensors {
  explicit LabelTensors(const graph::Vocabulary& vocabulary) {
    for (std::uint32_t id = 0; id < vocabulary.size(); ++id) {
      const std::string_view label = vocabulary.label(id);
      bytes.insert(bytes.end(), label.begin(), label.end());
      ends.push_back(bytes.size());
    }
  }
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint64_t> ends;
};

void read_labels(const SafetensorsFile& file, const std::string& what, std::uint64_t count,
                 graph::Vocabulary& out) {
  const std::string_view bytes = file.text(what + ".labels");
  const auto ends = file.u64s(what + ".label_ends");
  if (ends.size() != count)
    file.fail(fmt::format("has {} rows of {}, but {} labels", count, what, ends.size()));
  std::uint64_t begin = 0;
  for (std::uint64_t row = 0; row < count; ++row) {
    if (ends[row] <= begin || ends[row] > bytes.size()) {
      file.fail(fmt::format("label {} of {} ends at byte {} of {}", row, what, ends[row], bytes.size()));
    }
    if (out.intern(bytes.substr(begin, ends[row] - begin)) != row) {
      file.fail(fmt::format("label {} of {} stands twice", row, what));
    }
    begin = ends[row];
  }
}

void check_finite(const SafetensorsFile& file, std::span<const float> values, std::size_t width,
                  std::string_view what) {
  const auto wrong = std::find_if_not(values.begin(), values.end(), [](float x) { return std::isfinite(x); });
  if (wrong == values.end()) return;
  const auto at = static_cast<std::size_t>(wrong - values.begin());
  file.fail(fmt::format("row {} of {}, column {}, is not a finite number", at / width, what, at % width));
}

std::uint64_t parse_count(const SafetensorsFile& file, const std::string& key) {
  std::uint64_t value = 0;
  if (!parse_u64(file.metadata_value(key), value)) {
    file.fail(fmt::format("metadata {} should be a whole number, not {}", key,
                          in_quotes(file.metadata_value(key))));
  }
  return value;
}

Similarity parse_similarity(const SafetensorsFile& file, const KgeModel& kge) {
  for (const Similarity similarity : kge.similarities()) {
    if (similarity_name(similarity) == file.metadata_value("similarity")) return similarity;
  }
  file.fail(fmt::format("similarity {} does not go with {}", in_quotes(file.metadata_value("similarity")),
                        kge.name()));
}

}  // namespace

void write_embeddings(const std::filesystem::path& path, const Embeddings& embeddings,
                      const graph::Vocabulary& entities, const graph::Vocabulary& relations,
                      const std::map<std::string, std::string>& provenance) {
  SafetensorsWriter writer;
  writer.set_metadata("format", std::string(kFormat));
  writer.set_metadata("version", std::string(kVersion));
  writer.set_metadata("model", std::string(embeddings.kge->name()));
  writer.set_metadata("similarity", std::string(similarity_name(embeddings.similarity)));
  writer.set_metadata("dims", std::to_string(embeddings.dims));
  writer.set_metadata("reciprocal", embeddings.reciprocal ? "1" : "0");
  for (const auto& [key, value] : provenance) writer.set_metadata(std::string(kProvenance) + key, value);
  const LabelTensors entity_labels(entities);
  const LabelTensors relation_labels(relations);
  writer.add("entities", {embeddings.entity_count, embeddings.entity_width()},
             std::span<const float>(embeddings.entities));
  writer.add("relations", {embeddings.relation_rows(), embeddings.relation_width()},
             std::span<const float>(embeddings.relations));
  writer.add("entities.labels", {entity_labels.bytes.size()},
             std::span<const std::uint8_t>(entity_labels.bytes));
  writer.add("entities.label_ends", {entity_labels.ends.size()},
             std::span<const std::uint64_t>(entity_labels.ends));
  writer.add("relations.labels", {relation_labels.bytes.size()},
             std::span<const std::uint8_t>(relation_labels.bytes));
  writer.add("relations.label_ends", {relation_labels.ends.size()},
             std::span<const std::uint64_t>(relation_labels.ends));
  writer.write(path);
}

NamedEmbeddings read_embeddings(const std::filesystem::path& path) {
  const SafetensorsFile file(path);
  if (file.metadata_value("format") != kFormat) file.fail("holds something else than embeddings");
  if (file.metadata_value("version") != kVersion) {
    throw Error(ErrorCode::kUnsupported,
                fmt::format("{}: is of version {}, this program reads version {}", path.string(),
                            in_quotes(file.metadata_value("version")), kVersion));
  }
  NamedEmbeddings named;
  Embeddings& embeddings = named.embeddings;
  embeddings.kge = &kge_model(file.metadata_value("model"));
  embeddings.similarity = parse_similarity(file, *embeddings.kge);
  embeddings.dims = parse_count(file, "dims");
  embeddings.reciprocal = parse_count(file, "reciprocal") != 0;

  const auto& entity_shape = file.tensor("entities", TensorType::kF32, 2).shape;
  const auto& relation_shape = file.tensor("relations", TensorType::kF32, 2).shape;
  const std::uint64_t per_relation = embeddings.reciprocal ? 2 : 1;
  if (entity_shape[0] >= kMaxIds || relation_shape[0] >= kMaxIds ||
      entity_shape[1] != embeddings.entity_width() || relation_shape[1] != embeddings.relation_width() ||
      relation_shape[0] % per_relation != 0) {
    file.fail("the shapes of its tables do not fit its model and dims");
  }
  embeddings.entity_count = static_cast<std::uint32_t>(entity_shape[0]);
  embeddings.relation_count = static_cast<std::uint32_t>(relation_shape[0] / per_relation);
  const auto entity_rows = file.floats("entities", 2);
  const auto relation_rows = file.floats("relations", 2);
  check_finite(file, entity_rows, embeddings.entity_width(), "entities");
  check_finite(file, relation_rows, embeddings.relation_width(), "relations");
  embeddings.entities.assign(entity_rows.begin(), entity_rows.end());
  embeddings.relations.assign(relation_rows.begin(), relation_rows.end());
  read_labels(file, "entities", embeddings.entity_count, named.entities);
  read_labels(file, "relations", embeddings.relation_count, named.relations);
  for (const auto& [key, value] : file.metadata()) {
    if (key.starts_with(kProvenance)) named.provenance[key.substr(kProvenance.size())] = value;
  }
  return named;
}

Embeddings arranged(const NamedEmbeddings& named, const graph::Vocabulary& entities,
                    const graph::Vocabulary& relations) {
  const Embeddings& from = named.embeddings;
  const auto row_of = [](const graph::Vocabulary& rows, std::string_view label, std::string_view what) {
    const auto row = rows.find(label);
    if (!row)
      throw Error(ErrorCode::kBadInput,
                  fmt::format("the embeddings have no row for {} {}", what, in_quotes(label)));
    return *row;
  };
  Embeddings to = from;
  to.entity_count = entities.size();
  to.relation_count = relations.size();
  to.entities.resize(to.entity_count * to.entity_width());
  to.relations.resize(to.relation_rows() * to.relation_width());
  for (std::uint32_t id = 0; id < entities.size(); ++id) {
    const auto row = from.entity(EntityId{row_of(named.entities, entities.label(id), "entity")});
    std::copy(row.begin(), row.end(),
              to.entities.begin() + static_cast<std::ptrdiff_t>(id * to.entity_width()));
  }
  for (std::uint32_t id = 0; id < relations.size(); ++id) {
    const std::size_t source = row_of(named.relations, relations.label(id), "relation");
    for (std::size_t copy = 0; copy < to.relation_rows() / std::max<std::size_t>(1, to.relation_count);
         ++copy) {
      const auto row = from.relation_row(source + copy * from.relation_count);
      const std::size_t target = (id + copy * to.relation_count) * to.relation_width();
      std::copy(row.begin(), row.end(), to.relations.begin() + static_cast<std::ptrdiff_t>(target));
    }
  }
  return to;
}

}  // namespace greenkgc::model
