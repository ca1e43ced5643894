#include "features/binned_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/parallel.h"
#include "greenkgc/error.h"

namespace greenkgc::features {
namespace {

// In (below, above]: halfway, so that values that are stored a little inexactly stay on their side.
float cut_between(float below, float above) {
  const auto middle = static_cast<float>((static_cast<double>(below) + static_cast<double>(above)) / 2);
  return middle > below ? middle : above;
}

// A value and how many rows have it.
struct Run {
  float value;
  std::size_t count;
};

std::vector<Run> runs_of(std::span<const float> values) {
  // Copied into place: GCC 14 wrongly warns (-Wfree-nonheap-object) about a vector that is made from a range
  // and sorted.
  std::vector<float> sorted(values.size());
  std::copy(values.begin(), values.end(), sorted.begin());
  std::sort(sorted.begin(), sorted.end());
  std::vector<Run> runs;
  for (const float x : sorted) {
    if (runs.empty() || runs.back().value != x) runs.push_back({x, 0});
    ++runs.back().count;
  }
  return runs;
}

// The mean of each bin's values; of a bin without values, 0: nothing will ask for it.
std::vector<float> levels_of(std::span<const float> values, std::span<const std::uint8_t> bins,
                             std::size_t bin_count) {
  std::vector<double> sums(bin_count);
  std::vector<double> counts(bin_count);
  for (std::size_t row = 0; row < values.size(); ++row) {
    sums[bins[row]] += static_cast<double>(values[row]);
    counts[bins[row]] += 1;
  }
  std::vector<float> levels;
  for (std::size_t b = 0; b < bin_count; ++b)
    levels.push_back(counts[b] > 0 ? static_cast<float>(sums[b] / counts[b]) : 0.0F);
  return levels;
}

void check_finite(std::span<const float> values, std::string_view what, std::size_t column) {
  const auto bad = std::find_if(values.begin(), values.end(), [](float x) { return !std::isfinite(x); });
  if (bad == values.end()) return;
  throw Error(ErrorCode::kBadInput, fmt::format("variable {} of {} {} is {}; features must be finite numbers",
                                                column, what, bad - values.begin(), *bad));
}

}  // namespace

// Values that are not frequent share evenly what bins are left.
std::vector<float> quantile_cuts(std::span<const float> values, std::size_t most_bins) {
  const std::vector<Run> runs = runs_of(values);
  const auto is_frequent = [&](const Run& run) { return run.count * most_bins >= values.size(); };
  auto frequent = static_cast<std::size_t>(std::count_if(runs.begin(), runs.end(), is_frequent));
  std::size_t rest = 0;
  for (const Run& run : runs) rest += is_frequent(run) ? 0 : run.count;

  std::vector<float> cuts;
  std::size_t in_bin = 0;
  for (std::size_t i = 0; i + 1 < runs.size() && cuts.size() + 1 < most_bins; ++i) {
    in_bin += runs[i].count;
    const std::size_t bins_left = most_bins - cuts.size();
    const std::size_t shared_bins = bins_left > frequent ? bins_left - frequent : 1;
    const bool all_fit = runs.size() <= most_bins;
    if (!all_fit && !is_frequent(runs[i]) && !is_frequent(runs[i + 1]) && in_bin * shared_bins < rest)
      continue;
    cuts.push_back(cut_between(runs[i].value, runs[i + 1].value));
    is_frequent(runs[i]) ? frequent -= 1 : rest -= in_bin;
    in_bin = 0;
  }
  return cuts;
}

void BinnedTable::fill(std::span<const std::vector<float>> columns, std::string_view what,
                       std::size_t most_bins, const Context& context) {
  for (std::size_t c = 0; c < columns.size(); ++c)
    check_finite(columns[c], what, c);  // before they are sorted
  std::vector<std::vector<float>> cuts(columns.size());
  parallel_for(context, columns.size(), 1,
               [&](std::size_t c, std::size_t) { cuts[c] = quantile_cuts(columns[c], most_bins); });
  fill_at(columns, cuts, what, context);
}

void BinnedTable::fill_at(std::span<const std::vector<float>> columns,
                          std::span<const std::vector<float>> cuts, std::string_view what,
                          const Context& context) {
  for (std::size_t c = 0; c < columns.size(); ++c) check_finite(columns[c], what, c);
  columns_.assign(columns.size(), {});
  const std::shared_ptr<std::uint8_t[]> all_bins(new std::uint8_t[columns.size() * rows_]);
  parallel_for(context, columns.size(), 1, [&](std::size_t c, std::size_t) {
    const std::span bins(all_bins.get() + c * rows_, rows_);
    std::transform(columns[c].begin(), columns[c].end(), bins.begin(), [&](float x) {
      return static_cast<std::uint8_t>(std::upper_bound(cuts[c].begin(), cuts[c].end(), x) - cuts[c].begin());
    });
    columns_[c] = {cuts[c], levels_of(columns[c], bins, cuts[c].size() + 1)};
  });
  bins_ = all_bins;
}

namespace {

// By column, for all entities and all relations.
struct VariableColumns {
  std::vector<std::vector<float>> entities;
  std::vector<std::vector<float>> relations;

  explicit VariableColumns(const TripleVariables& variables)
      : entities(variables.per_entity() * variables.dims()),
        relations(variables.per_relation() * variables.dims()) {
    const std::size_t dims = variables.dims();
    DimensionColumns columns;
    for (std::size_t dim = 0; dim < dims; ++dim) {
      variables.copy_dimension(dim, columns);
      for (std::size_t v = 0; v < variables.per_entity(); ++v) entities[v * dims + dim] = columns.entity[v];
      for (std::size_t v = 0; v < variables.per_relation(); ++v)
        relations[v * dims + dim] = columns.relation[v];
    }
  }

  SideTables empty_tables() const {
    const auto rows = [](const std::vector<std::vector<float>>& table) {
      return table.empty() ? 0 : static_cast<std::uint32_t>(table.front().size());
    };
    return {BinnedTable(rows(entities)), BinnedTable(rows(relations))};
  }
};

}  // namespace

SideTables binned_variables(const TripleVariables& variables, std::size_t most_bins, const Context& context) {
  const VariableColumns columns(variables);
  SideTables tables = columns.empty_tables();
  tables.entities.fill(columns.entities, "entity", most_bins, context);
  tables.relations.fill(columns.relations, "relation", most_bins, context);
  return tables;
}

SideTables binned_variables(const TripleVariables& variables, std::span<const std::vector<float>> entity_cuts,
                            std::span<const std::vector<float>> relation_cuts, const Context& context) {
  const VariableColumns columns(variables);
  SideTables tables = columns.empty_tables();
  tables.entities.fill_at(columns.entities, entity_cuts, "entity", context);
  tables.relations.fill_at(columns.relations, relation_cuts, "relation", context);
  return tables;
}

}  // namespace greenkgc::features
