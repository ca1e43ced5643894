#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/chart/page.h"
#include "report/examples.h"
#include "report/run_history.h"

namespace greenkgc::report {

// The parts of a run's page. Each leaves itself out where the run has nothing for it.

// What the model file says that the other files do not.
struct ModelSummary {
  std::uint64_t entities = 0;
  std::uint64_t relations = 0;
  std::uint64_t facts = 0;
  std::vector<std::vector<std::string>> groups;  // the relations of each
  ModelExamples examples;
};

void add_overview(report::Page& page, const RunHistory& run, const ModelSummary& model);
void add_metrics(report::Page& page, const RunHistory& run);
void add_completion(report::Page& page, const RunHistory& run);
void add_learning_curves(report::Page& page, const StageLog& log);
void add_pruning(report::Page& page, const PruneHistory& prune);
void add_discriminant(report::Page& page, const DiscriminantHistory& discriminant);
void add_groups(report::Page& page, const RunHistory& run, const ModelSummary& model);
void add_probabilities(report::Page& page, const RunHistory& run, const ModelSummary& model);
void add_new_facts(report::Page& page, const ModelSummary& model);
void add_sizes_and_options(report::Page& page, const RunHistory& run);

// Charts that the reproduction of the paper has too.
report::LineChart cost_chart(const PruneHistory& prune);
report::BarChart histogram_chart(const CostHistogram& histogram, const std::string& title);
report::LineChart mean_cost_chart(const std::vector<double>& mean_costs);
report::LineChart score_chart(const ScoredQuestion& question);
enum class DecideCurve { kLoss, kAucPr, kValidMrr };
report::LineChart decide_chart(const DecideHistory& decide, DecideCurve curve);

// Never a figure without the protocol that it was measured by: "paper (answer exempt)".
std::string protocol_name(const std::string& protocol);
std::string protocol_sentences();  // what each name means

inline constexpr std::string_view kValidCurveProtocol =
    "filtered by train and valid facts, on a sample of valid";

}  // namespace greenkgc::report
