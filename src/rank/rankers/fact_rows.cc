#include "rank/rankers/fact_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace greenkgc::rank {
namespace {

using evidence::DirectedRelation;

constexpr std::size_t kOwnColumns = 14;  // before the evidence

// Known facts between two entities, the left-out one aside: from the first to the second, and back.
struct Links {
  float forward = 0;
  float back = 0;
};

Links links_between(const evidence::EvidenceGraph& graph, const Query& query, EntityId candidate) {
  const evidence::SlotRange slots = graph.slots(query.known);
  const auto own = index(evidence::towards(query.relation, query.side));
  Links links;
  for (std::uint32_t s = slots.first; s < slots.last; ++s) {
    const auto members = graph.members(evidence::Slot{s});
    if (!std::binary_search(members.begin(), members.end(), candidate)) continue;
    const auto relation = index(graph.relation(evidence::Slot{s}));
    if (relation == own && candidate == query.left_out) continue;
    ((relation ^ own) % 2 == 0 ? links.forward : links.back) += 1;
  }
  return links;
}

}  // namespace

std::vector<std::string> FactRows::names(std::span<const std::string> evidence) {
  std::vector<std::string> all = {
      "score",         "rank",          "share",        "above_next",    "below_best",
      "likely_known",  "likely_answer", "single_known", "single_answer", "known_of_answer",
      "links_forward", "links_back",    "odds_known",   "odds_answer"};
  all.insert(all.end(), evidence.begin(), evidence.end());
  return all;
}

std::vector<std::string> FactRows::query_names() {
  return {"likely_known", "known_answers", "known_degree", "facts",
          "knowns",       "answers",       "single_known", "odds_known"};
}

// Of the owners of a relation's slots, the share that has exactly one member.
float FactRows::single_share(const Query& query, DirectedRelation relation, EntityId left_out_owner) const {
  auto owners = static_cast<float>(graph_.slots_of(relation).size());
  auto single = static_cast<float>(profiles_.single(relation));
  if (query.left_out != kNoEntity) {
    const evidence::Slot slot = graph_.find(left_out_owner, relation);
    const std::uint32_t size = slot == evidence::kNoSlot ? 0 : graph_.size(slot);
    if (size == 1) {
      --owners;
      --single;
    } else if (size == 2) {
      ++single;
    }
  }
  return owners > 0 ? single / owners : 0;
}

void FactRows::fill(const Query& query, const evidence::EvidenceReader::List& list,
                    std::span<const float> scores, std::span<const std::size_t> picks,
                    std::vector<float>& rows) const {
  const std::size_t count = scores.size();
  const std::size_t evidence = count == 0 ? 0 : list.rows.size() / count;
  const std::size_t width = kOwnColumns + evidence;
  rows.assign(picks.size() * width, 0.0F);
  if (count == 0) return;

  std::vector<float> sorted(scores.begin(), scores.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  const float best = sorted.front();
  const double total = std::accumulate(sorted.begin(), sorted.end(), 0.0, [&](double sum, float score) {
    return sum + std::exp(static_cast<double>(score - best));
  });
  const DirectedRelation forward = evidence::towards(query.relation, query.side);
  const DirectedRelation backward = evidence::inverse(forward);
  const float likely_known = profiles_.share(query.known, forward);
  const float odds_known = relation_odds_.log_odds(query.known, forward);
  const float single_known = single_share(query, forward, query.known);
  const float single_answer = single_share(query, backward, query.left_out);

  for (std::size_t i = 0; i < picks.size(); ++i) {
    const std::size_t place = picks[i];
    const EntityId candidate = list.entities[place];
    const float score = scores[place];
    const auto above = std::lower_bound(sorted.begin(), sorted.end(), score, std::greater<>());
    const auto next = std::upper_bound(above, sorted.end(), score, std::greater<>());
    const bool is_left_out = candidate == query.left_out;
    const evidence::Slot slot = graph_.find(candidate, backward);
    const std::uint32_t holders = slot == evidence::kNoSlot ? 0 : graph_.size(slot) - (is_left_out ? 1 : 0);
    float* row = rows.data() + i * width;
    row[0] = score;
    row[1] = static_cast<float>(above - sorted.begin());
    row[2] = static_cast<float>(std::exp(static_cast<double>(score - best)) / total);
    row[3] = next == sorted.end() ? 0 : score - *next;
    row[4] = best - score;
    row[5] = likely_known;
    row[6] = profiles_.share(candidate, backward);
    row[7] = single_known;
    row[8] = single_answer;
    row[9] = static_cast<float>(holders);
    const Links links = links_between(graph_, query, candidate);
    row[10] = links.forward;
    row[11] = links.back;
    row[12] = odds_known;
    row[13] = relation_odds_.log_odds(candidate, backward);
    std::copy_n(list.rows.begin() + static_cast<std::ptrdiff_t>(place * evidence), evidence,
                row + kOwnColumns);
  }
}

void FactRows::fill_query(const Query& query, std::vector<float>& row) const {
  const DirectedRelation forward = evidence::towards(query.relation, query.side);
  row = {profiles_.share(query.known, forward),
         static_cast<float>(graph_.members(query.known, forward).size()),
         static_cast<float>(graph_.degree(query.known)),
         static_cast<float>(graph_.fact_count(forward)),
         static_cast<float>(graph_.slots_of(forward).size()),
         static_cast<float>(graph_.slots_of(evidence::inverse(forward)).size()),
         single_share(query, forward, query.known),
         relation_odds_.log_odds(query.known, forward)};
}

}  // namespace greenkgc::rank
