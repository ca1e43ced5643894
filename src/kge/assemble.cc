#include "kge/assemble.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/text.h"
#include "greenkgc/error.h"

namespace greenkgc::kge {
namespace {

// cos^2 + sin^2 of half-precision numbers is 1 within 0.002; a table of anything else is far off somewhere.
constexpr double kCircleTolerance = 0.01;

[[noreturn]] void refuse(const std::string& file, std::string_view what) {
  throw Error(ErrorCode::kBadInput, fmt::format("{}: {}", file, what));
}

void check_rows(const tensors::TableFile& file, bool reciprocal, std::string_view what) {
  const std::uint64_t labels = file.labels->size();
  const std::uint64_t expected = labels * (reciprocal ? 2 : 1);
  if (file.table.rows == expected) return;
  const bool doubled = !reciprocal && what == "relation" && file.table.rows == 2 * labels;
  refuse(
      file.name,
      fmt::format("has {}, but there are {}{}{}", count_of(file.table.rows, "row"),
                  count_of(labels, fmt::format("{} label", what)), reciprocal ? ", each with two rows" : "",
                  doubled ? "; if the second half are reciprocal relations, use --reciprocal" : ""));
}

void check_finite(const tensors::TableFile& file) {
  const auto& values = file.table.values;
  const auto wrong = std::find_if_not(values.begin(), values.end(), [](float x) { return std::isfinite(x); });
  if (wrong == values.end()) return;
  const auto at = static_cast<std::uint64_t>(wrong - values.begin());
  refuse(file.name, fmt::format("row {}, column {} (from 0) is not a finite number of single precision",
                                with_commas(at / file.table.columns), at % file.table.columns));
}

std::uint64_t dims_of(const tensors::TableFile& entities, const KgeModel& kge) {
  const std::uint64_t variables = kge.entity_variables();
  if (entities.table.columns % variables != 0) {
    refuse(entities.name, fmt::format("has rows of {}, but {} needs {} numbers per dimension and entity",
                                      count_of(entities.table.columns, "number"), kge.name(), variables));
  }
  return entities.table.columns / variables;
}

void check_relation_width(const tensors::TableFile& relations, std::uint64_t dims,
                          const TableMeaning& meaning) {
  const std::uint64_t columns = relations.table.columns;
  const std::uint64_t expected = dims * (meaning.cos_sin ? 2 : meaning.kge->relation_variables());
  if (columns == expected) return;
  const bool rotate = meaning.kge->name() == "rotate";
  std::string hint;
  if (rotate && !meaning.cos_sin && columns == 2 * dims)
    hint = "; if they are cosines followed by sines, use --relation-form cos-sin";
  if (rotate && meaning.cos_sin && columns == dims) hint = "; if they are phases, leave out --relation-form";
  refuse(relations.name, fmt::format("has rows of {}, but {} with {}, like the entities, needs {}{}",
                                     count_of(columns, "number"), meaning.kge->name(),
                                     count_of(dims, "dimension"), expected, hint));
}

// Phases of half the width from cosines and sines.
void take_phases(tensors::TableFile& relations) {
  tensors::FloatTable& table = relations.table;
  const std::uint64_t dims = table.columns / 2;
  std::vector<float> phases(table.rows * dims);
  for (std::uint64_t row = 0; row < table.rows; ++row) {
    for (std::uint64_t column = 0; column < dims; ++column) {
      const double cosine = table.values[row * table.columns + column];
      const double sine = table.values[row * table.columns + dims + column];
      if (std::abs(cosine * cosine + sine * sine - 1) > kCircleTolerance) {
        refuse(relations.name,
               fmt::format("row {}, columns {} and {} (from 0): {} and {} are not the cosine and sine "
                           "of one phase",
                           with_commas(row), column, dims + column, cosine, sine));
      }
      phases[row * dims + column] = static_cast<float>(std::atan2(sine, cosine));
    }
  }
  table.columns = dims;
  table.values = std::move(phases);
}

// Brought back into one turn, where single precision is finest.
void scale_phases(std::vector<float>& phases, double scale) {
  for (float& phase : phases) phase = static_cast<float>(std::remainder(phase * scale, 2 * std::numbers::pi));
}

}  // namespace

Similarity parse_similarity(const KgeModel& kge, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Similarity similarity : kge.similarities()) {
    if (name == "auto" || name == similarity_name(similarity)) return similarity;
    names.push_back(similarity_name(similarity));
  }
  throw Error(ErrorCode::kUsage, fmt::format("similarity {} does not work with {}; use {}", in_quotes(name),
                                             kge.name(), fmt::join(names, ", ")));
}

NamedEmbeddings assemble(tensors::TableFile entities, tensors::TableFile relations,
                         const TableMeaning& meaning) {
  check_rows(entities, false, "entity");
  check_rows(relations, meaning.reciprocal, "relation");
  NamedEmbeddings named;
  Embeddings& embeddings = named.embeddings;
  embeddings.kge = meaning.kge;
  embeddings.similarity = meaning.similarity;
  embeddings.reciprocal = meaning.reciprocal;
  embeddings.dims = dims_of(entities, *meaning.kge);
  check_relation_width(relations, embeddings.dims, meaning);
  if (meaning.range_dims > embeddings.dims)
    refuse(entities.name, fmt::format("{} dimensions cannot include {} range dimensions", embeddings.dims,
                                      meaning.range_dims));
  embeddings.range_dims = last_dims(embeddings.dims, meaning.range_dims);
  check_finite(entities);
  check_finite(relations);
  if (meaning.cos_sin) take_phases(relations);
  if (meaning.relation_scale != 1) {
    scale_phases(relations.table.values, meaning.relation_scale);
    check_finite(relations);
  }
  embeddings.entity_count = entities.labels->size();
  embeddings.relation_count = relations.labels->size();
  embeddings.entities = std::move(entities.table.values);
  embeddings.relations = std::move(relations.table.values);
  named.entities = std::move(*entities.labels);
  named.relations = std::move(*relations.labels);
  return named;
}

graph::Vocabulary forward_labels(const graph::Vocabulary& rows, const std::string& file) {
  if (rows.size() % 2 != 0)
    refuse(file, fmt::format("has {}, but reciprocal relations need two for each relation",
                             count_of(rows.size(), "row")));
  const std::uint32_t count = rows.size() / 2;
  graph::Vocabulary forward;
  for (std::uint32_t row = 0; row < count; ++row) {
    const std::string expected = fmt::format("{}{}", rows.label(row), kReverseEnding);
    if (rows.label(count + row) != expected) {
      refuse(file, fmt::format("row {} (from 0) is named {}; with reciprocal relations it must be the "
                               "inverse of row {} and be named {}",
                               count + row, in_quotes(rows.label(count + row)), row, in_quotes(expected)));
    }
    forward.intern(rows.label(row));
  }
  return forward;
}

}  // namespace greenkgc::kge
