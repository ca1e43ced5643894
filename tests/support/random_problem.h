#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "features/binned_table.h"
#include "greenkgc/context.h"
#include "trees/train/samples.h"

namespace greenkgc::trees {

struct ProblemSize {
  std::uint32_t entities = 50;
  std::uint32_t relations = 7;
  std::size_t entity_columns = 4;
  std::size_t relation_columns = 2;
  std::size_t rows = 3000;
};

// For tests and benchmarks: random features, and samples whose labels depend on them.
struct RandomProblem {
  std::vector<std::vector<float>> entity_values;  // by column
  std::vector<std::vector<float>> relation_values;
  features::SideTables tables;
  Samples samples;

  explicit RandomProblem(const ProblemSize& size, std::uint64_t seed = 1, const Context& context = {})
      : entity_values(random_columns(size.entity_columns, size.entities, seed, 1)),
        relation_values(random_columns(size.relation_columns, size.relations, seed, 2)),
        tables{features::BinnedTable(size.entities), features::BinnedTable(size.relations)} {
    tables.entities.fill(entity_values, "entity", features::kMostBins, context);
    tables.relations.fill(relation_values, "relation", features::kMostBins, context);
    const CounterRandom random(seed, 3);
    for (std::uint64_t row = 0; row < size.rows; ++row) {
      samples.ids[0].push_back(static_cast<std::uint32_t>(random.below(size.entities, 4 * row)));
      samples.ids[1].push_back(static_cast<std::uint32_t>(random.below(size.relations, 4 * row + 1)));
      samples.ids[2].push_back(static_cast<std::uint32_t>(random.below(size.entities, 4 * row + 2)));
      samples.labels.push_back(random.unit(4 * row + 3) < probability(row) ? 1 : 0);
    }
  }

  // The feature of a sample, as a number.
  float value(std::size_t row, TriplePart part, std::size_t variable) const {
    const auto& columns = part == TriplePart::kRelation ? relation_values : entity_values;
    return columns[variable][samples.of(part)[row]];
  }

 private:
  static std::vector<std::vector<float>> random_columns(std::size_t columns, std::uint32_t rows,
                                                        std::uint64_t seed, std::uint32_t stream) {
    const CounterRandom random(seed, stream);
    std::vector<std::vector<float>> values(columns, std::vector<float>(rows));
    for (std::size_t c = 0; c < columns; ++c) {
      for (std::size_t row = 0; row < rows; ++row)
        values[c][row] = static_cast<float>(2 * random.unit(c * rows + row) - 1);
    }
    return values;
  }
  double probability(std::size_t row) const {
    if (entity_values.size() < 2 || relation_values.empty()) return 0.3;
    const double z = 2.0 * value(row, TriplePart::kHead, 0) * value(row, TriplePart::kTail, 1) +
                     static_cast<double>(value(row, TriplePart::kRelation, 0)) +
                     (value(row, TriplePart::kTail, 0) > 0.5F ? 1.0 : 0.0);
    return 1 / (1 + std::exp(-z));
  }
};

}  // namespace greenkgc::trees
