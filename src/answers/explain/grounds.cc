#include "answers/explain/grounds.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <set>

#include "answers/check_ids.h"
#include "answers/explain/evidence_sentences.h"
#include "graph/known_facts.h"
#include "greenkgc/complete.h"
#include "model/model_file.h"
#include "rank/rankers/evidence_lists.h"
#include "rank/rankers/ranker.h"

namespace greenkgc::answers {
namespace {

using evidence::AttributeWitness;
using evidence::RuleCounts;

constexpr std::size_t kMostRivals = 3;
constexpr double kNearlyAll = 0.8;  // heads with one tail, for a second one to be unlikely

double share(const RuleCounts& counts) {
  return counts.pairs == 0 ? 0 : static_cast<double>(counts.facts) / counts.pairs;
}

// Evidence for the answers to one query (h, r, ?) at a time.
class EvidenceFinder {
 public:
  EvidenceFinder(const Model& model, const rank::EvidenceLists& lists)
      : rules_(*lists.sources().rules),
        links_(model.impl().second->links),
        view_(lists.graph()),
        mirrored_(lists.graph()),
        words_(model, view_) {}

  // Cheapest if the relation is that of the query before.
  void set(const graph::Query& query) { view_.set(query); }

  const evidence::QuestionView& view() const { return view_; }
  const EvidenceSentences& words() const { return words_; }

  // The most confident first.
  std::vector<Evidence> find(EntityId tail) {
    found_.clear();
    add_paths(tail);
    add_attributes(tail);
    add_mirrored(tail);
    std::ranges::stable_sort(found_, std::greater<>(), &Evidence::confidence);
    return std::move(found_);
  }

 private:
  void add(EvidenceKind kind, const RuleCounts& counts, bool sampled, std::vector<Triple> facts,
           std::string sentence) {
    found_.push_back({kind, counts.facts, counts.pairs, sampled,
                      static_cast<double>(evidence::confidence(counts)), std::move(facts),
                      std::move(sentence)});
  }

  // Of rules that take the same way, as those over a relation and over its inverse, only the best is said.
  void add_paths(EntityId tail) {
    const double base = share(base_counts(view_, tail));
    std::set<std::vector<EntityId>> ways;
    for (const auto& witness : path_witnesses(view_, rules_, links_, tail)) {
      if (share(witness.counts) <= base || !ways.insert(witness.way).second) continue;
      std::vector<Triple> facts;
      for (std::size_t i = 0; i < witness.body.size(); ++i)
        facts.push_back(fact_of(witness.way[i], witness.body[i], witness.way[i + 1]));
      add(EvidenceKind::kPath, witness.counts, true, std::move(facts), words_.path(witness));
    }
  }

  void add_attributes(EntityId tail) {
    for (const AttributeWitness& witness : telling(view_, tail))
      add(EvidenceKind::kAttribute, witness.counts, witness.sampled, facts_of(view_, witness, tail),
          words_.attribute(witness, tail));
  }

  // Not for others than a left-out tail: a view leaves out no fact but those of its own known entity.
  void add_mirrored(EntityId tail) {
    const EntityId head = view_.known();
    const EntityId left_out = view_.query().left_out;
    if (left_out != kNoEntity && left_out != tail) return;
    mirrored_.set(
        evidence::query_along(tail, inverse(view_.relation()), left_out == tail ? head : kNoEntity));
    for (const AttributeWitness& witness : telling(mirrored_, head))
      add(EvidenceKind::kMirror, witness.counts, witness.sampled, facts_of(mirrored_, witness, head),
          words_.mirror(witness));
  }

  // Witnesses above the base rate, and of those that share something with the same entity only the best.
  static std::vector<AttributeWitness> telling(const evidence::QuestionView& view, EntityId answer) {
    const double base = share(base_counts(view, answer));
    std::set<EntityId> owners;
    std::vector<AttributeWitness> witnesses = attribute_witnesses(view, answer);
    std::erase_if(witnesses, [&](const AttributeWitness& witness) {
      return share(witness.counts) <= base || !owners.insert(view.graph().owner(witness.attribute)).second;
    });
    return witnesses;
  }

  static std::vector<Triple> facts_of(const evidence::QuestionView& view, const AttributeWitness& witness,
                                      EntityId answer) {
    const evidence::EvidenceGraph& graph = view.graph();
    const auto shared = [&](EntityId holder) {
      return fact_of(graph.owner(witness.attribute), graph.relation(witness.attribute), holder);
    };
    std::vector<Triple> facts = {shared(view.known())};
    for (const EntityId example : witness.examples) {
      facts.push_back(shared(example));
      facts.push_back(fact_of(example, view.relation(), answer));
    }
    return facts;
  }

