#include "rank/two_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "base/progress.h"
#include "graph/known_facts.h"
#include "greenkgc/error.h"
#include "kernels/parallel.h"
#include "rank/candidate_counts.h"

namespace greenkgc::rank {
namespace {

constexpr float kHighest = std::numeric_limits<float>::max();
constexpr std::size_t kRowsPerPiece = 64;
constexpr std::size_t kMostJudged = 256;  // known answers of a question, each at the cost of a question

structure::EvidenceGraph graph_of(std::span<const Triple> facts, std::span<const std::uint8_t> evidence,
                                  const model::Decisions& decisions, const Context& context) {
  std::vector<Triple> read;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (evidence[i] != 0) read.push_back(facts[i]);
  }
  const std::uint32_t entities = decisions.tables.entities.rows();
  const std::array<std::span<const Triple>, 1> parts = {read};
  return {graph::KnownFacts(parts, entities, context), entities, decisions.tables.relations.rows(), context};
}

structure::ListOptions list_options(const model::SecondStage& stage) {
  return {.size = stage.list_size,
          .first_stage = stage.first_best,
          .links = stage.links,
          .features = stage.trees.features};
}

void check_features(const model::SecondStage& stage) {
  const auto own = structure::EvidenceReader::feature_names(list_options(stage));
  if (own == stage.trees.features) return;
  const auto differ =
      std::mismatch(own.begin(), own.end(), stage.trees.features.begin(), stage.trees.features.end());
  const bool lacks = differ.second != stage.trees.features.end();
  throw Error(ErrorCode::kUnsupported,
              fmt::format("the model's second stage was trained with a different set of evidence features "
                          "than this version has ({} features instead of {}{}); train it again",
                          stage.trees.features.size(), own.size(),
                          lacks ? ", the first difference is " + *differ.second : ""));
}

// The rank of an answer given both stages' margins.
class ListRanks {
 public:
  ListRanks(std::span<const float> first, std::span<const EntityId> listed, std::span<const float> margins)
      : first_(first), listed_(listed), margins_(margins) {}

  Ranks rank(const RankQuery& query, const Candidates& candidates) {
    const auto found = std::find(listed_.begin(), listed_.end(), query.answer);
    float answer;
    if (found == listed_.end()) {
      scores_.assign(first_.begin(), first_.end());
      for (const EntityId entity : listed_) scores_[index(entity)] = kHighest;
      answer = first_[index(query.answer)];
    } else {
      scores_.assign(first_.size(), -kHighest);
      for (std::size_t i = 0; i < listed_.size(); ++i) scores_[index(listed_[i])] = margins_[i];
      answer = margins_[static_cast<std::size_t>(found - listed_.begin())];
    }
    CandidateCounter counter(query, candidates);
    Ranks ranks;
    ranks.answer_in_range = counter.answer_in_range();
    counter.count(
        0, scores_, {answer, answer}, [](std::size_t, Rank& rank) { ++rank.equal; }, ranks);
    return ranks;
  }

 private:
  std::span<const float> first_;
  std::span<const EntityId> listed_;
  std::span<const float> margins_;
  std::vector<float> scores_;
};

// Both stages' margins of a question's candidates, as one scale.
class JoinedMargins {
 public:
  JoinedMargins(std::span<const float> first, std::span<const EntityId> listed,
                std::span<const float> margins)
      : first_(first), listed_(first.size()) {
    for (const EntityId entity : listed) listed_[index(entity)] = true;
    if (listed.empty()) return;
    float highest = -kHighest;
    for (std::size_t e = 0; e < first.size(); ++e) {
      if (!listed_[e]) highest = std::max(highest, first[e]);
    }
    lowest_ = *std::min_element(margins.begin(), margins.end());
    lowered_ = lowest_ - highest;
  }

  bool is_listed(EntityId entity) const { return listed_[index(entity)]; }
  // Of one that is not in the list.
  float behind(EntityId entity) const { return std::min(first_[index(entity)] + lowered_, lowest_); }

