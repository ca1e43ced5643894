#pragma once

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "greenkgc/model.h"
#include "model/model_file.h"
#include "support/random_decisions.h"
#include "support/temporary_folder.h"

namespace greenkgc {

// For tests: a model with random features and trees, and random facts unless there are to be none. Entities
// are called e0, e1, ..., relations r0, r1, ...
class RandomModel {
 public:
  explicit RandomModel(const rank::DecisionsSize& size, std::size_t fact_count = 400,
                       bool with_base = false) {
    model::Decisions decisions = rank::RandomDecisions(size).make();
    complete(decisions, size);
    std::mt19937 random(7);
    for (std::size_t i = 0; i < fact_count; ++i)
      facts_.push_back({EntityId{static_cast<std::uint32_t>(random() % size.entities)},
                        RelationId{static_cast<std::uint32_t>(random() % size.relations)},
                        EntityId{static_cast<std::uint32_t>(random() % size.entities)}});
    if (with_base) {
      decisions.counts = {facts_, size.relations};
      const model::BaseMarginsBySide base{.head = {0.25F, 0.5F, -0.5F, 0.125F, -1},
                                          .tail = {0.5F, 0.25F, 0.125F, -0.75F, -2}};
      decisions.base.assign(size.relations, base);
    }
    graph::Vocabulary entities;
    graph::Vocabulary relations;
    for (std::uint32_t e = 0; e < size.entities; ++e) entities.intern("e" + std::to_string(e));
    for (std::uint32_t r = 0; r < size.relations; ++r) relations.intern("r" + std::to_string(r));
    model::write_model(path(), {decisions, entities, relations, facts_, {}});
  }

  Model open() const { return Model::open(path()); }
  std::filesystem::path path() const { return folder_.path() / "m.gkgc"; }
  const TemporaryFolder& folder() const { return folder_; }
  const std::vector<Triple>& facts() const { return facts_; }
  bool is_known(const Triple& fact) const {
    return std::find(facts_.begin(), facts_.end(), fact) != facts_.end();
  }

 private:
  // What a file holds besides tables and trees; each group has a calibration of its own.
  static void complete(model::Decisions& decisions, const rank::DecisionsSize& size) {
    decisions.embeddings.kge = &kge::kge_model("rotate");
    decisions.embeddings.similarity = kge::Similarity::kEuclidean;
    decisions.embeddings.dims = size.dims;
    decisions.embeddings.relation_count = size.relations;
    decisions.embeddings.relations.assign(size.relations * size.dims, 0.5F);
    for (std::size_t g = 0; g < decisions.groups.size(); ++g) {
      auto& group = decisions.groups[g];
      group.kept.resize(size.dims);
      std::iota(group.kept.begin(), group.kept.end(), 0U);
      group.calibration = {{-8, 8}, {0.1F, g % 2 == 0 ? 0.9F : 0.3F}};
      for (trees::Tree& tree : group.trees.trees) {
        for (trees::TreeNode& node : tree.nodes) {
          if (!node.is_leaf())
            node.threshold = decisions.tables.of(node.column.part).cuts(node.column.variable)[node.bin];
        }
      }
    }
  }

  TemporaryFolder folder_;
  std::vector<Triple> facts_;
};

}  // namespace greenkgc
