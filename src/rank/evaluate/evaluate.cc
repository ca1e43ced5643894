#include "greenkgc/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/files/step.h"
#include "base/permutation.h"
#include "base/random.h"
#include "base/text.h"
#include "features/feature_file.h"
#include "graph/dataset.h"
#include "graph/identity.h"
#include "graph/known_facts.h"
#include "graph/relation_ranges.h"
#include "graph/statistics.h"
#include "greenkgc/error.h"
#include "kge/embedding_file.h"
#include "model/model_file.h"
#include "rank/evaluate/evaluate_completion.h"
#include "rank/evaluate/evaluate_model.h"
#include "rank/evaluate/evaluation_ground.h"
#include "rank/evaluate/relabel.h"
#include "rank/metrics.h"
#include "rank/rankers/ranker.h"
#include "rank/ranks.h"

namespace greenkgc {
namespace {

constexpr std::uint32_t kEvaluationSampleStream = 6;

Split split_of(const std::string& name) {
  for (const Split split : kAllSplits) {
    if (name == split_name(split)) return split;
  }
  throw Error(ErrorCode::kUsage, fmt::format("there is no split {}", name));
}

// Tail and head query of each fact, or of a sample of them.
std::vector<rank::RankQuery> queries_of(std::span<const Triple> facts, std::uint64_t sample,
                                        std::uint64_t seed) {
  std::vector<rank::RankQuery> queries;
  const bool all = sample == 0 || sample >= facts.size();
  const std::uint64_t count = all ? facts.size() : sample;
  queries.reserve(2 * count);
  const Permutation order(std::max<std::uint64_t>(1, facts.size()),
                          CounterRandom(seed, kEvaluationSampleStream), 0);
  for (std::uint64_t i = 0; i < count; ++i) {
    const Triple& fact = facts[all ? i : order(i)];
    queries.push_back(rank::tail_query(fact));
    queries.push_back(rank::head_query(fact));
  }
  return queries;
}

// Options of one task that are given to the other would do nothing.
void check_task(const EvaluateOptions& options) {
  const EvaluateOptions defaults;
  const bool completes = options.task == "completion";
  for (const OptionSpec& spec : option_specs<EvaluateOptions>()) {
    const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
      return std::find(names.begin(), names.end(), spec.name) != names.end();
    };
    const bool other_task = completes
                                ? is_one_of({"protocol", "self_answers", "sample", "calibration_sample"})
                                : is_one_of({"sample_heads"});
    if (other_task && spec.get(&options) != spec.get(&defaults))
      throw Error(ErrorCode::kUsage,
                  fmt::format("{} is an option of the other task: leave it out, or use task "
                              "{}",
                              spec.name, completes ? "ranking" : "completion"));
  }
}

// Whether facts come from the data that a model was trained on, or are others in its labels.
enum class Facts { kOfTraining, kOthers };

// By what the file holds: embeddings, features, or a model. Notes time, and what there is to say of a model.
std::vector<rank::Ranks> ranks_by(const std::filesystem::path& model, const graph::Dataset& data,
                                  std::span<const rank::RankQuery> queries,
                                  const rank::Candidates& candidates, const EvaluateOptions& options,
                                  Facts whose, const Context& context, Evaluation& evaluation) {
  const auto timed = [&](const auto& rank_queries) {
    const auto start = Clock::now();
    auto ranks = rank_queries();
    evaluation.inference_seconds = seconds_since(start);
    return ranks;
  };
  if (model::holds_model(model)) {
    const model::NamedDecisions named = rank::open_model_of(model, data);
    if (whose == Facts::kOfTraining) {
      graph::warn_of_other_data(model.string(), named.provenance, data, context);
      const auto facts = named.provenance.find("facts");
      if (facts != named.provenance.end() && facts->second == "all")
        context.say(
            LogLevel::kWarning,
            "the model knows all facts of these data, so the figures will be too optimistic; evaluate "
            "measured.gkgc of the same run instead");
    }
    evaluation.model = rank::plan_ranking(model, named, data, queries.size(), context);
    if (named.second) {
      evaluation.labels = named.second->labels;
      evaluation.links = named.second->links;
    }
    const auto ranker = rank::make_ranker(named, context);
    auto ranks = timed([&] { return ranker->ranks(queries, candidates, context); });
    // Facts that are evidence are judged one by one, each as if it were not known; not all at once.
    const bool all_at_once = ranker->evidence() == nullptr || options.split != "train";
    if (options.calibration_sample > 0 && all_at_once) {
      const auto sample =
          std::min<std::uint64_t>(static_cast<std::uint64_t>(options.calibration_sample), queries.size());
      evaluation.calibration =
          rank::check_calibration(*ranker, data, split_of(options.split), sample, context);
    }
    return ranks;
  }
  const auto arranged_rows = [&](auto named) {
    graph::warn_of_other_data(model.string(), named.provenance, data, context);
    return arranged(std::move(named), data.entities, data.relations);
  };
  const auto ranks_of = [&](const auto& rows) {
    return timed([&] { return rank::rank_answers(rows, queries, candidates, context); });
  };
  if (features::holds_features(model)) return ranks_of(arranged_rows(features::read_features(model)));
  return ranks_of(arranged_rows(kge::read_embeddings(model)));
}

struct SideSums {
  rank::MetricSum both;
  rank::MetricSum head;
  rank::MetricSum tail;