 private:
  std::span<const float> first_;
  std::vector<bool> listed_;
  float lowest_ = kHighest;  // of the list; rounding must lift nothing above it
  float lowered_ = 0;        // what is added behind the list
};

// The best k of those that are not left out.
std::vector<Answer> best_of(const JoinedMargins& joined, const structure::EvidenceReader::List& list,
                            std::span<const float> margins, const std::vector<bool>& left_out,
                            std::size_t k) {
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < margins.size(); ++i) {
    if (!left_out[index(list.entities[i])]) answers.push_back({list.entities[i], margins[i]});
  }
  std::sort(answers.begin(), answers.end(), is_better);
  if (answers.size() < k) {
    std::vector<Answer> rest;
    for (std::uint32_t e = 0; e < left_out.size(); ++e) {
      if (!left_out[e] && !joined.is_listed(EntityId{e}))
        rest.push_back({EntityId{e}, joined.behind(EntityId{e})});
    }
    const auto last = rest.begin() + static_cast<std::ptrdiff_t>(std::min(k - answers.size(), rest.size()));
    std::partial_sort(rest.begin(), last, rest.end(), is_better);
    answers.insert(answers.end(), rest.begin(), last);
  }
  answers.resize(std::min(answers.size(), k));
  return answers;
}

// Answers that are evidence, best first by the first stage: as many as may be among the k best.
std::vector<EntityId> best_evident(const structure::EvidenceGraph& graph, const Query& query,
                                   std::span<const float> first, std::size_t k) {
  const auto members = graph.members(query.known, structure::towards(query.relation, query.side));
  std::vector<Answer> evident;
  for (const EntityId id : members) {
    if (id != query.left_out) evident.push_back({id, first[index(id)]});
  }
  const std::size_t kept = std::min({evident.size(), k, kMostJudged});
  std::partial_sort(evident.begin(), evident.begin() + static_cast<std::ptrdiff_t>(kept), evident.end(),
                    is_better);
  std::vector<EntityId> best;
  for (std::size_t i = 0; i < kept; ++i) best.push_back(evident[i].entity);
  return best;
}

// Puts such answers among the others, each as if it were not known.
void add_judged(const TwoStage& model, std::span<const Query> questions,
                std::span<const std::vector<EntityId>> judged, std::size_t k,
                std::span<std::vector<Answer>> answers, const Context& context) {
  std::vector<RankQuery> asked;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const Query& query = questions[i];
    for (const EntityId id : judged[i]) asked.push_back({query.known, query.relation, id, query.side});
  }
  const std::vector<float> margins = margins_of(model, asked, context);
  std::size_t next = 0;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    for (const EntityId id : judged[i]) answers[i].push_back({id, margins[next++]});
    std::sort(answers[i].begin(), answers[i].end(), is_better);
    answers[i].resize(std::min(answers[i].size(), k));
  }
}

}  // namespace

structure::RuleSet rule_set(std::span<const model::PathRule> rules, std::uint32_t relations) {
  std::vector<structure::Rule> all;
  for (const model::PathRule& rule : rules) {
    structure::Rule own{.head = rule.head, .length = rule.length};
    for (std::size_t i = 0; i < own.body.size(); ++i)
      own.body[i] = structure::DirectedRelation{rule.steps[i]};
    own.from_known = {rule.pairs[0], rule.facts[0]};
    own.from_answer = {rule.pairs[1], rule.facts[1]};
    all.push_back(own);
  }
  return {std::move(all), relations};
}

std::vector<model::PathRule> stored_rules(const structure::RuleSet& rules) {
  std::vector<model::PathRule> all;
  for (const structure::Rule& rule : rules.all()) {
    model::PathRule stored{.head = rule.head, .length = rule.length};
    for (std::size_t i = 0; i < rule.body.size(); ++i) stored.steps[i] = index(rule.body[i]);
    stored.pairs = {rule.from_known.pairs, rule.from_answer.pairs};
    stored.facts = {rule.from_known.facts, rule.from_answer.facts};
    all.push_back(stored);
  }
  return all;
}

TwoStage::TwoStage(const model::Decisions& decisions, const model::SecondStage& stage,
                   std::span<const Triple> facts, const Context& context)
    : graph_(graph_of(facts, stage.evidence, decisions, context)),
      rules_(rule_set(stage.rules, decisions.tables.relations.rows())),
      walks_(stage.walks, 2 * decisions.tables.relations.rows()),
      lists_(decisions, {.graph = &graph_, .rules = &rules_, .walks = &walks_}, list_options(stage)),
      scorer_(stage.trees),
      on_first_(stage.on_first) {
  check_features(stage);
}

