#include "report/run_page.h"

#include <fmt/format.h>

#include "model/model_file.h"
#include "report/sections.h"

namespace greenkgc::report {
namespace {

namespace fs = std::filesystem;

bool has_model(const RunHistory& run) {
  const RunStage* stage = run.model_stage();
  return stage != nullptr && stage->finished && stage->bytes > 0;
}

ModelSummary summary_of(const RunHistory& run, const Context& context) {
  ModelSummary summary;
  if (!has_model(run)) return summary;
  const Model model = Model::open(run.folder / "model.gkgc");
  summary.entities = model.entity_count();
  summary.relations = model.relation_count();
  summary.facts = model.impl().facts.size();
  const auto& decisions = model.impl().decisions;
  summary.groups.resize(decisions.groups.size());
  for (std::uint32_t r = 0; r < decisions.group_of.size(); ++r)
    summary.groups[decisions.group_of[r]].emplace_back(model.label(RelationId{r}));
  summary.examples = make_examples(model, context);
  return summary;
}

}  // namespace

std::string run_page(const fs::path& folder, const Context& context) {
  const RunHistory run = read_run(folder);
  const ModelSummary model = summary_of(run, context);
  report::Page page(fmt::format("Run {}", run.name),
                    run.finished() ? fmt::format("greenkgc train {}, preset {}", run.data, run.preset)
                                   : "greenkgc train: this run is not finished");
  add_overview(page, run, model);
  add_metrics(page, run);
  add_completion(page, run);
  add_new_facts(page, model);
  add_learning_curves(page, run.log);
  add_pruning(page, run.log.prune);
  add_groups(page, run, model);
  add_discriminant(page, run.log.discriminant);
  add_probabilities(page, run, model);
  add_sizes_and_options(page, run);
  return page.html(protocol_sentences());
}

}  // namespace greenkgc::report