  void add(const rank::Rank& rank, graph::Side side) {
    both.add(rank);
    (side == graph::Side::kHead ? head : tail).add(rank);
  }
  SideMetrics mean() const { return {both.mean(), head.mean(), tail.mean()}; }
};

Evaluation complete_facts(const graph::Dataset& data, const std::filesystem::path& path,
                          const EvaluateOptions& options, Facts whose, const Context& context) {
  if (!model::holds_model(path))
    throw Error(ErrorCode::kUsage,
                fmt::format("{}: only models can complete a graph, not embeddings or features; `greenkgc "
                            "train` makes one",
                            path.string()));
  const auto start = Clock::now();
  const Model model = Model::open(path);
  if (whose == Facts::kOfTraining)
    graph::warn_of_other_data(path.string(), model.impl().provenance, data, context);
  const HeadSample sample = sample_heads(model, static_cast<std::uint64_t>(options.sample_heads), context);
  Evaluation evaluation;
  evaluation.completion = evaluate_completion(model, data, split_of(options.split), sample, context);
  if (evaluation.completion->all.hidden == 0)
    throw Error(
        ErrorCode::kUsage,
        fmt::format("{} knows all {} facts{}, so there is nothing for it to find; evaluate "
                    "measured.gkgc of the same run, or a model trained with --final=false, on the test "
                    "split",
                    path.string(), options.split,
                    sample.all() ? "" : " of the sampled heads, if there are any"));
  evaluation.split = options.split;
  evaluation.seconds = seconds_since(start);
  return evaluation;
}

Evaluation rank_facts(EvaluationGround& ground, const std::filesystem::path& model,
                      const EvaluateOptions& options, Facts whose, const Context& context) {
  const auto start = Clock::now();
  const graph::Dataset& data = ground.data();
  const rank::Protocol protocol = rank::parse_protocol(options.protocol);
  const auto& facts = data[split_of(options.split)].triples;
  const auto queries = queries_of(facts, static_cast<std::uint64_t>(options.sample), context.seed);
  const bool uses_ranges = protocol == rank::Protocol::kRange || protocol == rank::Protocol::kPaper;
  Evaluation evaluation;
  const auto ranks = ranks_by(model, data, queries,
                              {.known = protocol == rank::Protocol::kRaw ? nullptr : &ground.known(context),
                               .ranges = uses_ranges ? &ground.ranges() : nullptr,
                               .self = options.self_answers},
                              options, whose, context, evaluation);

  SideSums all;
  std::map<RelationId, SideSums> by_relation;
  std::array<SideSums, 4> by_category;
  const auto& categories = ground.categories(context);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const rank::Rank rank = rank_under(protocol, ranks[i]);
    const rank::RankQuery& query = queries[i];
    all.add(rank, query.side);
    by_relation[query.relation].add(rank, query.side);
    by_category[static_cast<std::size_t>(categories[index(query.relation)])].add(rank, query.side);
  }

  evaluation.protocol = options.protocol;
  evaluation.self_answers = options.self_answers;
  evaluation.split = options.split;
  evaluation.sides = all.mean();
  for (std::size_t c = 0; c < by_category.size(); ++c) evaluation.categories[c] = by_category[c].mean();
  for (const auto& [relation, sums] : by_relation) evaluation.relations.push_back({relation, sums.mean()});
  evaluation.seconds = seconds_since(start);
  return evaluation;
}

