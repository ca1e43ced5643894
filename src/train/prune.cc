#include "greenkgc/prune.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/files/event_log.h"
#include "base/files/output_file.h"
#include "base/files/step.h"
#include "base/text.h"
#include "features/feature_file.h"
#include "features/phase_form.h"
#include "features/prune/dft.h"
#include "features/prune/groups.h"
#include "features/prune/sample_columns.h"
#include "features/prune/samples.h"
#include "features/prune/selectors.h"
#include "graph/dataset.h"
#include "graph/known_facts.h"
#include "greenkgc/error.h"
#include "kge/chosen_dims.h"
#include "kge/embedding_file.h"
#include "train/refit.h"

namespace greenkgc {
namespace {

namespace fs = std::filesystem;

// A number of groups, or 0 for auto.
std::size_t parse_groups(const std::string& text) {
  if (text == "auto") return 0;
  std::uint64_t groups = 0;
  if (!parse_u64(text, groups) || groups == 0 || groups >= kMaxIds)
    throw Error(ErrorCode::kUsage,
                fmt::format("--groups must be a number from 1, or auto, not {}", in_quotes(text)));
  return groups;
}

// As stored: within float's range, whatever the embedding holds.
float stored(double x) {
  constexpr double kMost = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(x, -kMost, kMost));
}

class PruneStage {
 public:
  PruneStage(const graph::Dataset& data, const PruneOptions& options, const PruneRun& run,
             const Context& context)
      : data_(data),
        options_(options),
        run_(run),
        context_(context),
        log_(run.out.parent_path() / "log.jsonl"),
        selector_(features::selector(options.selector)),
        test_options_{options.projection == "pca" ? features::Projection::kPrincipalComponent
                                                  : features::Projection::kLogistic,
                      static_cast<std::size_t>(options.bins)},
        phase_form_(options.phase_form == "cos-sin" ? features::PhaseForm::kCosSin
                                                    : features::PhaseForm::kAngle),
        embeddings_(arranged_embeddings()),
        variables_(embeddings_, phase_form_),
        known_(std::array<std::span<const Triple>, 1>{data[Split::kTrain].triples}, data.entities.size(),
               context),
        source_{data[Split::kTrain].triples, known_, data.entities.size()} {}

  PruneResult prune() {
    check_sizes();
    make_parent_folders(run_.out);
    make_groups();
    test_and_select();
    make_features();
    if (options_.refit_epochs > 0) refit();
    write();
    return std::move(result_);
  }

 private:
  // In the order of the data; the file's own order is not kept in memory.
  kge::Embeddings arranged_embeddings() {
    kge::NamedEmbeddings named = kge::read_embeddings(run_.embeddings);
    source_provenance_ = std::move(named.provenance);
    result_.source_bytes = fs::file_size(run_.embeddings);
    return arranged(std::move(named), data_.entities, data_.relations);
  }

  void check_sizes() const {
    const auto keep = static_cast<std::uint64_t>(options_.keep_dims);
    if (keep <= embeddings_.dims || selector_.keeps_all) return;
    throw Error(ErrorCode::kUsage,
                fmt::format("--keep-dims {} is more than the {} of {}", keep,
                            count_of(embeddings_.dims, "dimension"), run_.embeddings.string()));
  }

  void make_groups() {
    const std::size_t groups = parse_groups(options_.groups);
    groups_ = groups > 0 ? features::group_relations(embeddings_, groups, context_)
                         : features::choose_groups(
                               embeddings_, variables_, source_,
                               {static_cast<std::size_t>(options_.max_groups), options_.group_gain},
                               test_options_, context_);
    result_.mean_costs = groups_.mean_costs;
    result_.groups.resize(groups_.count);
    for (std::uint32_t r = 0; r < groups_.group_of.size(); ++r)
      result_.groups[groups_.group_of[r]].relations.push_back(RelationId{r});
  }

  bool global() const { return options_.scope == "global"; }
  // Which set of samples and tests a group goes by.
  std::size_t set_of(std::size_t group) const { return global() ? 0 : group; }

