#include "model/fact_trees_file.h"

#include <fmt/format.h>

#include "tensors/check_tensors.h"

namespace greenkgc::model {
namespace {

constexpr std::size_t kCurveNumbers = 6;

}  // namespace

FactTreeTensors::FactTreeTensors(const FactTrees& trees)
    : trees_(trees),
      folds_("fact.", trees.features, trees.cuts),
      queries_("fact.query.", trees.query_features, trees.query_cuts),
      curve_{trees.ceiling,       trees.slope,         trees.offset,
             trees.labeled_share, trees.missing_share, trees.missing_per_query} {
  for (const auto& fold : trees.folds) {
    folds_.add(fold);
    fold_sizes_.push_back(fold.size());
  }
  queries_.add(trees.query_trees);
}

void FactTreeTensors::add_to(tensors::SafetensorsWriter& writer) const {
  folds_.add_to(writer);
  writer.add("fact.fold_sizes", {fold_sizes_.size()}, std::span(fold_sizes_));
  writer.add("fact.curve", {curve_.size()}, std::span(curve_));
  writer.add("fact.relation_offsets", {trees_.relation_offsets.size()}, std::span(trees_.relation_offsets));
  queries_.add_to(writer);
}

bool has_fact_trees(const tensors::SafetensorsFile& file) {
  return file.tensors().contains("fact.fold_sizes");
}

FactTrees read_fact_trees(const tensors::SafetensorsFile& file, std::uint32_t relations) {
  FactTrees trees;
  trees::ListTrees all = trees::read_list_trees(file, "fact.", " of facts");
  trees.features = std::move(all.features);
  trees.cuts = std::move(all.cuts);
  std::size_t next = 0;
  for (const std::uint64_t size : file.u64s("fact.fold_sizes")) {
    if (size > all.trees.size() - next) file.fail(fmt::format("fact.fold_sizes has {} trees too many", size));
    const auto begin = all.trees.begin() + static_cast<std::ptrdiff_t>(next);
    trees.folds.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(size));
    next += size;
  }
  if (trees.folds.empty() || next != all.trees.size()) file.fail("has trees of facts that are in no fold");

  const auto curve = file.floats("fact.curve", 1);
  tensors::expect_shape(file, "fact.curve", {curve.size()}, {kCurveNumbers});
  tensors::check_finite(file, curve, 1, "fact.curve");
  trees.ceiling = curve[0];
  trees.slope = curve[1];
  trees.offset = curve[2];
  trees.labeled_share = curve[3];
  trees.missing_share = curve[4];
  trees.missing_per_query = curve[5];
  const auto is_share = [](float x) { return x > 0 && x < 1; };
  if (!is_share(trees.ceiling) || !is_share(trees.labeled_share) || !is_share(trees.missing_share))
    file.fail("fact.curve has a share that is not between 0 and 1");

  const auto offsets = file.floats("fact.relation_offsets", 1);
  tensors::expect_shape(file, "fact.relation_offsets", {offsets.size()}, {relations});
  tensors::check_finite(file, offsets, 1, "fact.relation_offsets");
  trees.relation_offsets.assign(offsets.begin(), offsets.end());

  trees::ListTrees queries = trees::read_list_trees(file, "fact.query.", " of queries");
  trees.query_features = std::move(queries.features);
  trees.query_cuts = std::move(queries.cuts);
  trees.query_trees = std::move(queries.trees);
  return trees;
}

}  // namespace greenkgc::model
