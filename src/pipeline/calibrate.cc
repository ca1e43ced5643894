#include "pipeline/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "base/permutation.h"
#include "base/random.h"
#include "rank/calibrate.h"
#include "rank/counted_margins.h"

namespace greenkgc {
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

// By group, valid facts that train does not have; at most so many.
std::vector<std::vector<Triple>> facts_by_group(const graph::Dataset& data, const graph::KnownFacts& train,
                                                const model::Decisions& decisions, std::uint64_t most,
                                                const Context& context) {
  std::vector<std::vector<Triple>> groups(decisions.groups.size());
  const auto& valid = data[Split::kValid].triples;
  if (valid.empty()) return groups;
  const Permutation order(valid.size(), CounterRandom(context.seed, kSampleStream), 0);
  for (std::uint64_t i = 0; i < valid.size(); ++i) {
    const Triple& fact = valid[order(i)];
    auto& own = groups[decisions.group_of[index(fact.relation)]];
    if (own.size() < most && !train.contains(fact)) own.push_back(fact);
  }
  return groups;
}

// So many that all groups together stay within kMostMargins, but ten in any case.
std::uint64_t most_facts(std::uint64_t asked, const model::Decisions& decisions) {
  const std::uint64_t margins_of_fact = std::max<std::uint64_t>(
      1, std::uint64_t{2} * decisions.tables.entities.rows() * decisions.groups.size());
  return std::min(asked, std::max<std::uint64_t>(10, kMostMargins / margins_of_fact));
}

model::Calibration fit(const std::string& method, std::span<const rank::CountedMargin> samples) {
  const bool isotonic =
      method == "isotonic" || (method == "auto" && rank::positives_in(samples) >= kFactsForIsotonic);
  return isotonic ? rank::fit_isotonic(samples) : rank::fit_platt(samples);
}

}  // namespace

std::vector<rank::EntityQuery> questions_of(std::span<const Triple> facts) {
  std::vector<rank::EntityQuery> questions;
  std::set<std::tuple<EntityId, RelationId, rank::Side>> asked;
  const auto ask = [&](EntityId known, RelationId relation, rank::Side side) {
    if (asked.insert({known, relation, side}).second) questions.push_back({known, relation, side});
  };
  for (const Triple& fact : facts) {
    ask(fact.head, fact.relation, rank::Side::kTail);
    ask(fact.tail, fact.relation, rank::Side::kHead);
  }
  return questions;
}

void calibrate(const graph::Dataset& data, const CalibrationPlan& plan, model::Decisions& decisions,
               const Context& context) {
  if (plan.method == "none") return;
  const graph::KnownFacts train = index_of(data[Split::kTrain].triples, data, context);
  const graph::KnownFacts valid = index_of(data[Split::kValid].triples, data, context);
  const auto facts = facts_by_group(data, train, decisions, most_facts(plan.facts, decisions), context);
  std::vector<std::vector<rank::CountedMargin>> samples;
  for (const auto& own : facts)
    samples.push_back(rank::count_margins(decisions, questions_of(own), {valid, train}, context));

  const auto all = rank::merged(samples);
  if (rank::positives_in(all) == 0) {
    context.say(LogLevel::kInfo,
                "there are no validation facts to calibrate by: probabilities are the logistic function of "
                "margins");
    return;
  }
  for (std::size_t g = 0; g < samples.size(); ++g)
    decisions.groups[g].calibration = fit(plan.method, samples[g].empty() ? all : samples[g]);
}

}  // namespace greenkgc