Evaluation evaluate_facts(EvaluationGround& ground, const std::filesystem::path& model,
                          const EvaluateOptions& options, Facts whose, const Context& context) {
  if (ground.data()[split_of(options.split)].triples.empty())
    throw Error(ErrorCode::kBadInput, fmt::format("the data have no {} facts", options.split));
  if (options.task == "completion") return complete_facts(ground.data(), model, options, whose, context);
  return rank_facts(ground, model, options, whose, context);
}

// Of facts that are matched to the model by label.
Evaluation evaluate_others(const model::NamedDecisions& named, const graph::Dataset& data,
                           const std::filesystem::path& model, EvaluateOptions options,
                           const Context& context) {
  const bool all = !data.single_file.empty();
  const std::string split = all ? "all" : options.split;
  if (all && options.split != EvaluateOptions{}.split)
    throw Error(ErrorCode::kUsage, fmt::format("{} has other labels than the data that the model was trained "
                                               "on, so all of its facts are ranked; leave out --split {}",
                                               data.single_file, options.split));
  const bool needs_ranges = options.protocol == "range" || options.protocol == "paper";
  if (needs_ranges && all && named.facts.empty())
    throw Error(
        ErrorCode::kUsage,
        fmt::format("--protocol {} needs training facts, but the model holds none; use --protocol filtered",
                    options.protocol));
  rank::Relabeled relabeled = rank::in_labels_of(
      named, data, {.split = split_of(options.split), .skip_unknown = options.skip_unknown});
  const std::size_t count = relabeled.data[Split::kTest].triples.size();
  if (count > 0)
    context.say(LogLevel::kInfo, fmt::format("{} matched to the model by label", count_of(count, "fact")));
  if (relabeled.skipped > 0)
    context.say(LogLevel::kWarning, fmt::format("{} skipped because the model does not know their labels",
                                                count_of(relabeled.skipped, "fact")));
  if (relabeled.held > 0 && options.task == "ranking")
    context.say(LogLevel::kWarning,
                fmt::format("the model was trained on {} of them, so the figures will be too optimistic",
                            with_commas(relabeled.held)));
  if (named.facts.empty())
    context.say(LogLevel::kWarning,
                "the model holds no facts, so only the answers in these data are known and left out");
  options.split = "test";
  EvaluationGround ground(relabeled.data);
  Evaluation evaluation = evaluate_facts(ground, model, options, Facts::kOthers, context);
  evaluation.split = split;
  evaluation.skipped = relabeled.skipped;
  for (RelationMetrics& metrics : evaluation.relations)
    metrics.relation = relabeled.given_relations[index(metrics.relation)];
  std::sort(evaluation.relations.begin(), evaluation.relations.end(),
            [](const RelationMetrics& a, const RelationMetrics& b) { return a.relation < b.relation; });
  if (evaluation.completion) evaluation.completion->split = split;
  return evaluation;
}

}  // namespace

const graph::KnownFacts& EvaluationGround::known(const Context& context) {
  if (!known_) {
    const std::array<std::span<const Triple>, 3> parts = {
        data_[Split::kTrain].triples, data_[Split::kValid].triples, data_[Split::kTest].triples};
    known_.emplace(parts, data_.entities.size(), context);
  }
  return *known_;
}

const graph::RelationRanges& EvaluationGround::ranges() {
  if (!ranges_) ranges_.emplace(data_[Split::kTrain].triples, data_.relations.size());
  return *ranges_;
}

const std::vector<RelationCategory>& EvaluationGround::categories(const Context& context) {
  if (categories_.empty()) {
    for (const RelationStats& relation : graph::statistics(data_, context).by_relation)
      categories_.push_back(relation.category);
  }
  return categories_;
}

Evaluation evaluate(const Dataset& dataset, const std::filesystem::path& model,
                    const EvaluateOptions& options, const Context& context) {
  EvaluationGround ground(dataset.impl());
  return evaluate(ground, model, options, context);
}

Evaluation evaluate(EvaluationGround& ground, const std::filesystem::path& model,
                    const EvaluateOptions& options, const Context& context) {
  check_task(options);
  if (model::holds_model(model)) {
    const model::NamedDecisions named = model::read_model(model);
    if (!rank::has_labels_of(named, ground.data()))
      return evaluate_others(named, ground.data(), model, options, context);
  }
  return evaluate_facts(ground, model, options, Facts::kOfTraining, context);
}

}  // namespace greenkgc
