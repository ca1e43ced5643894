#include "rank/rankers/two_stage_ranker.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "base/parallel.h"
#include "base/progress.h"
#include "graph/known_facts.h"
#include "greenkgc/error.h"
#include "rank/candidate_counts.h"
#include "rank/rankers/likely_queries.h"

namespace greenkgc::rank {
namespace {

using BestAnswers = TopK<ScoredEntity, graph::IsBetter>;

constexpr float kHighest = std::numeric_limits<float>::max();
constexpr std::size_t kRowsPerPiece = 64;
constexpr std::size_t kMaxJudged = 256;  // known answers of a query, each at the cost of a query

evidence::EvidenceGraph graph_of(std::span<const Triple> facts, std::span<const std::uint8_t> evidence,
                                 const model::Decisions& decisions, const Context& context) {
  std::vector<Triple> read;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (evidence[i] != 0) read.push_back(facts[i]);
  }
  const std::uint32_t entities = decisions.tables.entities.rows();
  const std::array<std::span<const Triple>, 1> parts = {read};
  return {graph::KnownFacts(parts, entities, context), entities, decisions.tables.relations.rows(), context};
}

void check_features(const model::SecondStage& stage) {
  const auto own = evidence::EvidenceReader::feature_names(list_options(stage));
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

void check_fact_features(const model::SecondStage& stage) {
  if (FactRows::names(stage.trees.features) == stage.facts.features &&
      FactRows::query_names() == stage.facts.query_features)
    return;
  throw Error(ErrorCode::kUnsupported,
              "the model's fact trees were trained with a different set of features than this version has; "
              "train it again");
}

// The rank of an answer given both stages' scores.
class ListRanks {
 public:
  ListRanks(std::span<const float> first, std::span<const EntityId> listed, std::span<const float> scores)
      : first_(first), listed_(listed), own_(scores) {}

  Ranks rank(const RankQuery& query, const Candidates& candidates) {
    const auto found = std::find(listed_.begin(), listed_.end(), query.answer);
    float answer;
    if (found == listed_.end()) {
      scores_.assign(first_.begin(), first_.end());
      for (const EntityId entity : listed_) scores_[index(entity)] = kHighest;
      answer = first_[index(query.answer)];
    } else {
      scores_.assign(first_.size(), -kHighest);
      for (std::size_t i = 0; i < listed_.size(); ++i) scores_[index(listed_[i])] = own_[i];
      answer = own_[static_cast<std::size_t>(found - listed_.begin())];
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
  std::span<const float> own_;
  std::vector<float> scores_;
};

// Both stages' scores of a query's candidates, as one scale.
class JoinedScores {
 public:
  JoinedScores(std::span<const float> first, std::span<const EntityId> listed, std::span<const float> scores)
      : first_(first), listed_(first.size()) {
    for (const EntityId entity : listed) listed_[index(entity)] = true;
    if (listed.empty()) return;
    float highest = -kHighest;
    for (std::size_t e = 0; e < first.size(); ++e) {
      if (!listed_[e]) highest = std::max(highest, first[e]);
    }
    lowest_ = *std::min_element(scores.begin(), scores.end());
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

// The best k of those that are not left out. The list comes first, so who is behind it matters only where it
// is shorter than k.
std::vector<ScoredEntity> best_of(const JoinedScores& joined, const evidence::EvidenceReader::List& list,
                                  std::span<const float> scores, const std::vector<bool>& left_out,
                                  std::size_t k) {
  BestAnswers listed(k);
  std::size_t count = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (left_out[index(list.entities[i])]) continue;
    listed.add({list.entities[i], scores[i]});
    ++count;
  }
  std::vector<ScoredEntity> answers = std::move(listed).sorted();
  if (count >= k) return answers;
  BestAnswers behind(k - count);
  for (std::uint32_t e = 0; e < left_out.size(); ++e) {
    if (!left_out[e] && !joined.is_listed(EntityId{e})) behind.add({EntityId{e}, joined.behind(EntityId{e})});
  }
  const auto& rest = behind.sorted();
  answers.insert(answers.end(), rest.begin(), rest.end());
  return answers;
}

// Answers that are evidence, best first by the first stage: as many as may be among the k best.
std::vector<EntityId> best_evident(const evidence::EvidenceGraph& graph, const Query& query,
                                   std::span<const float> first, std::size_t k) {
  BestAnswers evident(std::min(k, kMaxJudged));
  for (const EntityId id : graph.members(query.known, evidence::direction_of(query))) {
    if (id != query.left_out) evident.add({id, first[index(id)]});
  }
  std::vector<EntityId> best;
  for (const ScoredEntity& answer : evident.sorted()) best.push_back(answer.entity);
  return best;
}

}  // namespace

evidence::ListOptions list_options(const model::SecondStage& stage) {
  return {.size = stage.list_size,
          .first_stage = stage.first_best,
          .links = stage.links,
          .features = stage.trees.features};
}

evidence::RuleSet rule_set(std::span<const model::PathRule> rules, std::uint32_t relations) {
  std::vector<evidence::Rule> all;
  for (const model::PathRule& rule : rules) {
    evidence::Rule own{.head = rule.head, .length = rule.length};
    for (std::size_t i = 0; i < own.body.size(); ++i) own.body[i] = evidence::DirectedRelation{rule.steps[i]};
    own.from_known = {rule.pairs[0], rule.facts[0]};
    own.from_answer = {rule.pairs[1], rule.facts[1]};
    all.push_back(own);
  }
  return {std::move(all), relations};
}

std::vector<model::PathRule> stored_rules(const evidence::RuleSet& rules) {
  std::vector<model::PathRule> all;
  for (const evidence::Rule& rule : rules.all()) {
    model::PathRule stored{.head = rule.head, .length = rule.length};
    for (std::size_t i = 0; i < rule.body.size(); ++i) stored.steps[i] = index(rule.body[i]);
    stored.pairs = {rule.from_known.pairs, rule.from_answer.pairs};
    stored.facts = {rule.from_known.facts, rule.from_answer.facts};
    all.push_back(stored);
  }
  return all;
}

TwoStageRanker::TwoStageRanker(const model::Decisions& decisions, const model::SecondStage& stage,
                               std::span<const Triple> facts, const Context& context)
    : first_(decisions),
      graph_(graph_of(facts, stage.evidence, decisions, context)),
      rules_(rule_set(stage.rules, decisions.tables.relations.rows())),
      walks_(stage.walks, 2 * decisions.tables.relations.rows()),
      lists_(decisions, {.graph = &graph_, .rules = &rules_, .walks = &walks_}, list_options(stage)),
      scorer_(stage.trees),
      on_first_(stage.on_first),
      fact_trees_(stage.facts),
      profiles_(graph_, context),
      relation_odds_(graph_, profiles_, kMinLikely, context),
      fact_rows_(graph_, profiles_, relation_odds_),
      query_scorer_(
          trees::ListTrees{fact_trees_.query_features, fact_trees_.query_cuts, fact_trees_.query_trees}),
      probability_(stage.calibration) {
  check_features(stage);
  if (!fact_trees_.empty()) check_fact_features(stage);
  for (const auto& fold : fact_trees_.folds)
    fact_scorers_.emplace_back(trees::ListTrees{fact_trees_.features, fact_trees_.cuts, fold});
}

void TwoStageRanker::score(const evidence::EvidenceReader::List& list, std::vector<float>& scores,
                           const Context& context) const {
  if (on_first_)
    scores = list.first;
  else
    scores.assign(list.entities.size(), 0.0F);
  parallel_for(context, scores.size(), kRowsPerPiece, [&](std::size_t begin, std::size_t end) {
    scorer_.add_values(std::span(list.rows).subspan(begin * scorer_.features()),
                       std::span(scores).subspan(begin, end - begin));
  });
}

std::vector<Ranks> TwoStageRanker::ranks(std::span<const RankQuery> queries, const Candidates& candidates,
                                         const Context& context) const {
  std::vector<Query> asked_by;  // by query with an answer
  for (const RankQuery& query : queries) asked_by.push_back(lists_.query_for(query));
  // Those that ask the same share a list.
  std::vector<std::size_t> order(queries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return asked_by[a] < asked_by[b]; });
  std::vector<Query> asked;
  std::vector<std::size_t> firsts;  // in order, of each that is asked
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (!asked.empty() && asked.back() == asked_by[order[i]]) continue;
    asked.push_back(asked_by[order[i]]);
    firsts.push_back(i);
  }
  firsts.push_back(order.size());

  std::vector<Ranks> ranks(queries.size());
  ProgressTask progress(context, "ranking answers", asked.size(), "questions");
  lists_.read(
      asked,
      [&](std::size_t i, std::span<const float> first, const evidence::EvidenceReader::List& list) {
        std::vector<float> scores;
        score(list, scores);
        ListRanks own(first, list.entities, scores);
        for (std::size_t k = firsts[i]; k < firsts[i + 1]; ++k)
          ranks[order[k]] = own.rank(queries[order[k]], candidates);
        progress.advance(1);
      },
      context);
  return ranks;
}

std::vector<std::vector<ScoredEntity>> TwoStageRanker::best(std::span<const Query> queries,
                                                            const TopOptions& options,
                                                            const Context& context) const {
  return find_best(queries, options, {}, context);
}

std::vector<std::vector<ScoredEntity>> TwoStageRanker::find_best(std::span<const Query> queries,
                                                                 const TopOptions& options,
                                                                 std::span<Judged> with_probabilities,
                                                                 const Context& context) const {
  std::vector<std::vector<ScoredEntity>> answers(queries.size());
  std::vector<std::vector<EntityId>> judged(queries.size());
  Context scoring = context;  // where there are several queries, they are what threads share
  if (queries.size() > 1) scoring.threads = 1;
  lists_.read(
      queries,
      [&](std::size_t i, std::span<const float> first, const evidence::EvidenceReader::List& list) {
        std::vector<float> scores;
        score(list, scores, scoring);
        std::vector<bool> left_out(first.size());
        const Query& query = queries[i];
        if (options.known != nullptr) {
          for (const EntityId id : known_answers(*options.known, query))
            left_out[index(id)] = id != query.left_out;
        } else {
          judged[i] = best_evident(graph_, query, first, options.k);
          for (const EntityId id : judged[i]) left_out[index(id)] = true;
        }
        const JoinedScores joined(first, list.entities, scores);
        answers[i] = best_of(joined, list, scores, left_out, options.k);
        if (!with_probabilities.empty() && query.side == Side::kTail)
          with_probabilities[i] = judge(query, list, scores, answers[i]);
      },
      context);
  if (options.known == nullptr) add_judged(queries, judged, options.k, answers, context);
  return answers;
}

void TwoStageRanker::add_judged(std::span<const Query> queries, std::span<const std::vector<EntityId>> judged,
                                std::size_t k, std::span<std::vector<ScoredEntity>> answers,
                                const Context& context) const {
  std::vector<RankQuery> asked;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    for (const EntityId id : judged[i])
      asked.push_back({queries[i].known, queries[i].relation, id, queries[i].side});
  }
  const std::vector<float> own = scores(asked, context);
  std::size_t next = 0;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    BestAnswers best(k);
    for (const ScoredEntity& answer : answers[i]) best.add(answer);
    for (const EntityId id : judged[i]) best.add({id, own[next++]});
    answers[i] = std::move(best).sorted();
  }
}

