#include <fmt/format.h>

#include <array>
#include <map>

#include "base/text.h"
#include "recipes.h"

namespace greenkgc {
namespace {

using report::LineChart;
using report::Scale;
using report::Series;

// Each method of the paper's rows by `make`.
template <class Make>
Exhibit varied(const Reproducible& what, Workshop& workshop, const Make& make) {
  Exhibit exhibit;
  for (const std::string& dataset : what.datasets) {
    const bool there = workshop.dataset(dataset) != nullptr;
    for (const PaperRow& row : paper_rows(what.name, dataset)) {
      ResultRow result{there && !row.cited ? workshop.dataset_words(dataset) : dataset, row, {}};
      if (there) result.ours = measure(workshop, make(dataset, std::string(row.method)));
      exhibit.results.push_back(std::move(result));
    }
  }
  return exhibit;
}

// MRR of points under both protocols, as two lines of one colour.
struct ProtocolLines {
  Series filtered;
  Series paper;

  ProtocolLines(const std::string& name, std::size_t colour)
      : filtered{name + ", filtered", {}, colour},
        paper{name + ", paper", {}, colour, Series::Form::kDashed} {}
  void add(Workshop& workshop, const Artefact& artefact, double x) {
    filtered.points.push_back({x, workshop.evaluation(artefact, "filtered").sides.both.realistic.mrr});
    paper.points.push_back({x, workshop.evaluation(artefact, "paper").sides.both.realistic.mrr});
  }
};

constexpr std::array<std::int64_t, 6> kFigureDims = {8, 16, 32, 64, 128, 256};

}  // namespace

Exhibit make_pruning_table(const Reproducible& what, Workshop& workshop) {
  static const std::map<std::string, std::string> selectors = {{"random", "random"},
                                                               {"variance", "variance"},
                                                               {"feature importance", "forest"},
                                                               {"prune low cost", "dft-reversed"},
                                                               {"prune high cost (ours)", "dft"}};
  return varied(what, workshop, [&](const std::string& dataset, const std::string& method) {
    PruneOptions prune = workshop.prune_options(dataset, 32);
    const bool pruned = method != "without pruning";
    prune.selector = pruned ? selectors.at(method) : "none";
    const Artefact embedding = workshop.embedding(dataset, "rotate", pruned ? kPaperDims : 32);
    return workshop.model(workshop.features(embedding, prune), workshop.decide_options(dataset));
  });
}

Exhibit make_negatives_table(const Reproducible& what, Workshop& workshop) {
  return varied(what, workshop, [&](const std::string& dataset, const std::string& method) {
    DecideOptions decide = workshop.decide_options(dataset);
    decide.negatives = method;
    const Artefact features = workshop.features(workshop.embedding(dataset, "rotate", kPaperDims),
                                                workshop.prune_options(dataset, 32));
    return workshop.model(features, decide);
  });
}

Exhibit make_group_figure(const Reproducible& what, Workshop& workshop) {
  Exhibit exhibit;
  for (const std::string& dataset : what.datasets) {
    const Dataset* data = workshop.dataset(dataset);
    if (data == nullptr) continue;
    ProtocolLines lines("RotatE + GreenKGC 32", 0);
    for (const std::int64_t groups : {1, 2, 3, 5, 8, 10}) {
      if (groups > data->relation_count()) continue;
      PruneOptions prune = workshop.prune_options(dataset, 32);
      prune.groups = std::to_string(groups);
      const Artefact features = workshop.features(workshop.embedding(dataset, "rotate", kPaperDims), prune);
      lines.add(workshop, workshop.model(features, workshop.decide_options(dataset)),
                static_cast<double>(groups));
    }
    LineChart chart;
    chart.title = fmt::format("{}: test MRR by number of groups", workshop.dataset_words(dataset));
    chart.x.label = "relation groups";
    chart.y.label = "MRR";
    chart.series = {lines.filtered, lines.paper};
    exhibit.figures.push_back({lower_case(dataset), chart});
  }
  workshop.note("The paper shows a chart without numbers: MRR rises with the number of groups.");
  return exhibit;
}

Exhibit make_parameter_figure(const Reproducible& what, Workshop& workshop) {
  Exhibit exhibit;
  for (const std::string& dataset : what.datasets) {
    if (workshop.dataset(dataset) == nullptr) continue;
    LineChart chart;
    chart.title =
        fmt::format("{}: test MRR by number of embedding parameters", workshop.dataset_words(dataset));
    chart.x = {.label = "parameters", .scale = Scale::kLog};
    chart.y.label = "MRR";
    std::size_t colour = 0;
    for (const char* name : {"TransE", "RotatE", "DistMult", "ComplEx"}) {
      ProtocolLines lines(name, colour++);
      for (const std::int64_t dims : {32, 100, 500}) {
        const Artefact embedding = workshop.embedding(dataset, lower_case(name), dims);
        lines.add(workshop, embedding, static_cast<double>(workshop.parameters(embedding)));
      }
      chart.series.insert(chart.series.end(), {lines.filtered, lines.paper});
    }
    exhibit.figures.push_back({lower_case(dataset), chart});
  }
  workshop.note("The paper shows a chart without numbers.");
  return exhibit;
}

Exhibit make_dimension_figure(const Reproducible& what, Workshop& workshop) {
  Exhibit exhibit;
  const std::string& dataset = what.datasets[0];
  if (workshop.dataset(dataset) == nullptr) return exhibit;
  LineChart chart;
  chart.title = fmt::format("{}: test MRR by dimensions", workshop.dataset_words(dataset));
  chart.x = {.label = "dimensions", .scale = Scale::kLog};
  chart.y.label = "MRR";
  std::size_t colour = 0;
  for (const std::string& name : {std::string("TransE"), std::string("RotatE")}) {
    const std::string model = lower_case(name);
    ProtocolLines plain(name, colour++);
    ProtocolLines green(name + " + GreenKGC", colour++);
    for (const std::int64_t dims : kFigureDims) {
      const auto x = static_cast<double>(workshop.dims(dims));
      plain.add(workshop, workshop.embedding(dataset, model, dims), x);
      green.add(workshop, workshop.green(dataset, model, kPaperDims, dims), x);
    }
    chart.series.insert(chart.series.end(), {plain.filtered, plain.paper, green.filtered, green.paper});
  }
  Series published{"paper, 32 dimensions", {}, colour, Series::Form::kDots};
  for (const PaperRow& row : paper_rows("table-low-dimensions", dataset))
    published.points.push_back({static_cast<double>(workshop.dims(32)), row.mrr});
  chart.series.push_back(std::move(published));
  exhibit.figures.push_back({lower_case(dataset), chart});
  workshop.note(
      "The paper shows a chart without numbers; the dots are the figures of its table for 32 dimensions.");
  return exhibit;
}

}  // namespace greenkgc