  const evidence::RuleSet& rules_;
  const bool links_;
  evidence::QuestionView view_;
  evidence::QuestionView mirrored_;
  EvidenceSentences words_;
  std::vector<Evidence> found_;
};

std::vector<Rival> rivals_of(const Model& model, const Answer& answer, const graph::Query& query,
                             EvidenceFinder& finder, const Context& context) {
  const rank::TopOptions top{.k = kMostRivals + 1, .known = &model.known_facts(context)};
  const rank::Ranker& ranker = model.ranker(context);
  const std::vector<Answer> best = ranker.answers({&query, 1}, top, context)[0];
  std::vector<Rival> rivals;
  for (const Answer& other : best) {
    if (other.fact.tail == answer.fact.tail || rivals.size() == kMostRivals) continue;
    if (!rivals.empty() && other.margin <= answer.margin) break;
    Rival rival{other, {}};
    auto evidence = finder.find(other.fact.tail);
    if (!evidence.empty()) rival.evidence = std::move(evidence[0]);
    rivals.push_back(std::move(rival));
  }
  return rivals;
}

// A known fact with another tail, where nearly all heads have only one.
std::optional<std::string> known_instead(const Triple& fact, const graph::KnownFacts& known,
                                         const EvidenceFinder& finder) {
  const RuleCounts single = single_counts(finder.view());
  if (share(single) < kNearlyAll) return std::nullopt;
  for (const EntityId tail : known.tails(fact.head, fact.relation)) {
    if (tail != fact.tail) return finder.words().has_another({fact.head, fact.relation, tail}, single);
  }
  return std::nullopt;
}

std::vector<std::string> against(const Grounds& grounds, const Answer& answer, const graph::KnownFacts& known,
                                 bool is_known_false, const EvidenceFinder& finder) {
  const EvidenceSentences& words = finder.words();
  std::vector<std::string> sentences;
  if (is_known_false) sentences.push_back("the data say that it is false");
  if (grounds.evidence.empty()) sentences.push_back(EvidenceSentences::nothing_speaks_for_it());
  if (auto sentence = known_instead(answer.fact, known, finder)) sentences.push_back(std::move(*sentence));
  for (const Rival& rival : grounds.rivals) {
    const float margin = rival.answer.margin;
    sentences.push_back(margin > answer.margin    ? words.stands_above(rival)
                        : margin == answer.margin ? words.stands_level(rival)
                                                  : words.stands_next(rival));
  }
  return sentences;
}

}  // namespace

std::optional<Grounds> grounds_of(const Model& model, const Answer& answer, std::size_t most,
                                  const Context& context) {
  const rank::EvidenceLists* lists = model.ranker(context).evidence();
  if (lists == nullptr) return std::nullopt;
  const EntityId tail = answer.fact.tail;
  const graph::Query query = lists->query_for(rank::tail_query(answer.fact));
  EvidenceFinder finder(model, *lists);
  finder.set(query);
  Grounds grounds;
  grounds.evidence = finder.find(tail);
  grounds.base_rate = finder.words().base_rate(base_counts(finder.view(), tail), tail);
  grounds.rivals = rivals_of(model, answer, query, finder, context);
  const graph::KnownFacts& known = model.known_facts(context);
  const bool is_known_false = !known.contains(answer.fact) && model.not_new(context).contains(answer.fact);
  grounds.against = against(grounds, answer, known, is_known_false, finder);
  grounds.evidence.resize(std::min(most, grounds.evidence.size()));
  return grounds;
}

}  // namespace greenkgc::answers

namespace greenkgc {

std::vector<std::optional<Evidence>> best_evidence(const Model& model, std::span<const Triple> facts,
                                                   const Context& context) {
  for (const Triple& fact : facts) {
    check_id(model, fact.head);
    check_id(model, fact.relation);
    check_id(model, fact.tail);
  }
  std::vector<std::optional<Evidence>> best(facts.size());
  const rank::EvidenceLists* lists = model.ranker(context).evidence();
  if (lists == nullptr) return best;
  std::vector<std::size_t> order(facts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return index(facts[i].relation); });
  answers::EvidenceFinder finder(model, *lists);
  for (const std::size_t i : order) {
    context.check_cancelled();
    finder.set(lists->query_for(rank::tail_query(facts[i])));
    std::vector<Evidence> evidence = finder.find(facts[i].tail);
    if (!evidence.empty()) best[i] = std::move(evidence[0]);
  }
  return best;
}

}  // namespace greenkgc