  void test_and_select() {
    const std::vector<std::uint32_t> one_set(global() ? groups_.group_of.size() : 0);
    const std::size_t set_count = global() ? 1 : groups_.count;
    sets_ = features::draw_samples(source_, global() ? one_set : groups_.group_of, set_count,
                                   static_cast<std::uint64_t>(options_.max_facts), context_);
    tests_ = features::test_dimensions(variables_, sets_, test_options_, context_);
    const auto keep = selector_.keeps_all ? embeddings_.dims : static_cast<std::size_t>(options_.keep_dims);
    for (std::size_t set = 0; set < set_count; ++set) {
      selections_.push_back(selector_.costs({variables_, sets_[set], tests_[set], set}, context_));
      kept_.push_back(features::lowest(selections_.back(), keep));
    }
    describe_groups();
  }

  void describe_groups() {
    for (std::size_t g = 0; g < groups_.count; ++g) {
      const std::size_t set = set_of(g);
      PrunedGroup& group = result_.groups[g];
      group.facts = sets_[set].positives;
      group.corrupted = sets_[set].negatives();
      group.kept = kept_[set];
      for (const features::DimensionTest& test : tests_[set]) group.costs.push_back(test.cost);
      group.selection = selections_[set];
      std::sort(group.selection.begin(), group.selection.end());
      const auto order = features::lowest(group.costs, group.costs.size());
      group.best = histogram(set, order.front());
      group.worst = histogram(set, order.back());
    }
    for (const auto& tests : tests_) {
      result_.unconverged += static_cast<std::uint64_t>(
          std::count_if(tests.begin(), tests.end(), [](const auto& test) { return !test.converged; }));
    }
  }

  CostHistogram histogram(std::size_t set, std::uint32_t dim) const {
    features::SampleColumns columns(variables_);
    columns.take_dimension(dim);
    const features::DimensionTest& test = tests_[set][dim];
    auto counts = features::histogram_of(columns.gather(sets_[set]), test.weights, test_options_.bins);
    return {
        dim, test.cost, counts.low, counts.high, std::move(counts.positives), std::move(counts.negatives)};
  }

  void make_features() {
    features::Features& f = features_;
    for (const auto& kept : kept_) f.source_dims.insert(f.source_dims.end(), kept.begin(), kept.end());
    std::sort(f.source_dims.begin(), f.source_dims.end());
    f.source_dims.erase(std::unique(f.source_dims.begin(), f.source_dims.end()), f.source_dims.end());
    f.source_dim_count = static_cast<std::uint32_t>(embeddings_.dims);
    f.pruned = kge::with_dims(embeddings_, f.source_dims);
    f.phase_form = phase_form_;
    f.group_of = groups_.group_of;
    for (std::size_t g = 0; g < groups_.count; ++g) f.groups.push_back(feature_group(set_of(g)));
  }

  features::Features::Group feature_group(std::size_t set) const {
    features::Features::Group group;
    for (const std::uint32_t dim : kept_[set]) {
      const auto place = std::lower_bound(features_.source_dims.begin(), features_.source_dims.end(), dim);
      group.kept.push_back(static_cast<std::uint32_t>(place - features_.source_dims.begin()));
      add_test(tests_[set][dim], group);
    }
    for (const features::DimensionTest& test : tests_[set]) group.all_costs.push_back(stored(test.cost));
    return group;
  }

  void add_test(const features::DimensionTest& test, features::Features::Group& group) const {
    group.costs.push_back(stored(test.cost));
    group.splits.push_back(stored(test.split));
    for (std::size_t v = 0; v < variables_.count(); ++v) group.weights.push_back(stored(test.weights[v]));
  }

  void refit() {
    const RefitResult refitted = refit_features(
        features_, data_, known_,
        {source_provenance_, static_cast<std::uint64_t>(options_.refit_epochs), options_.refit_rate}, log_,
        context_);
    result_.valid_mrr = refitted.mrr_before;
    result_.refit_valid_mrr = refitted.mrr_after;
    result_.refit_epoch = refitted.best_epoch;
    test_again();
  }

