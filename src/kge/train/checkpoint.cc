#include "kge/train/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "greenkgc/error.h"
#include "tensors/safetensors.h"

namespace greenkgc::kge {
namespace {

constexpr std::string_view kFormat = "greenkgc.checkpoint";

void fill(const tensors::SafetensorsFile& file, const std::string& name, std::vector<float>& values) {
  const auto stored = file.floats(name, 1);
  if (stored.size() != values.size()) {
    file.fail(
        fmt::format("tensor {} has {} numbers, expected {}", in_quotes(name), stored.size(), values.size()));
  }
  std::copy(stored.begin(), stored.end(), values.begin());
}

std::uint64_t whole_number(const tensors::SafetensorsFile& file, const std::string& key) {
  std::uint64_t value = 0;
  if (!parse_u64(file.metadata_value(key), value))
    file.fail(fmt::format("metadata {} is not a whole number", key));
  return value;
}

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const kge::Embeddings& embeddings,
                      const Adagrad::State& state, const Progress& progress, const Identity& identity) {
  tensors::SafetensorsWriter writer;
  writer.set_metadata("format", std::string(kFormat));
  writer.set_metadata("epochs", std::to_string(progress.epochs));
  writer.set_metadata("best_mrr", fmt::format("{}", progress.best_mrr));
  writer.set_metadata("best_epoch", std::to_string(progress.best_epoch));
  writer.set_metadata("stale", std::to_string(progress.stale));
  for (const auto& [key, value] : identity) writer.set_metadata("identity." + key, value);
  const auto add = [&](const char* name, const std::vector<float>& values) {
    writer.add(name, {values.size()}, std::span<const float>(values));
  };
  add("entities", embeddings.entities);
  add("relations", embeddings.relations);
  add("state.entities", state.entities);
  add("state.relations", state.relations);
  writer.write(path);
}

Progress read_checkpoint(const std::filesystem::path& path, kge::Embeddings& embeddings,
                         Adagrad::State& state, const Identity& identity) {
  const tensors::SafetensorsFile file(path);
  if (file.metadata_value("format") != kFormat) file.fail("is not a checkpoint of an embedding");
  for (const auto& [key, value] : identity) {
    if (file.metadata_value("identity." + key) != value) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("{}: was made with different {}; use the same, or start without --resume",
                              path.string(), key));
    }
  }
  Progress progress;
  progress.epochs = whole_number(file, "epochs");
  progress.best_epoch = whole_number(file, "best_epoch");
  progress.stale = whole_number(file, "stale");
  if (!parse_double(file.metadata_value("best_mrr"), progress.best_mrr))
    file.fail("metadata best_mrr is not a number");
  fill(file, "entities", embeddings.entities);
  fill(file, "relations", embeddings.relations);
  fill(file, "state.entities", state.entities);
  fill(file, "state.relations", state.relations);
  return progress;
}

}  // namespace greenkgc::kge
