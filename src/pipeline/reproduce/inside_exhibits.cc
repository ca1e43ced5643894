#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "greenkgc/model.h"
#include "pipeline/report/examples.h"
#include "pipeline/report/run_history.h"
#include "pipeline/report/sections.h"
#include "pipeline/reproduce/recipes.h"

namespace greenkgc {
namespace {

using report::LineChart;
using report::Series;

// The group with most facts.
const PruneHistory::Group& largest(const PruneHistory& prune) {
  return *std::max_element(prune.groups.begin(), prune.groups.end(),
                           [](const auto& a, const auto& b) { return a.facts < b.facts; });
}

// The question (h, r, ?) with most known answers, of the relation between award ceremonies and winners where
// there is one.
Triple question_of(const Dataset& dataset) {
  const auto relation =
      dataset.find_relation("/award/award_ceremony/awards_presented./award/award_honor/award_winner");
  std::map<std::pair<EntityId, RelationId>, std::size_t> answers;
  for (const Triple& fact : dataset.triples(Split::kTrain)) {
    if (!relation || fact.relation == *relation) ++answers[{fact.head, fact.relation}];
  }
  const auto most = std::max_element(answers.begin(), answers.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return {most->first.first, most->first.second, EntityId{0}};
}

}  // namespace

Exhibit make_group_entropy_figure(const Reproducible& what, Workshop& workshop) {
  const std::string& dataset = what.datasets[0];
  Exhibit exhibit;
  const Dataset* data = workshop.dataset(dataset);
  if (data == nullptr) return exhibit;
  PruneOptions options = workshop.prune_options(dataset, 32);
  options.groups = "auto";
  options.max_groups = std::min<std::int64_t>(10, data->relation_count());
  const Artefact features = workshop.features(workshop.embedding(dataset, "rotate", kPaperDims), options);
  LineChart chart = mean_cost_chart(read_stage_log(features.folder()).prune.mean_costs);
  chart.title = fmt::format("{}: mean cross-entropy by number of groups", workshop.dataset_words(dataset));
  exhibit.figures.push_back({"mean-cost", chart});
  workshop.note(
      "The paper shows this as a picture without numbers: the mean falls with the number of groups, and 5 "
      "are chosen.");
  return exhibit;
}

Exhibit make_histogram_figure(const Reproducible& what, Workshop& workshop) {
  const std::string& dataset = what.datasets[0];
  Exhibit exhibit;
  if (workshop.dataset(dataset) == nullptr) return exhibit;
  PruneOptions options = workshop.prune_options(dataset, 32);
  options.projection = "pca";
  const Artefact features = workshop.features(workshop.embedding(dataset, "rotate", kPaperDims), options);
  const PruneHistory prune = read_stage_log(features.folder()).prune;
  const PruneHistory::Group& group = largest(prune);
  const auto title = [&](const char* which, double cost) {
    return fmt::format("{}: {} dimension of the largest group, {:.4f} bits", workshop.dataset_words(dataset),
                       which, cost);
  };
  exhibit.figures.push_back({"best", histogram_chart(group.best, title("best", group.best.cost))});
  exhibit.figures.push_back({"worst", histogram_chart(group.worst, title("worst", group.worst.cost))});
  PlainTable table{"Cross-entropy of the dimensions shown (PCA)", {"", "ours", "the paper's"}, {}};
  table.rows = {{"low", fmt::format("{:.4f}", group.best.cost), "0.7348"},
                {"high", fmt::format("{:.4f}", group.worst.cost), "0.9910"}};
  exhibit.tables.push_back(std::move(table));
  workshop.note("The paper does not say which two dimensions it shows; ours are the best and the worst.");
  return exhibit;
}

Exhibit make_discriminability_figure(const Reproducible& what, Workshop& workshop) {
  const std::string& dataset = what.datasets[0];
  Exhibit exhibit;
  if (workshop.dataset(dataset) == nullptr) return exhibit;
  struct Panel {
    const char* selector;
    const char* title;
    const char* label;
    double sign;
  };
  for (const Panel& panel : {Panel{"dft", "cross-entropy in DFT", "weighted entropy (bits)", 1},
                             Panel{"variance", "1 / variance", "1 / variance", 1},
                             Panel{"forest", "feature importance", "importance", -1}}) {
    PruneOptions options = workshop.prune_options(dataset, 32);
    options.selector = panel.selector;
    options.scope = "global";
    const Artefact features = workshop.features(workshop.embedding(dataset, "rotate", kPaperDims), options);
    const PruneHistory prune = read_stage_log(features.folder()).prune;
    LineChart chart;
    chart.title = fmt::format("{}: {}, sorted", workshop.dataset_words(dataset), panel.title);
    chart.x.label = "dimensions, most discriminant first";
    chart.y.label = panel.label;
    chart.series = {{panel.title, {}, 0}};
    const auto& sorted = prune.groups.at(0).sorted_selection;
    for (std::size_t i = 0; i < sorted.size(); ++i)
      chart.series[0].points.push_back({static_cast<double>(i + 1), panel.sign * sorted[i]});
    exhibit.figures.push_back({panel.selector, chart});
  }
  workshop.note("All relations together. The paper shows pictures without numbers.");
  return exhibit;
}

Exhibit make_score_figure(const Reproducible& what, Workshop& workshop) {
  const std::string& dataset = what.datasets[0];
  Exhibit exhibit;
  const Dataset* data = workshop.dataset(dataset);
  if (data == nullptr) return exhibit;
  const Artefact artefact = workshop.green(dataset, "rotate", kPaperDims, 32);
  const Model model = Model::open(artefact.file);
  const Triple question = question_of(*data);
  const ScoredQuestion scored = score_all(model, question.head, question.relation, workshop.context());
  LineChart chart = score_chart(scored);
  chart.title = fmt::format("{}: predicted probabilities of all answers to one question",
                            workshop.dataset_words(dataset));
  exhibit.figures.push_back({"question", chart});
  PlainTable table{
      "The question", {"head", "relation", "candidates", "known facts", "probability above 0.5"}, {}};
  const auto above = std::count_if(scored.probabilities.begin(), scored.probabilities.end(),
                                   [](double p) { return p > 0.5; });
  const auto known = std::count(scored.known.begin(), scored.known.end(), true);
  table.rows = {{scored.head, scored.relation, std::to_string(scored.probabilities.size()),
                 std::to_string(known), std::to_string(above)}};
  exhibit.tables.push_back(std::move(table));
  workshop.note(
      "The paper asks for winners of the 38th Grammy Awards; the data name entities by Freebase ids only, so "
      "ours is the award ceremony with most known winners. Probabilities are calibrated on valid, the "
      "paper's are not.");
  return exhibit;
}

Exhibit make_training_figure(const Reproducible& what, Workshop& workshop) {
  const std::string& dataset = what.datasets[0];
  Exhibit exhibit;
  if (workshop.dataset(dataset) == nullptr) return exhibit;
  const Artefact model = workshop.green(dataset, "rotate", kPaperDims, 32);
  const DecideHistory decide = read_stage_log(model.folder()).decide;
  for (const auto& [file, curve] :
       {std::pair{"auc-pr", DecideCurve::kAucPr}, std::pair{"mrr", DecideCurve::kValidMrr}}) {
    LineChart chart = decide_chart(decide, curve);
    chart.title = fmt::format("{}: {}", workshop.dataset_words(dataset), chart.title);
    exhibit.figures.push_back({file, chart});
  }
  workshop.note(
      "MRR is that of valid facts, filtered by train and valid; the paper looks at test facts while it "
      "trains. "
      "It shows pictures without numbers: AUC-PR converges after 200 trees, MRR after 600.");
  return exhibit;
}

}  // namespace greenkgc
