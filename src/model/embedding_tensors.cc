#include "model/embedding_tensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/text.h"
#include "greenkgc/error.h"

namespace greenkgc::model {
namespace {

constexpr std::string_view kProvenance = "provenance.";
constexpr std::array<std::pair<PhaseForm, std::string_view>, 2> kPhaseForms = {
    {{PhaseForm::kAngle, "angle"}, {PhaseForm::kCosSin, "cos-sin"}}};
constexpr std::uint64_t kMostDims = 1 << 24;

std::uint64_t parse_count(const SafetensorsFile& file, const std::string& key) {
  std::uint64_t value = 0;
  if (!parse_u64(file.metadata_value(key), value)) {
    file.fail(
        fmt::format("metadata {} must be a whole number, not {}", key, in_quotes(file.metadata_value(key))));
  }
  return value;
}

const KgeModel& parse_model(const SafetensorsFile& file) {
  const std::string& name = file.metadata_value("model");
  const auto names = kge_model_names();
  if (std::find(names.begin(), names.end(), name) == names.end())
    file.fail(
        fmt::format("metadata model must be one of {}, not {}", fmt::join(names, ", "), in_quotes(name)));
  return kge_model(name);
}

Similarity parse_similarity(const SafetensorsFile& file, const KgeModel& kge) {
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

LabelTensors::LabelTensors(const graph::Vocabulary& vocabulary) {
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id) {
    const std::string_view label = vocabulary.label(id);
    bytes_.insert(bytes_.end(), label.begin(), label.end());
    ends_.push_back(bytes_.size());
  }
}

void LabelTensors::add_to(SafetensorsWriter& writer, const std::string& what) const {
  writer.add(what + ".labels", {bytes_.size()}, std::span<const std::uint8_t>(bytes_));
  writer.add(what + ".label_ends", {ends_.size()}, std::span<const std::uint64_t>(ends_));
}

graph::Vocabulary read_labels(const SafetensorsFile& file, const std::string& what, std::uint64_t count) {
  const std::string_view bytes = file.text(what + ".labels");
  const auto ends = file.u64s(what + ".label_ends");
  if (ends.size() != count)
    file.fail(fmt::format("has {} rows of {}, but {} labels", count, what, ends.size()));
  graph::Vocabulary labels;
  std::uint64_t begin = 0;
  for (std::uint64_t row = 0; row < count; ++row) {
    if (ends[row] <= begin || ends[row] > bytes.size()) {
      file.fail(fmt::format("label {} of {} ends at byte {} of {}", row, what, ends[row], bytes.size()));
    }
    if (labels.intern(bytes.substr(begin, ends[row] - begin)) != row) {
      file.fail(fmt::format("label {} of {} occurs twice", row, what));
    }
    begin = ends[row];
  }
  return labels;
}

void set_metadata(SafetensorsWriter& writer, const FileKind& kind, const Embeddings& embeddings,
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

Embeddings read_metadata(const SafetensorsFile& file, const FileKind& kind) {
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

Provenance read_provenance(const SafetensorsFile& file) {
  Provenance provenance;
  for (const auto& [key, value] : file.metadata()) {
    if (key.starts_with(kProvenance)) provenance[key.substr(kProvenance.size())] = value;
  }
  return provenance;
}

void set_phase_form(SafetensorsWriter& writer, PhaseForm form) {
  for (const auto& [known, name] : kPhaseForms) {
    if (known == form) writer.set_metadata("phase_form", std::string(name));
  }
}

PhaseForm read_phase_form(const SafetensorsFile& file) {
  for (const auto& [form, name] : kPhaseForms) {
    if (file.metadata_value("phase_form") == name) return form;
  }
  file.fail(fmt::format("metadata phase_form must be angle or cos-sin, not {}",
                        in_quotes(file.metadata_value("phase_form"))));
}

void expect_shape(const SafetensorsFile& file, const std::string& tensor,
                  const std::vector<std::uint64_t>& shape, const std::vector<std::uint64_t>& expected) {
  if (shape != expected)
    file.fail(fmt::format("tensor {} has shape [{}]; the others require [{}]", in_quotes(tensor),
                          fmt::join(shape, ", "), fmt::join(expected, ", ")));
}

void check_finite(const SafetensorsFile& file, std::span<const float> values, std::size_t width,
                  std::string_view what) {
  const auto wrong = std::find_if_not(values.begin(), values.end(), [](float x) { return std::isfinite(x); });
  if (wrong == values.end()) return;
  const auto at = static_cast<std::size_t>(wrong - values.begin());
  file.fail(fmt::format("row {} of {}, column {}, is not a finite number", at / width, what, at % width));
}

void check_below(const SafetensorsFile& file, const std::string& tensor,
                 std::span<const std::uint32_t> values, std::uint64_t bound) {
  const auto wrong =
      std::find_if(values.begin(), values.end(), [&](std::uint32_t id) { return id >= bound; });
  if (wrong != values.end())
    file.fail(fmt::format("tensor {}, number {}: {} must be below {}", tensor, wrong - values.begin(), *wrong,
                          bound));
}

}  // namespace greenkgc::model
