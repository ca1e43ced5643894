#include "greenkgc/rerank.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/files/event_log.h"
#include "base/files/output_file.h"
#include "base/files/step.h"
#include "base/random.h"
#include "graph/dataset.h"
#include "graph/identity.h"
#include "greenkgc/error.h"
#include "model/model_file.h"
#include "rank/calibration/calibrate.h"
#include "rank/candidate_counts.h"
#include "rank/evaluate/evaluate_model.h"
#include "rank/metrics.h"
#include "rank/rankers/two_stage_ranker.h"
#include "train/negatives/known_negatives.h"
#include "train/rerank/candidate_pairs.h"
#include "train/rerank/evidence_sources.h"
#include "train/rerank/feature_ranking.h"
#include "train/rerank/heldout_stage.h"
#include "train/rerank/label_lists.h"
#include "train/rerank/learn_fact_trees.h"
#include "train/validation.h"
#include "trees/train/lists/list_learner.h"

namespace greenkgc {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kEarlyStream = 0x72657203;
// Without validation facts, one fact is taken to be missing for so many held-out ones.
constexpr std::size_t kHeldOutPerMissing = 2;
// With so many validation facts, held-out ones would cost more than they add.
constexpr std::size_t kEnoughFacts = 3000;

graph::KnownFacts known_among(std::span<const Triple> facts, const graph::Dataset& data,
                              const Context& context) {
  return {std::array<std::span<const Triple>, 1>{facts}, data.entities.size(), context};
}

trees::ListLearnerOptions learner_options(const RerankOptions& options) {
  trees::ListLearnerOptions learner;
  learner.objective =
      options.objective == "softmax" ? trees::Objective::kSoftmax : trees::Objective::kLogLoss;
  learner.trees = static_cast<std::size_t>(options.trees);
  learner.depth = static_cast<std::size_t>(options.depth);
  learner.rate = options.rate;
  learner.split = {options.lambda, 0, options.min_child_weight};
  learner.list_share = options.list_share;
  learner.column_share = options.column_share;
  learner.patience = static_cast<std::size_t>(options.patience);
  learner.stop_metric = trees::ListStopMetric::kLoss;  // of few questions, the MRR jumps
  return learner;
}

// Rows of lists by their margins, in ascending order.
std::vector<rank::CountedMargin> counted(const trees::Lists& lists, std::span<const float> margins) {
  std::map<float, rank::CountedMargin> by_margin;
  for (std::size_t row = 0; row < margins.size(); ++row) {
    rank::CountedMargin& count = by_margin[margins[row]];
    count.margin = margins[row];
    (lists.labels[row] != 0 ? count.positives : count.negatives) += 1;
  }
  std::vector<rank::CountedMargin> all;
  for (const auto& [margin, count] : by_margin) all.push_back(count);
  return all;
}

class RerankStage {
 public:
  RerankStage(const graph::Dataset& data, const RerankOptions& options, const RerankRun& run,
              const Context& context)
      : data_(data),
        options_(options),
        run_(run),
        context_(context),
        log_(run.out.parent_path() / "log.jsonl"),
        list_options_{.size = static_cast<std::size_t>(options.list_size),
                      .first_stage = static_cast<std::size_t>(options.first_best),
                      .links = options.links},
        named_(rank::open_model_of(run.model, data)),
        negatives_(known_negatives(data, kSplitsOfTraining, run.negatives, context)) {
    make_parent_folders(run.out);
  }

  RerankResult run() {
    stage_.labels = options_.labels;
    stage_.links = options_.links;
    stage_.on_first = true;
    stage_.list_size = static_cast<std::uint32_t>(options_.list_size);
    stage_.first_best = static_cast<std::uint32_t>(options_.first_best);
    stage_.trees.features = evidence::EvidenceReader::feature_names(list_options_);
    const EvidenceSources evidence(data_[Split::kTrain].triples, data_, options_.links, context_);
    take(evidence, stage_);
    if (options_.labels == "valid")
      learn(named_.decisions, evidence, unseen_valid_facts());
    else
      learn_from_held_out();
    if (options_.labels != "valid") calibrate_on_valid(evidence);
    write();
    if (run_.measured) measure();
    finish();
    return std::move(result_);
  }

