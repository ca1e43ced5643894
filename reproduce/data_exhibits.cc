#include <fmt/format.h>

#include "base/text.h"
#include "features/feature_file.h"
#include "greenkgc/stats.h"
#include "kge/kge_model.h"
#include "recipes.h"

namespace greenkgc {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

Exhibit make_dataset_table(const Reproducible& what, Workshop& workshop) {
  PlainTable table{"Counted here, and as published",
                   {"dataset", "", "entities", "relations", "train", "valid", "test"},
                   {}};
  for (const std::string& name : what.datasets) {
    const PaperDataset& p = Workshop::paper(name);
    if (const Dataset* dataset = workshop.dataset(name)) {
      const auto size = [&](Split split) { return with_commas(dataset->triples(split).size()); };
      table.rows.push_back({workshop.dataset_words(name), "counted", with_commas(dataset->entity_count()),
                            with_commas(dataset->relation_count()), size(Split::kTrain), size(Split::kValid),
                            size(Split::kTest)});
    }
    table.rows.push_back({name, "paper", with_commas(p.entities), with_commas(p.relations),
                          with_commas(p.train), with_commas(p.valid), with_commas(p.test)});
  }
  return {.results = {}, .tables = {table}, .figures = {}};
}

Exhibit make_group_table(const Reproducible& what, Workshop& workshop) {
  const std::string& name = what.datasets[0];
  PlainTable table{
      "Relation groups by k-means on RotatE's relation vectors, k = 3", {"", "group", "relations"}, {}};
  if (workshop.dataset(name) != nullptr) {
    const Artefact pruned =
        workshop.features(workshop.embedding(name, "rotate", kPaperDims), workshop.prune_options(name, 32));
    const auto named = features::read_features(pruned.file);
    for (std::size_t g = 0; g < named.features.groups.size(); ++g) {
      std::vector<std::string> labels;
      for (std::uint32_t r = 0; r < named.features.group_of.size(); ++r) {
        if (named.features.group_of[r] == g) labels.emplace_back(named.relations.label(r));
      }
      table.rows.push_back({"ours, " + workshop.dataset_words(name), std::to_string(g), joined(labels)});
    }
  }
  for (std::size_t g = 0; g < paper_groups().size(); ++g)
    table.rows.push_back(
        {"paper", std::to_string(g), joined({paper_groups()[g].begin(), paper_groups()[g].end()})});
  return {.results = {}, .tables = {table}, .figures = {}};
}

Exhibit make_model_table(const Reproducible&, Workshop&) {
  PlainTable table{"Variables of a dimension, as our models have them", {"model", "n_e", "n_r", "n_v"}, {}};
  for (const std::string& name : kge::kge_model_names()) {
    const kge::KgeModel& kge = kge::kge_model(name);
    table.rows.push_back({name, std::to_string(kge.entity_variables()),
                          std::to_string(kge.relation_variables()), std::to_string(kge.triple_variables())});
  }
  PlainTable papers{"Paper", {"model", "n_e", "n_r", "n_v"}, {}};
  papers.rows = {{"TransE", "1", "1", "3"},
                 {"DistMult", "1", "1", "3"},
                 {"ComplEx", "2", "2", "6"},
                 {"RotatE", "2", "1", "5"}};
  return {.results = {}, .tables = {table, papers}, .figures = {}};
}

}  // namespace greenkgc
