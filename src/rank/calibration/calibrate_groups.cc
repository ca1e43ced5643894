#include "rank/calibration/calibrate_groups.h"

#include <algorithm>
#include <array>

#include "base/permutation.h"
#include "base/random.h"
#include "rank/calibration/calibrate.h"
#include "rank/calibration/counted_margins.h"
#include "rank/ranks.h"

namespace greenkgc::rank {
namespace {

constexpr std::uint32_t kSampleStream = 7;
// Over all groups: on two cores, some minutes with 1,200 trees each.
constexpr std::uint64_t kMostMargins = 4'000'000'000;
// With fewer, a curve of two parameters is nearer to the truth than one that follows each fact.
constexpr std::uint64_t kFactsForIsotonic = 300;

graph::KnownFacts index_of(std::span<const Triple> facts, const graph::Dataset& data,
                           const Context& context) {
  return {std::array<std::span<const Triple>, 1>{facts}, data.entities.size(), context};
}

// So many that all groups together stay within kMostMargins, but twenty in any case.
std::uint64_t most_questions(std::uint64_t asked, const model::Decisions& decisions) {
  const std::uint64_t margins_of_one =
      std::max<std::uint64_t>(1, std::uint64_t{decisions.tables.entities.rows()} * decisions.groups.size());
  return std::min(asked, std::max<std::uint64_t>(20, kMostMargins / margins_of_one));
}

std::vector<std::vector<rank::Query>> questions_by_group(const graph::Dataset& data,
                                                         const graph::KnownFacts& train,
                                                         const model::Decisions& decisions,
                                                         std::uint64_t most, const Context& context) {
  std::vector<std::vector<Triple>> facts(decisions.groups.size());
  for (const Triple& fact : data[Split::kValid].triples) {
    if (!train.contains(fact)) facts[decisions.group_of[index(fact.relation)]].push_back(fact);
  }
  std::vector<std::vector<rank::Query>> groups;
  groups.reserve(facts.size());
  for (const auto& own : facts) groups.push_back(sample_questions(own, most, context));
  return groups;
}

model::Calibration fit(const std::string& method, std::span<const rank::CountedMargin> samples) {
  const bool isotonic =
      method == "isotonic" || (method == "auto" && rank::positives_in(samples) >= kFactsForIsotonic);
  return isotonic ? rank::fit_isotonic(samples) : rank::fit_platt(samples);
}

}  // namespace

std::vector<rank::Query> sample_questions(std::span<const Triple> facts, std::uint64_t most,
                                          const Context& context) {
  std::vector<rank::Query> all;
  for (const Triple& fact : facts) {
    all.push_back(rank::tail_query(fact).query());
    all.push_back(rank::head_query(fact).query());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (all.size() <= most) return all;
  std::vector<rank::Query> sample;
  const Permutation order(all.size(), CounterRandom(context.seed, kSampleStream), 0);
  for (std::uint64_t i = 0; i < most; ++i) sample.push_back(all[order(i)]);
  return sample;
}

void calibrate(const graph::Dataset& data, const CalibrationPlan& plan, model::Decisions& decisions,
               const Context& context) {
  if (plan.method == "none") return;
  if (plan.questions == 0) {
    context.say(LogLevel::kInfo,
                "probabilities are not calibrated, because --valid-sample 0 leaves no validation facts: they "
                "are the logistic function of the scores");
    return;
  }
  const graph::KnownFacts train = index_of(data[Split::kTrain].triples, data, context);
  const graph::KnownFacts valid = index_of(data[Split::kValid].triples, data, context);
  const auto questions =
      questions_by_group(data, train, decisions, most_questions(plan.questions, decisions), context);
  std::vector<std::vector<rank::CountedMargin>> samples;
  samples.reserve(questions.size());
  for (const auto& own : questions)
    samples.push_back(rank::count_margins(decisions, own, {valid, train}, context));

  const auto all = rank::merged(samples);
  if (rank::positives_in(all) == 0) {
    context.say(LogLevel::kInfo,
                "probabilities are not calibrated, because there are no validation facts: they are the "
                "logistic function of the scores");
    return;
  }
  for (std::size_t g = 0; g < samples.size(); ++g)
    decisions.groups[g].calibration = fit(plan.method, samples[g].empty() ? all : samples[g]);
}

}  // namespace greenkgc::rank
