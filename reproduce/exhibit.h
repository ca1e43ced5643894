#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "paper_figures.h"
#include "report/chart/chart.h"
#include "workshop.h"

namespace greenkgc {

// Ours.
struct MeasuredRow {
  RankMetrics filtered;
  RankMetrics paper;  // under the protocol of that name: the answer is exempt
  double parameters = -1;
  double inference_seconds = -1;
  Artefact artefact;
};

// A method on a dataset: ours, the paper's, or both.
struct ResultRow {
  std::string dataset;  // as it is to be called
  PaperRow published;
  std::optional<MeasuredRow> ours;
};

// Cells that are no ranking figures.
struct PlainTable {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

struct Exhibit {
  std::vector<ResultRow> results;
  std::vector<PlainTable> tables;
  struct Figure {
    std::string file;  // ending of the file's name: "fb15k-237"
    std::variant<report::LineChart, report::BarChart> chart;
  };
  std::vector<Figure> figures;
};

// Writes NAME.json, NAME.md and NAME-FIGURE.svg into the workshop's folder; `seconds` are those of this call.
Reproduced write_exhibit(const Reproducible& what, const Exhibit& exhibit, const Workshop& workshop,
                         double seconds);

}  // namespace greenkgc