void TwoStageRanker::read_scores(std::span<const Query> queries, const TakeScores& take,
                                 const Context& context) const {
  lists_.read(
      queries,
      [&](std::size_t i, std::span<const float> first, const evidence::EvidenceReader::List& list) {
        std::vector<float> scores;
        score(list, scores);
        const JoinedScores joined(first, list.entities, scores);
        std::vector<float> all(first.size());
        for (std::uint32_t e = 0; e < all.size(); ++e) all[e] = joined.behind(EntityId{e});
        for (std::size_t j = 0; j < scores.size(); ++j) all[index(list.entities[j])] = scores[j];
        take(i, all);
      },
      context);
}

// Of those answers that are in the list.
TwoStageRanker::Judged TwoStageRanker::judge(const Query& query, const evidence::EvidenceReader::List& list,
                                             std::span<const float> scores,
                                             std::span<const ScoredEntity> answers) const {
  std::vector<std::size_t> picks;
  for (const ScoredEntity& answer : answers) {
    const auto found = std::find(list.entities.begin(), list.entities.end(), answer.entity);
    if (found != list.entities.end())
      picks.push_back(static_cast<std::size_t>(found - list.entities.begin()));
  }
  std::vector<double> probabilities(picks.size());
  list_probabilities(query, list, scores, picks, probabilities);
  Judged judged;
  for (std::size_t i = 0; i < picks.size(); ++i)
    judged.emplace_back(list.entities[picks[i]], probabilities[i]);
  return judged;
}

