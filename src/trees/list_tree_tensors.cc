#include "trees/list_tree_tensors.h"

#include <fmt/format.h>

#include <algorithm>

#include "features/binned_table.h"
#include "tensors/check_tensors.h"
#include "tensors/label_tensors.h"

namespace greenkgc::trees {
namespace {

FeatureCuts read_cuts(const tensors::SafetensorsFile& file, const std::string& prefix,
                      const std::string& which) {
  const auto ends = file.u64s(prefix + "cut_ends");
  const auto all = file.floats(prefix + "cuts", 1);
  tensors::check_finite(file, all, 1, prefix + "cuts");
  if (ends.size() > kMostListFeatures) file.fail(fmt::format("has {} features{}", ends.size(), which));
  FeatureCuts cuts;
  std::uint64_t begin = 0;
  for (std::size_t f = 0; f < ends.size(); ++f) {
    if (ends[f] < begin || ends[f] > all.size() || ends[f] - begin >= features::kMostBins)
      file.fail(fmt::format("the cuts of feature {}{} are missing", f, which));
    const auto own = all.subspan(begin, ends[f] - begin);
    if (!std::is_sorted(own.begin(), own.end()))
      file.fail(fmt::format("the cuts of feature {}{} are not in ascending order", f, which));
    cuts.emplace_back(own.begin(), own.end());
    begin = ends[f];
  }
  if (begin != all.size()) file.fail(fmt::format("has more cuts than the features{} use", which));
  return cuts;
}

}  // namespace

ListTreeTensors::ListTreeTensors(std::string prefix, const std::vector<std::string>& features,
                                 const FeatureCuts& cuts)
    : prefix_(std::move(prefix)) {
  for (const std::string& name : features) names_.intern(name);
  name_tensors_.emplace(names_);
  for (const auto& own : cuts) {
    cuts_.insert(cuts_.end(), own.begin(), own.end());
    cut_ends_.push_back(cuts_.size());
  }
}

void ListTreeTensors::add(const std::vector<ListTree>& trees) {
  for (const ListTree& tree : trees) {
    sizes_.push_back(static_cast<std::uint16_t>(tree.nodes.size()));
    nodes_.add(tree, [&](const ListTreeNode& node) { features_.push_back(node.feature); });
  }
}

void ListTreeTensors::add_to(tensors::SafetensorsWriter& writer) const {
  const auto add = [&](const char* name, const auto& values) {
    writer.add(prefix_ + name, {values.size()}, std::span(values.data(), values.size()));
  };
  name_tensors_->add_to(writer, prefix_ + "features");
  add("cuts", cuts_);
  add("cut_ends", cut_ends_);
  add("trees.sizes", sizes_);
  add("trees.inner", nodes_.inner());
  add("trees.features", features_);
  add("trees.bins", nodes_.bins());
  add("trees.values", nodes_.values());
}

ListTrees read_list_trees(const tensors::SafetensorsFile& file, const std::string& prefix,
                          const std::string& which) {
  ListTrees all;
  all.cuts = read_cuts(file, prefix, which);
  const graph::Vocabulary names = tensors::read_labels(file, prefix + "features", all.cuts.size());
  for (std::uint32_t f = 0; f < names.size(); ++f) all.features.emplace_back(names.label(f));
  const auto sizes = file.u16s(prefix + "trees.sizes");
  const auto features = file.u16s(prefix + "trees.features");
  NodeReader nodes(file, prefix + "trees.", which);
  const auto make_split = [&](std::size_t k, std::uint8_t bin) {
    if (k >= features.size()) nodes.fail("an inner node has no feature");
    const std::uint16_t feature = features[k];
    if (feature >= all.cuts.size())
      nodes.fail(fmt::format("refers to feature {} of {}", feature, all.cuts.size()));
    if (bin >= all.cuts[feature].size())
      nodes.fail(fmt::format("splits at bin {}, but there are {} cuts", bin, all.cuts[feature].size()));
    return ListTreeNode{.feature = feature, .bin = bin};
  };
  for (const std::uint16_t size : sizes)
    all.trees.push_back(nodes.next<ListTree>(size, kMostListDepth, make_split));
  nodes.expect_end(features.size());
  return all;
}

}  // namespace greenkgc::trees
