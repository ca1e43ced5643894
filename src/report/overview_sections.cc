#include <fmt/format.h>

#include "base/text.h"
#include "report/chart/text.h"
#include "report/sections.h"

namespace greenkgc::report {
namespace {

using report::HtmlTable;
using report::Page;
using Kind = HtmlTable::Kind;

// "" if there is none.
std::string setting(const RunHistory& run, std::string_view table, std::string_view name) {
  for (const auto& [title, settings] : run.options) {
    if (title != table) continue;
    for (const auto& [key, value] : settings) {
      if (key == name)
        return value.starts_with('"') && value.size() > 1 ? value.substr(1, value.size() - 2) : value;
    }
  }
  return "";
}

std::vector<std::string> stage_lines(const RunHistory& run, const RunStage& stage) {
  std::vector<std::string> lines;
  const StageLog& log = run.log;
  if (stage.name == "embed")
    lines = {fmt::format("{}, {} dimensions", setting(run, "embed", "model"), setting(run, "embed", "dims")),
             count_of(log.embed.size(), "epoch")};
  if (stage.name == "prune")
    lines = {
        fmt::format("{}, {}", setting(run, "prune", "selector"), count_of(log.prune.groups.size(), "group")),
        fmt::format("{} stored", count_of(log.prune.union_dims, "dimension"))};
  if (stage.name == "decide") {
    std::uint64_t trees = 0;
    for (const auto& group : log.decide.groups) trees += group.trees;
    lines = {fmt::format("{}, depth {}", count_of(trees, "tree"), setting(run, "decide", "depth")),
             setting(run, "decide", "objective")};
  }
  if (stage.name == "rerank")
    lines = {setting(run, "rerank", "labels") == "valid" ? "trained on validation facts"
                                                         : "trained on held-out facts",
             fmt::format("{} candidates per query", setting(run, "rerank", "list_size"))};
  if (stage.name == "evaluate") lines = {count_of(run.metrics.size(), "measurement")};
  lines.push_back(stage.finished ? report::seconds_text(stage.seconds) : "not finished");
  if (stage.bytes > 0)
    lines.push_back(
        fmt::format("{}, {}", stage.output, report::bytes_text(static_cast<double>(stage.bytes))));
  return lines;
}

std::vector<std::pair<std::string, std::string>> headline(const RunHistory& run) {
  std::vector<std::pair<std::string, std::string>> tiles;
  for (const char* protocol : {"filtered", "paper"}) {
    const MeasuredOutput* output = run.test_of_model(protocol);
    if (output == nullptr) continue;
    const RankMetrics& m = output->measured.evaluation.sides.both.realistic;
    const std::string words = "test, " + protocol_name(protocol);
    tiles.emplace_back(fmt::format("{:.4f}", m.mrr), "MRR, " + words);
    tiles.emplace_back(fmt::format("{:.3f}", m.hits_at_1), "Hits@1, " + words);
    tiles.emplace_back(fmt::format("{:.3f}", m.hits_at_10), "Hits@10, " + words);
  }
  if (run.completion)
    tiles.emplace_back(fmt::format("{:.3f}", run.completion->all.r_precision),
                       "R-precision of completion, " + run.completion->split);
  if (const RunStage* stage = run.model_stage(); stage != nullptr && stage->finished)
    tiles.emplace_back(report::bytes_text(static_cast<double>(stage->bytes)),
                       "model size, including labels and facts");
  tiles.emplace_back(report::seconds_text(run.seconds()), "all steps");
  return tiles;
}

HtmlTable size_table(const RunHistory& run) {
  HtmlTable table({{"step", Kind::kText}, {"file", Kind::kText}, {"size"}, {"time"}, {"share of time"}});
  const double whole = run.seconds();
  for (const RunStage& stage : run.stages)
    table.add({stage.name, stage.output,
               stage.bytes > 0 ? report::bytes_text(static_cast<double>(stage.bytes)) : "",
               stage.finished ? report::seconds_text(stage.seconds) : "not finished",
               whole > 0 ? fmt::format("{:.0f} %", 100 * stage.seconds / whole) : ""});
  return table;
}

void add_parameters(Page& page, const RunHistory& run) {
  // The model comes after its first stage.
  for (auto output = run.metrics.rbegin(); output != run.metrics.rend(); ++output) {
    const auto& model = output->measured.evaluation.model;
    if (!model) continue;
    page.words(
        fmt::format("The model has {} parameters, counted as in the paper: {} for entities, {} for "
                    "relations, {} for trees, {} for the second stage. Ranking needs about {} of memory and "
                    "{:.2f} ms per query.",
                    with_commas(model->parameters()), with_commas(model->entity_parameters),
                    with_commas(model->relation_parameters), with_commas(model->tree_parameters),
                    with_commas(model->second_stage_parameters),
                    report::bytes_text(static_cast<double>(model->memory_bytes)),
                    output->measured.evaluation.ms_per_query()));
    return;
  }
}

}  // namespace

void add_overview(Page& page, const RunHistory& run, const ModelSummary& model) {
  page.tiles(headline(run));
  std::vector<Page::Stage> stages;
  Page::Stage graph{"graph", {run.data}};
  if (model.entities > 0) {
    graph.lines.push_back(count_of(model.entities, "entity"));
    graph.lines.push_back(count_of(model.relations, "relation"));
    if (model.facts > 0) graph.lines.push_back(count_of(model.facts, "fact") + " in train and valid");
  }
  stages.push_back(std::move(graph));
  for (const RunStage& stage : run.stages) stages.push_back({"→ " + stage.name, stage_lines(run, stage)});
  page.stages(stages);
}

void add_sizes_and_options(Page& page, const RunHistory& run) {
  page.section("Sizes and times");
  page.table(size_table(run));
  add_parameters(page, run);
  page.section("Options");
  page.words(
      fmt::format("The options of this run, from config.toml; pass that file to `greenkgc train DATA "
                  "--config` to repeat it. greenkgc {}.",
                  run.version));
  for (const auto& [title, settings] : run.options) {
    if (settings.empty()) continue;
    HtmlTable table({{"option", Kind::kText}, {"value", Kind::kWords}});
    for (const auto& [name, value] : settings) table.add({name, value});
    page.folded_table(title.empty() ? "run" : title, table);
  }
}

}  // namespace greenkgc::report
