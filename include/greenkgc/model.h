#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "greenkgc/context.h"
#include "greenkgc/export.h"
#include "greenkgc/ids.h"

namespace greenkgc {

namespace model {
struct NamedDecisions;
}

// How sure a model is of a fact. Margins are comparable within a group of relations, probabilities everywhere
// (docs/calibration.md).
struct Score {
  float margin = 0;
  double probability = 0;
};

// A model file, opened: answers questions about the graph that it was learnt from. Labels and features stay
// in the file, which is mapped; opening checks all of it, once. Const calls may run in several threads.
class GREENKGC_API Model {
 public:
  // Throws kBadInput if there is no such file, kCorrupt or kUnsupported, saying where, for one that is no
  // model, is damaged, or of a newer version.
  static Model open(const std::filesystem::path& path);
  ~Model();
  Model(Model&& other) noexcept;
  Model& operator=(Model&& other) noexcept;

  std::uint32_t entity_count() const;
  std::uint32_t relation_count() const;
  std::string_view label(EntityId id) const;
  std::string_view label(RelationId id) const;
  std::optional<EntityId> find_entity(std::string_view label) const;
  std::optional<RelationId> find_relation(std::string_view label) const;

  // Of each fact, asked for its tail. Throws kUsage for an id that the model does not have.
  std::vector<Score> score(std::span<const Triple> facts, const Context& context) const;

  const model::NamedDecisions& impl() const { return *impl_; }  // for the library itself

 private:
  explicit Model(std::unique_ptr<const model::NamedDecisions> impl);
  std::unique_ptr<const model::NamedDecisions> impl_;
};

}  // namespace greenkgc
