#include "train/decide/exchange_trees.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/files/mapped_file.h"
#include "base/files/output_file.h"
#include "greenkgc/decide.h"
#include "greenkgc/error.h"
#include "model/model_file.h"
#include "train/decide/group_problem.h"
#include "trees/xgboost_json.h"

namespace greenkgc {
namespace {

namespace fs = std::filesystem;

fs::path group_file(const fs::path& folder, std::size_t group) {
  return folder / fmt::format("group-{}.json", group);
}

std::string columns_text(const model::Decisions& decisions) {
  static constexpr std::array<std::string_view, features::kTripleParts> kParts = {"head", "relation", "tail"};
  std::string text = "group\tfeature\tpart\tvariable\tdimension\n";
  const std::size_t dims = decisions.embeddings.dims;
  for (std::uint32_t group = 0; group < decisions.groups.size(); ++group) {
    const auto columns = group_columns(decisions, group);
    for (std::size_t f = 0; f < columns.size(); ++f)
      text += fmt::format("{}\t{}\t{}\t{}\t{}\n", group, f, kParts[static_cast<std::size_t>(columns[f].part)],
                          columns[f].variable / dims, columns[f].variable % dims);
  }
  return text;
}

}  // namespace

std::vector<fs::path> export_trees(const fs::path& model, const fs::path& folder, const Context& context) {
  const model::Decisions decisions = model::read_model(model).decisions;
  std::vector<fs::path> written;
  make_parent_folders(folder / "x");
  for (std::uint32_t group = 0; group < decisions.groups.size(); ++group) {
    written.push_back(group_file(folder, group));
    write_file(written.back(),
               to_xgboost_json(decisions.groups[group].trees, group_columns(decisions, group)));
  }
  written.push_back(folder / "columns.tsv");
  write_file(written.back(), columns_text(decisions));
  if (decisions.has_base())
    context.say(LogLevel::kInfo, "XGBoost's trees do not include the prior, which is added to their output");
  return written;
}

std::vector<trees::TreeEnsemble> read_group_trees(const fs::path& folder, const model::Decisions& decisions) {
  std::vector<trees::TreeEnsemble> groups;
  for (std::uint32_t group = 0; group < decisions.groups.size(); ++group) {
    const fs::path path = group_file(folder, group);
    const MappedFile file(path);
    const std::string_view text(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
    groups.push_back(trees::from_xgboost_json(text, group_columns(decisions, group), path.string()));
  }
  return groups;
}

std::vector<std::vector<float>> threshold_cuts(const std::vector<trees::TreeEnsemble>& groups, bool relations,
                                               std::size_t columns) {
  std::vector<std::vector<float>> cuts(columns);
  for (const trees::TreeEnsemble& ensemble : groups) {
    for (const trees::Tree& tree : ensemble.trees) {
      for (const trees::TreeNode& node : tree.nodes) {
        if (!node.is_leaf() && (node.column.part == features::TriplePart::kRelation) == relations)
          cuts[node.column.variable].push_back(node.threshold);
      }
    }
  }
  for (std::size_t c = 0; c < columns; ++c) {
    std::sort(cuts[c].begin(), cuts[c].end());
    cuts[c].erase(std::unique(cuts[c].begin(), cuts[c].end()), cuts[c].end());
    if (cuts[c].size() >= features::kMostBins)
      throw Error(ErrorCode::kUnsupported,
                  fmt::format("the trees use {} thresholds of one variable; a model can store {}",
                              cuts[c].size(), features::kMostBins - 1));
  }
  return cuts;
}

}  // namespace greenkgc
