#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

#include "rank/ranks.h"

namespace greenkgc::rank {

// Sorted ids, taken in ascending order.
class IdCursor {
 public:
  IdCursor() = default;
  explicit IdCursor(std::span<const EntityId> ids) : ids_(ids) {}

  // Goes on to the first id that is not below `begin`.
  void skip_below(std::size_t begin) {
    const auto found = std::lower_bound(ids_.begin(), ids_.end(), begin,
                                        [](EntityId id, std::size_t value) { return index(id) < value; });
    ids_ = ids_.subspan(static_cast<std::size_t>(found - ids_.begin()));
  }
  template <class Visit>
  void for_each_below(std::size_t end, const Visit& visit) {
    std::size_t next = 0;
    for (; next < ids_.size() && index(ids_[next]) < end; ++next) visit(index(ids_[next]));
    ids_ = ids_.subspan(next);
  }

 private:
  std::span<const EntityId> ids_;
};

// The left-out answer of a query is among them if it is known.
inline std::span<const EntityId> known_answers(const graph::KnownFacts& known, const Query& query) {
  return query.side == Side::kTail ? known.tails(query.known, query.relation)
                                   : known.heads(query.relation, query.known);
}

// Counts the candidates of one query that beat its answer or tie with it, over tiles of scores in ascending
// order, which may begin anywhere.
class CandidateCounter {
 public:
  // A score above `high` is better than the answer's, one below `low` is worse; what lies between is settled
  // one by one.
  struct Doubtful {
    float low;
    float high;
  };

  CandidateCounter(const RankQuery& query, const Candidates& candidates)
      : answer_(index(query.answer)), self_(candidates.self ? answer_ : index(query.known)) {
    if (candidates.known != nullptr) known_ = IdCursor(known_answers(*candidates.known, query.query()));
    if (candidates.ranges == nullptr) return;
    const auto range = query.side == Side::kTail ? candidates.ranges->tails(query.relation)
                                                 : candidates.ranges->heads(query.relation);
    range_ = IdCursor(range);
    answer_in_range_ = std::binary_search(range.begin(), range.end(), query.answer);
  }

  bool answer_in_range() const { return answer_in_range_; }

  // Adds what the entities from `begin` on contribute. Writes to the scores. settle(candidate, rank) counts a
  // candidate whose score is doubtful.
  template <class Settle>
  void count(std::size_t begin, std::span<float> scores, Doubtful doubtful, const Settle& settle,
             Ranks& ranks) {
    leave_out(begin, scores);
    count_all(begin, scores, doubtful, settle, ranks.all);
    range_.skip_below(begin);
    range_.for_each_below(begin + scores.size(), [&](std::uint32_t id) {
      const float score = scores[id - begin];
      if (score == kLeftOut) return;
      ++ranks.range_candidates;
      if (score > doubtful.high) {
        ++ranks.in_range.better;
      } else if (score >= doubtful.low) {
        settle(id, ranks.in_range);
      }
    });
  }

 private:
  static constexpr float kLeftOut = -std::numeric_limits<float>::infinity();

  void leave_out(std::size_t begin, std::span<float> scores) {
    known_.skip_below(begin);
    known_.for_each_below(begin + scores.size(), [&](std::uint32_t id) { scores[id - begin] = kLeftOut; });
    for (const std::uint32_t id : {answer_, self_}) {
      if (id >= begin && id < begin + scores.size()) scores[id - begin] = kLeftOut;
    }
  }

  template <class Settle>
  static void count_all(std::size_t begin, std::span<const float> scores, Doubtful doubtful,
                        const Settle& settle, Rank& rank) {
    std::uint32_t better = 0;
    std::uint32_t not_worse = 0;
    for (const float score : scores) {
      better += score > doubtful.high ? 1 : 0;
      not_worse += score >= doubtful.low ? 1 : 0;
    }
    rank.better += better;
    if (not_worse == better) return;
    for (std::size_t j = 0; j < scores.size(); ++j) {
      if (scores[j] >= doubtful.low && scores[j] <= doubtful.high) settle(begin + j, rank);
    }
  }

  std::uint32_t answer_;
  std::uint32_t self_;  // left out, too; the answer where nothing is
  bool answer_in_range_ = false;
  IdCursor known_;
  IdCursor range_;
};

}  // namespace greenkgc::rank