std::vector<std::vector<greenkgc::Answer>> TwoStageRanker::answers(std::span<const Query> queries,
                                                                   const TopOptions& options,
                                                                   const Context& context) const {
  if (fact_trees_.empty()) return Ranker::answers(queries, options, context);
  std::vector<Judged> judged(queries.size());
  const auto found = find_best(queries, options, judged, context);
  std::vector<std::vector<greenkgc::Answer>> answers(queries.size());
  std::vector<Triple> others;
  std::vector<greenkgc::Answer*> places;  // of the others
  for (std::size_t i = 0; i < queries.size(); ++i) {
    for (const ScoredEntity& answer : found[i])
      answers[i].push_back({queries[i].fact(answer.entity), answer.score, 0, false});
    for (std::size_t k = 0; k < found[i].size(); ++k) {
      const auto own = std::find_if(judged[i].begin(), judged[i].end(),
                                    [&](const auto& one) { return one.first == found[i][k].entity; });
      if (own != judged[i].end()) {
        answers[i][k].probability = own->second;
      } else {
        others.push_back(answers[i][k].fact);
        places.push_back(&answers[i][k]);
      }
    }
  }
  const std::vector<double> rest = probabilities(others, context);
  for (std::size_t i = 0; i < places.size(); ++i) places[i]->probability = rest[i];
  return answers;
}