  // What the file says of the kept dimensions must hold for the vectors that it has.
  void test_again() {
    const features::TripleVariables variables(features_.pruned, phase_form_);
    const auto tests = features::test_dimensions(variables, sets_, test_options_, context_);
    for (std::size_t g = 0; g < groups_.count; ++g) {
      features::Features::Group& group = features_.groups[g];
      group.costs.clear();
      group.splits.clear();
      group.weights.clear();
      for (const std::uint32_t dim : group.kept) add_test(tests[set_of(g)][dim], group);
    }
  }

  void write() {
    kge::Provenance provenance = {{"options", options_as_toml(&options_, option_specs<PruneOptions>())},
                                  {"seed", std::to_string(context_.seed)}};
    for (const auto& [key, value] : source_provenance_) provenance["embeddings." + key] = value;
    std::vector<features::FeatureForm> forms;
    for (const std::string& name : options_.store) forms.push_back(features::feature_form(name));
    features::write_features(run_.out, {features_, data_.entities, data_.relations, provenance}, forms,
                             context_);

    result_.model = embeddings_.kge->name();
    result_.dims = embeddings_.dims;
    result_.keep_dims = features_.keep_dims();
    result_.union_dims = features_.pruned.dims;
    result_.bytes = fs::file_size(run_.out);
    result_.seconds = seconds_since(began_);
    log_result();
  }

  void log_result() const {
    const auto counts = [](const CostHistogram& h) {
      return nlohmann::ordered_json{{"dim", h.dim},   {"cost", h.cost},         {"low", h.low},
                                    {"high", h.high}, {"observed", h.observed}, {"corrupted", h.corrupted}};
    };
    for (std::size_t g = 0; g < result_.groups.size(); ++g) {
      const PrunedGroup& group = result_.groups[g];
      log_.add("prune.group", {{"group", g},
                               {"relations", group.relations.size()},
                               {"facts", group.facts},
                               {"kept", group.kept},
                               {"costs", group.costs},
                               {"sorted_selection", group.selection},
                               {"best", counts(group.best)},
                               {"worst", counts(group.worst)}});
    }
    log_.add("prune.done", {{"selector", options_.selector},
                            {"scope", options_.scope},
                            {"groups", result_.groups.size()},
                            {"mean_cost_by_groups", result_.mean_costs},
                            {"keep_dims", result_.keep_dims},
                            {"union_dims", result_.union_dims},
                            {"valid_mrr", result_.valid_mrr},
                            {"refit_valid_mrr", result_.refit_valid_mrr},
                            {"refit_epoch", result_.refit_epoch},
                            {"seconds", result_.seconds},
                            {"bytes", result_.bytes}});
  }

  const graph::Dataset& data_;
  const PruneOptions& options_;
  const PruneRun& run_;
  const Context& context_;
  const EventLog log_;
  const features::Selector& selector_;
  const features::TestOptions test_options_;
  const features::PhaseForm phase_form_;
  kge::Provenance source_provenance_;
  PruneResult result_;
  const kge::Embeddings embeddings_;
  const features::TripleVariables variables_;
  const graph::KnownFacts known_;
  const features::SampleSource source_;

  features::RelationGroups groups_;
  // One per group, or a single one for all.
  std::vector<features::SampleSet> sets_;
  std::vector<std::vector<features::DimensionTest>> tests_;
  std::vector<std::vector<double>> selections_;
  std::vector<std::vector<std::uint32_t>> kept_;

  features::Features features_;
  const Clock::time_point began_ = Clock::now();
};

}  // namespace

std::vector<std::string> prune_selectors() {
  return features::selector_names();
}

void PruneOptions::validate() const {
  parse_groups(groups);
  if (store.empty()) throw Error(ErrorCode::kUsage, "--store needs at least one storage format");
}

PruneResult prune_embedding(const Dataset& dataset, const PruneOptions& options, const PruneRun& run,
                            const Context& context) {
  options.validate();
  if (dataset.triples(Split::kTrain).empty())
    throw Error(ErrorCode::kBadInput, "there are no training facts");
  check_output(run.out, run.embeddings, "the embeddings file");
  return PruneStage(dataset.impl(), options, run, context).prune();
}

}  // namespace greenkgc