 private:
  static void take(const EvidenceSources& evidence, model::SecondStage& stage) {
    stage.rules = rank::stored_rules(evidence.rules);
    stage.walks.assign(evidence.walks.all().begin(), evidence.walks.all().end());
  }

  // Those that train has, too, were seen by the first stage.
  std::vector<Triple> unseen_valid_facts() const {
    const graph::KnownFacts train = known_among(data_[Split::kTrain].triples, data_, context_);
    std::vector<Triple> unseen = data_[Split::kValid].triples;
    std::erase_if(unseen, [&](const Triple& fact) { return train.contains(fact); });
    return unseen;
  }

  // Trees see scores of a first stage, and evidence of a graph, without the facts that are their labels.
  void learn_from_held_out() {
    const HeldOutFacts facts = hold_out(data_, options_.held_out_share, context_);
    if (facts.held_out.empty())
      throw Error(ErrorCode::kBadInput,
                  "no training fact can be held out: each is the only one of an entity or a relation");
    const fs::path folder = run_.heldout.empty() ? fs::path(run_.out.string() + ".heldout") : run_.heldout;
    const fs::path model = learn_again(facts.rest, named_.provenance, folder, context_);
    const model::NamedDecisions first = rank::open_model_of(model, facts.rest.impl());
    const EvidenceSources rest(facts.rest.triples(Split::kTrain), data_, options_.links, context_);
    learn(first.decisions, rest, facts.held_out);
    learn_facts(first.decisions, rest, facts);
    std::error_code ignored;
    if (run_.heldout.empty()) fs::remove_all(folder, ignored);
  }

  void learn(const model::Decisions& first, const EvidenceSources& evidence, std::span<const Triple> labels) {
    const rank::EvidenceLists source(first, evidence.sources(), list_options_);
    const auto questions =
        label_questions(labels, source, static_cast<std::uint64_t>(options_.max_questions), context_);
    if (questions.empty())
      throw Error(ErrorCode::kBadInput, fmt::format("there are no {} facts to learn from", options_.labels));
    const graph::KnownFacts index = known_among(labels, data_, context_);
    test_features(first, source, {questions, index});
    stage_.trees.cuts = label_cuts(source, questions, stage_.trees.features.size(),
                                   static_cast<std::size_t>(options_.bins), context_);
    std::vector<graph::Query> early;
    std::vector<graph::Query> others;
    const CounterRandom random(context_.seed, kEarlyStream);
    for (std::size_t i = 0; i < questions.size(); ++i)
      (random.unit(i) < options_.early_share ? early : others).push_back(questions[i]);
    const LabelledLists learnt = read_label_lists(source, others, index, stage_.trees.cuts, context_);
    const LabelledLists held_out = read_label_lists(source, early, index, stage_.trees.cuts, context_);
    describe(questions.size(), learnt, held_out);
    grow(learnt.lists, held_out.lists);
    if (options_.labels != "valid" && facts_from_held_out()) grow_without_folds(learnt.lists, others, index);
    if (options_.labels == "valid") calibrate_by(held_out.lists.rows() > 0 ? held_out.lists : learnt.lists);
  }

  // For the report: nothing is learned from it.
  void test_features(const model::Decisions& first, const rank::EvidenceLists& source,
                     const LabelQuestions& labels) const {
    const auto& evidence = stage_.trees.features;
    const SampledPairs pairs = sample_pairs(source, labels, evidence.size(), context_);
    log_ranking(rank_features(pairs, evidence, first, context_), data_.relations, log_);
  }

  void describe(std::size_t questions, const LabelledLists& learnt, const LabelledLists& held_out) {
    result_.questions = questions;
    result_.candidates = learnt.lists.rows() + held_out.lists.rows();
    result_.recall = static_cast<double>(learnt.listed + held_out.listed) /
                     static_cast<double>(std::max<std::uint64_t>(1, learnt.answers + held_out.answers));
    context_.say(LogLevel::kInfo,
                 fmt::format("{} queries, {} candidates; the candidates contain {:.1f} % of the answers",
                             result_.questions, result_.candidates, 100 * result_.recall));
  }