void TwoStage::score(const structure::EvidenceReader::List& list, std::vector<float>& margins,
                     const Context& context) const {
  if (on_first_)
    margins = list.first;
  else
    margins.assign(list.entities.size(), 0.0F);
  parallel_for(context, margins.size(), kRowsPerPiece, [&](std::size_t begin, std::size_t end) {
    scorer_.add_values(std::span(list.rows).subspan(begin * scorer_.features()),
                       std::span(margins).subspan(begin, end - begin));
  });
}

std::vector<Ranks> rank_answers(const TwoStage& model, std::span<const RankQuery> queries,
                                const Candidates& candidates, const Context& context) {
  std::vector<Query> questions;
  for (const RankQuery& query : queries) questions.push_back(model.lists().query_for(query));
  // Queries with the same question share its list.
  std::vector<std::size_t> order(queries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return questions[a] < questions[b]; });
  std::vector<Query> asked;
  std::vector<std::size_t> firsts;  // in order, of each asked question
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (!asked.empty() && asked.back() == questions[order[i]]) continue;
    asked.push_back(questions[order[i]]);
    firsts.push_back(i);
  }
  firsts.push_back(order.size());

  std::vector<Ranks> ranks(queries.size());
  ProgressTask progress(context, "ranking answers", asked.size(), "questions");
  model.lists().read(
      asked,
      [&](std::size_t i, std::span<const float> first, const structure::EvidenceReader::List& list) {
        std::vector<float> margins;
        model.score(list, margins);
        ListRanks own(first, list.entities, margins);
        for (std::size_t k = firsts[i]; k < firsts[i + 1]; ++k)
          ranks[order[k]] = own.rank(queries[order[k]], candidates);
        progress.advance(1);
      },
      context);
  return ranks;
}

std::vector<std::vector<Answer>> top_answers(const TwoStage& model, std::span<const Query> questions,
                                             const TopOptions& options, const Context& context) {
  std::vector<std::vector<Answer>> answers(questions.size());
  std::vector<std::vector<EntityId>> judged(questions.size());
  Context scoring = context;  // where there are several questions, they are what threads share
  if (questions.size() > 1) scoring.threads = 1;
  model.lists().read(
      questions,
      [&](std::size_t i, std::span<const float> first, const structure::EvidenceReader::List& list) {
        std::vector<float> margins;
        model.score(list, margins, scoring);
        std::vector<bool> left_out(first.size());
        const Query& query = questions[i];
        if (options.known != nullptr) {
          for (const EntityId id : known_answers(*options.known, query))
            left_out[index(id)] = id != questions[i].left_out;
        } else {
          judged[i] = best_evident(model.lists().graph(), questions[i], first, options.k);
          for (const EntityId id : judged[i]) left_out[index(id)] = true;
        }
        const JoinedMargins joined(first, list.entities, margins);
        answers[i] = best_of(joined, list, margins, left_out, options.k);
      },
      context);
  if (options.known == nullptr) add_judged(model, questions, judged, options.k, answers, context);
  return answers;
}

void read_margins(const TwoStage& model, std::span<const Query> queries, const TakeMargins& take,
                  const Context& context) {
  model.lists().read(
      queries,
      [&](std::size_t i, std::span<const float> first, const structure::EvidenceReader::List& list) {
        std::vector<float> margins;
        model.score(list, margins);
        const JoinedMargins joined(first, list.entities, margins);
        std::vector<float> all(first.size());
        for (std::uint32_t e = 0; e < all.size(); ++e) all[e] = joined.behind(EntityId{e});
        for (std::size_t j = 0; j < margins.size(); ++j) all[index(list.entities[j])] = margins[j];
        take(i, all);
      },
      context);
}

std::vector<float> margins_of(const TwoStage& model, std::span<const RankQuery> queries,
                              const Context& context) {
  std::vector<Query> questions;
  for (const RankQuery& query : queries) questions.push_back(model.lists().query_for(query));
  std::vector<float> all(queries.size());
  model.lists().read(
      questions,
      [&](std::size_t i, std::span<const float> first, const structure::EvidenceReader::List& list) {
        std::vector<float> margins;
        model.score(list, margins);
        const auto found = std::find(list.entities.begin(), list.entities.end(), queries[i].answer);
        all[i] = found != list.entities.end()
                     ? margins[static_cast<std::size_t>(found - list.entities.begin())]
                     : JoinedMargins(first, list.entities, margins).behind(queries[i].answer);
      },
      context);
  return all;
}

std::vector<float> margins_of(const TwoStage& model, std::span<const Triple> facts, const Context& context) {
  return margins_of(model, tail_queries(facts), context);
}

}  // namespace greenkgc::rank
