#include "cli/completion_text.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <span>

#include "cli/display.h"
#include "cli/table.h"

namespace greenkgc::cli {

namespace {

constexpr std::size_t kMaxRelations = 20;

std::string three(double share) {
  return fmt::format("{:.3f}", share);
}

// "0.860 of 317"
std::string right_among(const std::optional<double>& precision, std::uint64_t n) {
  return precision ? fmt::format("{} of {}", three(*precision), commas(n)) : "none";
}

std::string heading(const Evaluation& evaluation) {
  const CompletionReport& report = *evaluation.completion;
  std::string text = report.split == "all" ? "all facts of the file" : report.split + " split";
  if (evaluation.skipped > 0)
    text += fmt::format(" except {} with unknown labels", count_of(evaluation.skipped, "fact", "facts"));
  if (report.sampled_heads > 0)
    text += fmt::format(", heads: a sample of {}", count_of(report.sampled_heads, "entity", "entities"));
  return text + fmt::format(", completion: {} hidden from the model, {}\n",
                            count_of(report.all.hidden, "fact", "facts"),
                            count_of(report.all.proposals, "proposal", "proposals"));
}

std::string figures_table(const CompletionReport& report) {
  const CompletionFigures& all = report.all;
  Table table({{"", Column::Kind::kText}, {"", Column::Kind::kText}, {"", Column::Kind::kLabel}});
  table.add({"R-precision", three(all.r_precision),
             fmt::format("share of the hidden facts among the first {} proposals", commas(all.hidden))});
  table.add({"average precision", three(all.average_precision), "area below precision and recall"});
  table.add({"recall", three(all.recall), "share of the hidden facts among all proposals"});
  table.add({"right among p >= 0.9", right_among(all.precision_90, all.n_90), ""});
  table.add({"right among p >= 0.5", right_among(all.precision_50, all.n_50), ""});
  table.add(
      {"calibration error", three(report.calibration_error),
       fmt::format("over the first {} proposals; {} over all",
                   commas(std::min(2 * all.hidden, all.proposals)), three(report.calibration_error_all))});
  table.add({"second values", three(report.second_values),
             fmt::format("share among the first {}, for relations that nearly always have one",
                         commas(std::min(all.hidden, all.proposals)))});
  return table.text(terminal_columns(STDOUT_FILENO));
}

std::string bins_table(const CompletionReport& report) {
  Table table({{"probability", Column::Kind::kText}, {"proposals"}, {"right"}, {"predicted"}, {"observed"}});
  for (const ReliabilityBin& bin : report.bins) {
    if (bin.candidates == 0) continue;
    table.add({fmt::format("{:g} to {:g}", bin.from, bin.to), commas(bin.candidates), commas(bin.facts),
               three(bin.predicted), three(bin.observed)});
  }
  return table.text(terminal_columns(STDOUT_FILENO));
}

std::string relations_table(const CompletionReport& report) {
  Table table({{"relation", Column::Kind::kLabel},
               {"hidden"},
               {"proposals", Column::Kind::kOptional},
               {"R-precision"},
               {"average precision", Column::Kind::kOptional},
               {"recall", Column::Kind::kOptional},
               {"right among p >= 0.5"}});
  const std::size_t shown = std::min(kMaxRelations, report.relations.size());
  for (const RelationCompletion& relation : std::span(report.relations).first(shown)) {
    const CompletionFigures& f = relation.figures;
    const auto share = [&](double value) { return f.hidden > 0 ? three(value) : ""; };
    table.add({relation.label, commas(f.hidden), commas(f.proposals), share(f.r_precision),
               share(f.average_precision), share(f.recall), right_among(f.precision_50, f.n_50)});
  }
  std::string text = table.text(terminal_columns(STDOUT_FILENO));
  if (shown < report.relations.size())
    text += fmt::format("  and {} more, which --json has\n",
                        count_of(report.relations.size() - shown, "relation", "relations"));
  return text;
}

}  // namespace

std::string completion_text(const Evaluation& evaluation) {
  const CompletionReport& report = *evaluation.completion;
  const std::size_t columns = terminal_columns(STDOUT_FILENO);
  return fmt::format("{}{}\n{}\n{}\n{}\n\n{} in total\n", heading(evaluation), figures_table(report),
                     bins_table(report), relations_table(report),
                     wrapped(completion_caveat(), columns == 0 ? 110 : columns, 0),
                     short_seconds(evaluation.seconds));
}

std::string completion_line(const CompletionReport& report) {
  return fmt::format("R-precision {}, right among p >= 0.5: {}", three(report.all.r_precision),
                     right_among(report.all.precision_50, report.all.n_50));
}

}  // namespace greenkgc::cli