  void grow(const trees::Lists& lists, const trees::Lists& held_out) {
    const bool stops = held_out.rows() > 0;
    const trees::ListLearnerInput input{
        lists, stage_.trees.cuts, stops ? &held_out : nullptr, [&](const trees::ListCurvePoint& point) {
          log_.add("rerank.point", {{"trees", point.trees},
                                    {"loss", point.training.loss},
                                    {"list_mrr", point.training.mrr},
                                    {"held_out_loss", point.held_out.loss},
                                    {"held_out_list_mrr", point.held_out.mrr}});
        }};
    trees::LearnedListTrees learned = trees::learn_list_trees(input, learner_options(options_), context_);
    for (const trees::ListCurvePoint& point : learned.curve) {
      if (stops && point.trees == learned.trees.size()) result_.list_mrr = point.held_out.mrr;
    }
    stage_.trees.trees = std::move(learned.trees);
  }

  // For each fold of queries, trees that have not learned from its facts: as many as all facts give.
  void grow_without_folds(const trees::Lists& lists, std::span<const graph::Query> questions,
                          const graph::KnownFacts& labels) {
    trees::ListLearnerOptions learner = learner_options(options_);
    learner.trees = std::max<std::size_t>(1, stage_.trees.trees.size());
    learner.patience = 0;
    learner.evaluate_every = 0;
    for (std::size_t fold = 0; fold < kFactFolds; ++fold) {
      trees::Lists others;
      others.features = lists.features;
      for (std::size_t i = 0; i < questions.size(); ++i) {
        const auto answers = rank::known_answers(labels, questions[i]);
        if (std::ranges::none_of(answers, [&](EntityId answer) {
              const Triple fact = questions[i].fact(answer);
              return model::fold_of_query(fact.head, fact.relation, kFactFolds) == fold;
            }))
          others.append(lists, i);
      }
      fold_trees_.push_back(
          trees::learn_list_trees({.lists = others, .cuts = stage_.trees.cuts}, learner, context_).trees);
    }
  }

  void calibrate_by(const trees::Lists& lists) {
    std::vector<float> margins = lists.base;
    for (const trees::ListTree& tree : stage_.trees.trees)
      trees::packed_for_bins(tree).add_values(lists.bins.data(), lists.features, margins);
    const auto samples = counted(lists, margins);
    const bool both = std::any_of(lists.labels.begin(), lists.labels.end(), [](auto y) { return y != 0; }) &&
                      std::any_of(lists.labels.begin(), lists.labels.end(), [](auto y) { return y == 0; });
    if (both) stage_.calibration = rank::fit_isotonic(samples);
  }

  void calibrate_on_valid(const EvidenceSources& evidence) {
    const std::vector<Triple> valid = unseen_valid_facts();
    if (valid.empty() || options_.valid_sample == 0) return;
    const rank::EvidenceLists source(named_.decisions, evidence.sources(), list_options_);
    const auto questions =
        label_questions(valid, source, 2 * static_cast<std::uint64_t>(options_.valid_sample), context_);
    calibrate_by(
        read_label_lists(source, questions, known_among(valid, data_, context_), stage_.trees.cuts, context_)
            .lists);
  }

  // Whether there are too few validation facts to learn from them alone how probable facts are.
  bool facts_from_held_out() const { return unseen_valid_facts().size() < kEnoughFacts; }

  // How probable facts are is learned from all that stages can be asked about as if it were new: validation
  // facts by the model's own, and held-out facts by those that lack them.
  void learn_facts(const model::Decisions& first, const EvidenceSources& rest, const HeldOutFacts& facts) {
    std::vector<Triple> valid = unseen_valid_facts();
    std::sort(valid.begin(), valid.end());
    valid.erase(std::unique(valid.begin(), valid.end()), valid.end());
    std::vector<HeldOutSource> sources;
    const std::vector<std::vector<trees::ListTree>> own_trees(kFactFolds, stage_.trees.trees);
    if (!valid.empty())
      sources.push_back({named_.decisions, stage_, own_trees, data_[Split::kTrain].triples, valid});
    model::SecondStage stage = stage_;
    std::vector<Triple> graph = valid;
    if (facts_from_held_out()) {
      take(rest, stage);
      std::ranges::copy(facts.rest.triples(Split::kTrain), std::back_inserter(graph));
      sources.push_back({first, stage, fold_trees_, graph, facts.held_out});
    }
    const std::size_t missing = valid.empty() ? facts.held_out.size() / kHeldOutPerMissing + 1 : valid.size();
    stage_.facts = learn_fact_trees({sources, missing, negatives_}, {}, context_);
  }

