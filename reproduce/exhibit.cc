#include "exhibit.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/files/output_file.h"
#include "greenkgc/version.h"
#include "report/chart/text.h"

namespace greenkgc {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string figure_text(double value, int decimals) {
  return value < 0 ? "" : fmt::format("{:.{}f}", value, decimals);
}

std::string table_line(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + report::markdown_text(cell) + " |";
  return line + "\n";
}

std::string markdown_table(const std::vector<std::string>& columns,
                           const std::vector<std::vector<std::string>>& rows) {
  std::string text = table_line(columns) + "|";
  for (std::size_t c = 0; c < columns.size(); ++c) text += "---|";
  text += "\n";
  for (const auto& row : rows) text += table_line(row);
  return text;
}

struct Metric {
  const char* title;
  const char* key;
  double RankMetrics::*ours;
  double PaperRow::*published;
};
constexpr Metric kMetrics[] = {{"MRR", "mrr", &RankMetrics::mrr, &PaperRow::mrr},
                               {"H@1", "hits_at_1", &RankMetrics::hits_at_1, &PaperRow::hits_at_1},
                               {"H@3", "hits_at_3", &RankMetrics::hits_at_3, &PaperRow::hits_at_3},
                               {"H@10", "hits_at_10", &RankMetrics::hits_at_10, &PaperRow::hits_at_10}};

// Columns in which no row says anything.
void leave_out_empty(std::vector<std::string>& columns, std::vector<std::vector<std::string>>& rows) {
  for (std::size_t c = columns.size(); c-- > 0;) {
    if (std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return !row[c].empty(); })) continue;
    columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(c));
    for (auto& row : rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(c));
  }
}

// Each metric three times: filtered, paper, and what the paper prints.
std::string results_markdown(const std::vector<ResultRow>& results) {
  std::vector<std::string> columns = {"dataset", "method"};
  for (const Metric& metric : kMetrics) {
    columns.push_back(fmt::format("{} filtered", metric.title));
    columns.push_back(fmt::format("{} paper (answer exempt)", metric.title));
    columns.push_back(fmt::format("{} published", metric.title));
  }
  for (const char* more :
       {"#P (M)", "#P (M) published", "ranking", "ranking, published", "size", "training, all steps"})
    columns.emplace_back(more);
  std::vector<std::vector<std::string>> rows;
  for (const ResultRow& row : results) {
    const PaperRow& published = row.published;
    std::vector<std::string> cells = {
        row.dataset, fmt::format("{}{}", published.method, published.cited ? " (cited by the paper)" : "")};
    for (const Metric& metric : kMetrics) {
      const int decimals = metric.ours == &RankMetrics::mrr ? 4 : 3;
      cells.push_back(row.ours ? figure_text(row.ours->filtered.*metric.ours, decimals) : "");
      cells.push_back(row.ours ? figure_text(row.ours->paper.*metric.ours, decimals) : "");
      cells.push_back(figure_text(published.*metric.published, 3));
    }
    const auto time = [](double seconds) {
      return seconds < 0 ? std::string() : report::seconds_text(seconds);
    };
    cells.push_back(row.ours && row.ours->parameters >= 0 ? fmt::format("{:.2f}", row.ours->parameters / 1e6)
                                                          : "");
    cells.push_back(figure_text(published.parameters, 2));
    cells.push_back(row.ours ? time(row.ours->inference_seconds) : "");
    cells.push_back(time(published.seconds));
    cells.push_back(row.ours ? report::bytes_text(static_cast<double>(row.ours->artefact.bytes)) : "");
    cells.push_back(row.ours ? time(row.ours->artefact.total_seconds) : "");
    rows.push_back(std::move(cells));
  }
  leave_out_empty(columns, rows);
  return markdown_table(columns, rows);
}

Json rank_json(const RankMetrics& metrics) {
  Json json;
  for (const Metric& metric : kMetrics) json[metric.key] = metrics.*metric.ours;
  return json;
}

Json result_json(const ResultRow& row) {
  Json json = {{"dataset", row.dataset}, {"method", row.published.method}, {"cited", row.published.cited}};
  if (row.ours) {
    json["ours"] = {{"filtered", rank_json(row.ours->filtered)},
                    {"paper", rank_json(row.ours->paper)},
                    {"parameters", row.ours->parameters},
                    {"inference_seconds", row.ours->inference_seconds},
                    {"bytes", row.ours->artefact.bytes},
                    {"training_seconds", row.ours->artefact.total_seconds},
                    {"artefact", row.ours->artefact.file.string()},
                    {"options", row.ours->artefact.options}};
    json["ours"]["paper"]["words"] = "answer exempt";
  }
  Json published = Json::object();
  for (const Metric& metric : kMetrics) {
    if (row.published.*metric.published >= 0) published[metric.key] = row.published.*metric.published;
  }
  if (row.published.parameters >= 0) published["parameters"] = row.published.parameters * 1e6;
  if (row.published.seconds >= 0) published["seconds"] = row.published.seconds;
  json["published"] = published;
  return json;
}

