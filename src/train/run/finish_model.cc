#include "train/run/finish_model.h"

#include <algorithm>
#include <array>
#include <vector>

#include "greenkgc/error.h"
#include "rank/evaluate/evaluate_model.h"
#include "rank/rankers/two_stage_ranker.h"
#include "train/negatives/known_negatives.h"
#include "train/rerank/evidence_sources.h"
#include "train/rerank/match_offset.h"

namespace greenkgc {
namespace {

std::vector<Triple> all_facts(const graph::Dataset& data) {
  std::vector<Triple> facts;
  for (const Split split : {Split::kTrain, Split::kValid, Split::kTest})
    facts.insert(facts.end(), data[split].triples.begin(), data[split].triples.end());
  std::sort(facts.begin(), facts.end());
  facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
  return facts;
}

}  // namespace

void finish_model(const graph::Dataset& data, const std::filesystem::path& measured,
                  const std::filesystem::path& out, std::span<const std::string> negative_files,
                  const Context& context) {
  model::NamedDecisions named = rank::open_model_of(measured, data);
  if (named.facts.empty())
    throw Error(ErrorCode::kBadInput, measured.string() + ": stores no facts, so none can be added to it");
  const std::vector<Triple> facts = all_facts(data);
  if (named.decisions.has_base()) named.decisions.counts = {facts, data.relations.size()};
  if (named.second) {
    const EvidenceSources evidence(facts, data, named.second->links, context);
    named.second->rules = rank::stored_rules(evidence.rules);
    named.second->walks.assign(evidence.walks.all().begin(), evidence.walks.all().end());
    named.second->evidence.assign(facts.size(), 1);
    if (!named.second->facts.empty()) {
      const rank::TwoStageRanker ranker(named.decisions, *named.second, facts, context);
      named.second->facts.offset = matched_offset(ranker, context);
    }
  }
  kge::Provenance provenance = named.provenance;
  provenance["facts"] = "all";
  const std::vector<Triple> negatives = known_negatives(data, kSplitsOfFinalModel, negative_files, context);
  model::write_model(out, {named.decisions, data.entities, data.relations, facts, provenance,
                           named.second ? &*named.second : nullptr, negatives});
}

}  // namespace greenkgc
