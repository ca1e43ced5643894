#include "kge/embedding_tensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"
#include "greenkgc/error.h"

namespace greenkgc::kge {
namespace {

constexpr std::string_view kProvenance = "provenance.";
constexpr std::uint64_t kMostDims = 1 << 24;

std::uint64_t parse_count(const tensors::SafetensorsFile& file, const std::string& key) {
  std::uint64_t value = 0;
  if (!parse_u64(file.metadata_value(key), value)) {
    file.fail(
        fmt::format("metadata {} must be a whole number, not {}", key, in_quotes(file.metadata_value(key))));
  }
  return value;
}

const KgeModel& parse_model(const tensors::SafetensorsFile& file) {
  const std::string& name = file.metadata_value("model");
  const auto names = kge_model_names();
  if (std::find(names.begin(), names.end(), name) == names.end())
    file.fail(
        fmt::format("metadata model must be one of {}, not {}", fmt::join(names, ", "), in_quotes(name)));
  return kge_model(name);
}

Similarity parse_similarity(const tensors::SafetensorsFile& file, const KgeModel& kge) {
  for (const Similarity similarity : kge.similarities()) {
    if (similarity_name(similarity) == file.metadata_value("similarity")) return similarity;
  }
  file.fail(fmt::format("similarity {} does not work with {}", in_quotes(file.metadata_value("similarity")),
                        kge.name()));
}

// A program that does not know range dimensions must not read them as others.
std::string version_of(const FileKind& kind, bool has_range_dims) {
  return std::string(kind.version) + (has_range_dims ? ".1" : "");
}

}  // namespace

void set_metadata(tensors::SafetensorsWriter& writer, const FileKind& kind, const Embeddings& embeddings,
                  const Provenance& provenance) {
  writer.set_metadata("format", std::string(kind.format));
  writer.set_metadata("version", version_of(kind, !embeddings.range_dims.empty()));
  writer.set_metadata("model", std::string(embeddings.kge->name()));
  writer.set_metadata("similarity", std::string(similarity_name(embeddings.similarity)));
  writer.set_metadata("dims", std::to_string(embeddings.dims));
  writer.set_metadata("reciprocal", embeddings.reciprocal ? "1" : "0");
  if (!embeddings.range_dims.empty())
    writer.set_metadata("range_dims", std::to_string(embeddings.range_dims.size()));
  for (const auto& [key, value] : provenance) writer.set_metadata(std::string(kProvenance) + key, value);
}

Embeddings read_metadata(const tensors::SafetensorsFile& file, const FileKind& kind) {
  if (file.metadata_value("format") != kind.format) {
    file.fail(
        fmt::format("contains {}, not {}", in_quotes(file.metadata_value("format")), in_quotes(kind.format)));
  }
  const bool has_range_dims = file.metadata().contains("range_dims");
  if (file.metadata_value("version") != version_of(kind, has_range_dims)) {
    throw Error(ErrorCode::kUnsupported,
                fmt::format("{}: has version {}, but this program reads version {}", file.name(),
                            in_quotes(file.metadata_value("version")), kind.version));
  }
  Embeddings embeddings;
  embeddings.kge = &parse_model(file);
  embeddings.similarity = parse_similarity(file, *embeddings.kge);
  embeddings.dims = parse_count(file, "dims");
  embeddings.reciprocal = parse_count(file, "reciprocal") != 0;
  if (embeddings.dims == 0 || embeddings.dims > kMostDims)
    file.fail(fmt::format("metadata dims must be 1 to {}, not {}", kMostDims, embeddings.dims));
  if (has_range_dims) {
    const std::uint64_t count = parse_count(file, "range_dims");
    if (count == 0 || count > embeddings.dims)
      file.fail(fmt::format("metadata range_dims must be 1 to {}, not {}", embeddings.dims, count));
    embeddings.range_dims = last_dims(embeddings.dims, count);
  }
  return embeddings;
}

Provenance read_provenance(const tensors::SafetensorsFile& file) {
  Provenance provenance;
  for (const auto& [key, value] : file.metadata()) {
    if (key.starts_with(kProvenance)) provenance[key.substr(kProvenance.size())] = value;
  }
  return provenance;
}

}  // namespace greenkgc::kge
