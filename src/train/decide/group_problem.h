#pragma once

#include <cstdint>
#include <vector>

#include "graph/dataset.h"
#include "graph/known_facts.h"
#include "greenkgc/context.h"
#include "greenkgc/decide.h"
#include "model/decisions.h"
#include "train/decide/base_margin.h"
#include "trees/train/learner.h"
#include "trees/train/samples.h"

namespace greenkgc {

// Those of the dimensions that the group keeps, in ascending order.
std::vector<trees::TripleColumn> group_columns(const model::Decisions& decisions, std::uint32_t group);

// What the classifier of one group of relations learns from.
struct GroupProblem {
  std::vector<trees::TripleColumn> columns;  // of the dimensions that the group keeps
  trees::Samples samples;                    // of training facts; none where no trees are to be grown
  trees::Samples held_out;                   // of validation facts
  decide::RelationBases base;                // none for relations of other groups; empty without base margins
  std::vector<float> margins;                // before the first tree; empty without a base
  std::vector<float> held_out_margins;

  trees::LearnerInput input(const features::SideTables& tables) const {
    return {.tables = tables,
            .samples = samples,
            .held_out = held_out.size() > 0 ? &held_out : nullptr,
            .columns = columns,
            .margins = margins,
            .held_out_margins = held_out_margins,
            .on_point = {}};
  }
};

// Makes the problems of a run, one at a time. Keeps references.
class GroupProblems {
 public:
  // `decisions` has tables, groups with their dimensions, an embedding and counts.
  GroupProblems(const graph::Dataset& data, const DecideOptions& options, const model::Decisions& decisions,
                const Context& context);

  // False answers to training facts are checked against train alone, those to validation facts against train
  // and valid. Says so where a relation has too few false answers, and where a group has no validation facts
  // to weigh its base margin by.
  GroupProblem make(std::uint32_t group) const;

 private:
  // Positions of the group's facts in a split, at most so many (0: all), chosen by the seed.
  std::vector<std::uint64_t> positions(std::uint32_t group, Split split, std::int64_t most) const;
  trees::Samples draw(std::uint32_t group, Split split, std::int64_t most, const kge::Embeddings& embeddings,
                      const Context& context) const;
  void add_base(std::uint32_t group, const kge::Embeddings& embeddings, GroupProblem& problem) const;

  const graph::Dataset& data_;
  const DecideOptions& options_;
  const model::Decisions& decisions_;
  const Context& context_;
  const graph::KnownFacts known_in_train_;
  const graph::KnownFacts known_with_valid_;
  const graph::RelationRanges ranges_;  // of train
  const std::vector<float> self_terms_;
};

}  // namespace greenkgc