Json chart_json(const report::LineChart& chart) {
  Json series = Json::array();
  for (const report::Series& line : chart.series) {
    Json points = Json::array();
    for (const report::Point& point : line.points) points.push_back({point.x, point.y});
    series.push_back({{"name", line.name}, {"points", points}});
  }
  return {{"title", chart.title}, {"x", chart.x.label}, {"y", chart.y.label}, {"series", series}};
}

Json chart_json(const report::BarChart& chart) {
  Json bars = Json::array();
  for (const auto& of : chart.bars) bars.push_back({{"name", of.name}, {"values", of.values}});
  return {{"title", chart.title},
          {"x", chart.x_label},
          {"y", chart.y.label},
          {"categories", chart.categories},
          {"bars", bars}};
}

Json artefact_json(const Artefact& artefact, std::uint64_t seed) {
  return {{"dataset", artefact.dataset},    {"kind", artefact.kind},
          {"file", artefact.file.string()}, {"seed", seed},
          {"options", artefact.options},    {"seconds", artefact.seconds},
          {"bytes", artefact.bytes}};
}

class ExhibitWriter {
 public:
  ExhibitWriter(const Reproducible& what, const Exhibit& exhibit, const Workshop& workshop)
      : what_(what), exhibit_(exhibit), workshop_(workshop) {}

  Reproduced write(double seconds) {
    for (const Exhibit::Figure& figure : exhibit_.figures) {
      const std::string file = fmt::format("{}-{}.svg", what_.name, figure.file);
      std::visit([&](const auto& chart) { put(file, svg_file(chart)); }, figure.chart);
    }
    result_.markdown = markdown(seconds);
    put(what_.name + ".md", result_.markdown);
    put(what_.name + ".json", json(seconds).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    result_.missing = workshop_.missing();
    result_.seconds = seconds;
    return std::move(result_);
  }

 private:
  void put(const std::string& file, const std::string& bytes) {
    write_file(workshop_.out() / file, bytes);
    result_.written.push_back(workshop_.out() / file);
  }

  std::string markdown(double seconds) const {
    std::string text = fmt::format("# {}: {}\n\n", what_.name, what_.title);
    for (const std::string& note : workshop_.notes()) text += report::markdown_text(note) + "\n\n";
    if (!exhibit_.results.empty()) text += results_markdown(exhibit_.results) + "\n";
    for (const PlainTable& table : exhibit_.tables)
      text += fmt::format("{}\n\n{}\n", table.title, markdown_table(table.columns, table.rows));
    for (const Exhibit::Figure& figure : exhibit_.figures)
      text += fmt::format("![{0}]({1}-{0}.svg)\n\n", figure.file, what_.name);
    if (!exhibit_.results.empty() || !exhibit_.figures.empty())
      text +=
          "Test facts, head and tail queries, mean rank for ties. `filtered`: all entities are candidates, "
          "except other known answers. `paper`: candidates outside the relation's training range are "
          "removed, except the answer.\n\n";
    return text + fmt::format("Seed {}, greenkgc {}; {} for everything that was not cached.\n",
                              workshop_.context().seed, build_info().version, report::seconds_text(seconds));
  }

  Json json(double seconds) const {
    const ReproduceOptions& options = workshop_.options();
    Json all = {{"name", what_.name},
                {"title", what_.title},
                {"version", build_info().version},
                {"seed", workshop_.context().seed},
                {"threads", workshop_.context().thread_count()},
                {"options", options_as_toml(&options, option_specs<ReproduceOptions>())},
                {"seconds", seconds},
                {"missing", workshop_.missing()},
                {"notes", workshop_.notes()}};
    for (const ResultRow& row : exhibit_.results) all["results"].push_back(result_json(row));
    for (const PlainTable& table : exhibit_.tables)
      all["tables"].push_back({{"title", table.title}, {"columns", table.columns}, {"rows", table.rows}});
    for (const Exhibit::Figure& figure : exhibit_.figures) {
      Json chart = std::visit([](const auto& of) { return chart_json(of); }, figure.chart);
      chart["file"] = fmt::format("{}-{}.svg", what_.name, figure.file);
      all["figures"].push_back(std::move(chart));
    }
    for (const Artefact& artefact : workshop_.used())
      all["artefacts"].push_back(artefact_json(artefact, workshop_.context().seed));
    return all;
  }

  const Reproducible& what_;
  const Exhibit& exhibit_;
  const Workshop& workshop_;
  Reproduced result_;
};

}  // namespace

Reproduced write_exhibit(const Reproducible& what, const Exhibit& exhibit, const Workshop& workshop,
                         double seconds) {
  return ExhibitWriter(what, exhibit, workshop).write(seconds);
}

}  // namespace greenkgc
