#include "rank/evaluate/evaluate_completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/files/step.h"
#include "base/text.h"
#include "graph/known_facts.h"
#include "model/model_file.h"
#include "rank/completion_quality.h"

namespace greenkgc {
namespace {

constexpr std::uint64_t kMinProposals = 20'000;
constexpr std::uint64_t kProposalsPerHidden = 4;

// The facts with heads of the sample that the model does not know, each once.
std::vector<Triple> hidden_facts(const Model& model, std::span<const Triple> facts, const HeadSample& sample,
                                 const Context& context) {
  std::vector<Triple> asked;
  std::copy_if(facts.begin(), facts.end(), std::back_inserter(asked),
               [&](const Triple& fact) { return sample.contains(fact.head); });
  std::sort(asked.begin(), asked.end());
  asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
  const std::size_t all = asked.size();
  const graph::KnownFacts& known = model.known_facts(context);
  std::erase_if(asked, [&](const Triple& fact) { return known.contains(fact); });
  if (!asked.empty() && asked.size() < all)
    context.say(LogLevel::kWarning, fmt::format("the model knows {} of the {}; they are not hidden from it",
                                                with_commas(all - asked.size()), count_of(all, "fact")));
  return asked;
}

graph::KnownFacts facts_of_others(const graph::Dataset& data, Split split, const Context& context) {
  std::vector<std::span<const Triple>> others;
  for (const Split other : {Split::kTrain, Split::kValid, Split::kTest}) {
    if (other != split) others.push_back(data[other].triples);
  }
  return {others, data.entities.size(), context};
}

}  // namespace

CompletionReport evaluate_completion(const Model& model, const graph::Dataset& data, Split split,
                                     const HeadSample& sample, const Context& context) {
  const auto start = Clock::now();
  const std::vector<Triple> hidden = hidden_facts(model, data[split].triples, sample, context);
  if (hidden.empty()) return {};
  const std::uint64_t top = std::max<std::uint64_t>(kMinProposals, kProposalsPerHidden * hidden.size());
  std::vector<Answer> proposals = propose(model, sample, top, context);
  const graph::KnownFacts others = facts_of_others(data, split, context);
  std::erase_if(proposals, [&](const Answer& answer) {
    return others.contains(answer.fact) && !std::binary_search(hidden.begin(), hidden.end(), answer.fact);
  });
  CompletionReport report = rank::judge_proposals(proposals, hidden, model.impl().facts.read());
  for (RelationCompletion& relation : report.relations) relation.label = model.label(relation.relation);
  report.split = split_name(split);
  report.sampled_heads = sample.heads.size();
  report.seconds = seconds_since(start);
  return report;
}

}  // namespace greenkgc