  // Facts of train and valid, each once, as the file has them; train is evidence.
  std::vector<Triple> mark_facts() {
    std::vector<Triple> train = data_[Split::kTrain].triples;
    std::sort(train.begin(), train.end());
    std::vector<Triple> facts = train;
    facts.insert(facts.end(), data_[Split::kValid].triples.begin(), data_[Split::kValid].triples.end());
    std::sort(facts.begin(), facts.end());
    facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
    stage_.evidence.clear();
    for (const Triple& fact : facts)
      stage_.evidence.push_back(std::binary_search(train.begin(), train.end(), fact) ? 1 : 0);
    return facts;
  }

  void write() {
    kge::Provenance provenance = named_.provenance;
    provenance["rerank.options"] = options_as_toml(&options_, option_specs<RerankOptions>());
    provenance["rerank.seed"] = std::to_string(context_.seed);
    const std::vector<Triple> facts = mark_facts();
    model::write_model(run_.out, {named_.decisions, data_.entities, data_.relations, facts, provenance,
                                  &stage_, negatives_});
  }

  // What the second stage changes on valid, where it has not learned from that.
  void measure() {
    const Validation validation(data_, static_cast<std::uint64_t>(options_.valid_sample), context_);
    if (!validation.possible()) return;
    const auto mrr = [&](const rank::Ranker& ranker) {
      rank::MetricSum sum;
      const rank::Candidates candidates{.known = &validation.known()};
      for (const rank::Ranks& ranks : ranker.ranks(validation.queries(), candidates, context_))
        sum.add(ranks.all);
      return sum.mean().realistic.mrr;
    };
    result_.first_valid_mrr = mrr(rank::FirstStageRanker(named_.decisions));
    if (options_.labels == "valid") return;
    const std::vector<Triple> facts = mark_facts();
    result_.valid_mrr = mrr(rank::TwoStageRanker(named_.decisions, stage_, facts, context_));
  }

  void finish() {
    result_.labels = options_.labels;
    result_.features = stage_.trees.features.size();
    result_.rules = stage_.rules.size();
    result_.trees = stage_.trees.trees.size();
    result_.bytes = fs::file_size(run_.out);
    result_.seconds = seconds_since(began_);
    log_.add("rerank.done", {{"labels", result_.labels},
                             {"links", options_.links},
                             {"questions", result_.questions},
                             {"recall", result_.recall},
                             {"trees", result_.trees},
                             {"list_mrr", result_.list_mrr},
                             {"first_valid_mrr", result_.first_valid_mrr},
                             {"valid_mrr", result_.valid_mrr},
                             {"seconds", result_.seconds},
                             {"bytes", result_.bytes}});
  }

  const graph::Dataset& data_;
  const RerankOptions& options_;
  const RerankRun& run_;
  const Context& context_;
  const EventLog log_;
  const evidence::ListOptions list_options_;
  const model::NamedDecisions named_;
  const std::vector<Triple> negatives_;
  model::SecondStage stage_;
  std::vector<std::vector<trees::ListTree>> fold_trees_;
  RerankResult result_;
  const Clock::time_point began_ = Clock::now();
};

}  // namespace

void RerankOptions::validate() const {
  if (first_best > list_size)
    throw Error(ErrorCode::kUsage,
                fmt::format("--first-best {} is more than --list-size {}", first_best, list_size));
}

RerankResult learn_reranking(const Dataset& dataset, const RerankOptions& options, const RerankRun& run,
                             const Context& context) {
  options.validate();
  check_output(run.out, run.model, "the first-stage model");
  return RerankStage(dataset.impl(), options, run, context).run();
}

}  // namespace greenkgc
