#include "graph/identity.h"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/files/mapped_file.h"

namespace greenkgc::graph {

std::string data_hash(const graph::Dataset& data) {
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  for (const graph::Vocabulary* vocabulary : {&data.entities, &data.relations}) {
    for (std::uint32_t id = 0; id < vocabulary->size(); ++id) {
      const std::string_view label = vocabulary->label(id);
      XXH3_64bits_update(&state, label.data(), label.size());
      XXH3_64bits_update(&state, "\n", 1);
    }
  }
  for (const Split split : {Split::kTrain, Split::kValid}) {
    const auto& triples = data[split].triples;
    XXH3_64bits_update(&state, triples.data(), triples.size() * sizeof(Triple));
  }
  return fmt::format("{:016x}", XXH3_64bits_digest(&state));
}

std::string split_hash(const graph::Dataset& data, Split split) {
  const auto& triples = data[split].triples;
  return fmt::format("{:016x}", XXH3_64bits(triples.data(), triples.size() * sizeof(Triple)));
}

void warn_of_other_data(const std::string& file, const Identity& provenance, const graph::Dataset& data,
                        const Context& context) {
  // Features name their embeddings', which they were chosen from.
  for (const char* key : {"data", "embeddings.data"}) {
    const auto found = provenance.find(key);
    if (found == provenance.end()) continue;
    if (found->second != data_hash(data))
      context.say(
          LogLevel::kWarning,
          fmt::format("{} was trained on other train and valid facts (another --seed or share of a single "
                      "file, or another folder), so it may have seen the facts that it is evaluated on",
                      file));
    return;
  }
}

std::string file_hash(const std::filesystem::path& path) {
  const MappedFile file(path);
  return fmt::format("{:016x}", XXH3_64bits(file.bytes().data(), file.bytes().size()));
}

}  // namespace greenkgc::graph