void TwoStageRanker::leaf_sums(const Query& query, const evidence::EvidenceReader::List& list,
                               std::span<const float> scores, std::span<const std::size_t> picks,
                               std::vector<float>& sums) const {
  std::vector<float> rows;
  fact_rows_.fill(query, list, scores, picks, rows);
  sums.assign(picks.size(), 0.0F);
  fact_scorers_[fact_trees_.fold_of(query.known, query.relation)].add_values(rows, sums);
}

void TwoStageRanker::list_probabilities(const Query& query, const evidence::EvidenceReader::List& list,
                                        std::span<const float> scores, std::span<const std::size_t> picks,
                                        std::span<double> probabilities) const {
  std::vector<float> sums;
  leaf_sums(query, list, scores, picks, sums);
  for (std::size_t i = 0; i < picks.size(); ++i)
    probabilities[i] = fact_trees_.probability(sums[i], query.relation);
}

float TwoStageRanker::query_score(const Query& query) const {
  std::vector<float> row;
  fact_rows_.fill_query(query, row);
  float sum = 0;
  query_scorer_.add_values(row, {&sum, 1});
  return sum;
}

std::vector<double> TwoStageRanker::probabilities(std::span<const Triple> facts,
                                                  const Context& context) const {
  if (fact_trees_.empty()) return Ranker::probabilities(facts, context);
  std::vector<std::size_t> order(facts.size());  // queries of a relation are next to each other
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<Query> asked;
  for (const Triple& fact : facts) asked.push_back(lists_.query_for(tail_query(fact)));
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return asked[a] != asked[b] ? asked[a] < asked[b] : facts[a].tail < facts[b].tail;
  });
  std::vector<Query> queries;
  std::vector<EntityId> tails;
  for (const std::size_t i : order) {
    queries.push_back(asked[i]);
    tails.push_back(facts[i].tail);
  }
  std::vector<double> all(facts.size());
  lists_.read(
      queries,
      [&](std::size_t i, std::span<const float>, const evidence::EvidenceReader::List& list) {
        std::vector<float> own;
        score(list, own);
        const auto found = std::find(list.entities.begin(), list.entities.end(), tails[i]);
        const std::array<std::size_t, 1> pick = {static_cast<std::size_t>(found - list.entities.begin())};
        list_probabilities(queries[i], list, own, pick, {&all[order[i]], 1});
      },
      context, tails);
  return all;
}

std::vector<float> TwoStageRanker::scores(std::span<const RankQuery> queries, const Context& context) const {
  std::vector<Query> asked;
  for (const RankQuery& query : queries) asked.push_back(lists_.query_for(query));
  std::vector<float> all(queries.size());
  lists_.read(
      asked,
      [&](std::size_t i, std::span<const float> first, const evidence::EvidenceReader::List& list) {
        std::vector<float> own;
        score(list, own);
        const auto found = std::find(list.entities.begin(), list.entities.end(), queries[i].answer);
        all[i] = found != list.entities.end()
                     ? own[static_cast<std::size_t>(found - list.entities.begin())]
                     : JoinedScores(first, list.entities, own).behind(queries[i].answer);
      },
      context);
  return all;
}

}  // namespace greenkgc::rank
