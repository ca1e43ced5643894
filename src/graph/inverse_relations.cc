#include "graph/inverse_relations.h"

#include <algorithm>
#include <atomic>
#include <tuple>
#include <utility>

#include "base/parallel.h"
#include "base/progress.h"

namespace greenkgc::graph {
namespace {

constexpr double kInverseOverlap = 0.8;
constexpr std::size_t kMostInverses = 16;  // of one relation
constexpr std::size_t kEntitiesPerPiece = 1 << 12;
constexpr std::size_t kRelationPieces = 128;  // each has a counter per relation

double share_of(const RelationStats& relation, std::uint64_t facts) {
  return relation.train == 0 ? 0 : static_cast<double>(facts) / static_cast<double>(relation.train);
}

bool has_more_facts(const InversePair& a, const InversePair& b) {
  return std::tie(b.facts, a.relation, a.inverse) < std::tie(a.facts, b.relation, b.inverse);
}

// Counts for each relation r its facts (h, r, t) ...
struct Backwards {
  explicit Backwards(std::size_t relations) : linked(relations), symmetric(relations) {}

  std::vector<std::atomic<std::uint64_t>> linked;     // ... with any (t, r', h)
  std::vector<std::atomic<std::uint64_t>> symmetric;  // ... with (t, r, h)
};

struct Link {
  EntityId other;
  RelationId relation;
  friend auto operator<=>(const Link&, const Link&) = default;
};

// Merges the links of an entity to others with those from others, both sorted.
void count_backwards(const FactIndex<ByPair>::Row& to, std::span<const Link> from, Backwards& counts) {
  auto next = from.begin();
  EntityId passed = kNoEntity;  // the other of the link before next
  for (std::size_t i = 0; i < to.labels.size(); ++i) {
    const Link link{to.labels[i], to.members[i]};
    for (; next != from.end() && *next < link; ++next) passed = next->other;
    const bool linked = passed == link.other || (next != from.end() && next->other == link.other);
    const bool symmetric = next != from.end() && *next == link;
    if (linked) counts.linked[index(link.relation)].fetch_add(1, std::memory_order_relaxed);
    if (symmetric) counts.symmetric[index(link.relation)].fetch_add(1, std::memory_order_relaxed);
  }
}

void count_backwards(const TrainGraph& train, Backwards& counts, const Context& context) {
  ProgressTask progress(context, "matching facts with their inverses", train.entity_count, "entities");
  parallel_for(context, train.entity_count, kEntitiesPerPiece, [&](std::size_t begin, std::size_t end) {
    std::vector<Link> from;
    for (std::size_t e = begin; e < end; ++e) {
      const EntityId entity{static_cast<std::uint32_t>(e)};
      const auto to = train.links.row(entity);
      const Edges in = train.facts.in_edges(entity);
      if (to.labels.empty() || in.others.empty()) continue;
      from.clear();
      for (std::size_t i = 0; i < in.others.size(); ++i) from.push_back({in.others[i], in.relations[i]});
      std::sort(from.begin(), from.end());
      count_backwards(to, from, counts);
    }
    progress.advance(end - begin);
  });
}

// The heads of the i-th of some relations are heads[begins[i] .. begins[i + 1]).
struct HeadRanges {
  std::vector<std::size_t> begins;
  std::vector<EntityId> heads;

  std::span<const EntityId> operator[](std::size_t i) const {
    return std::span(heads).subspan(begins[i], begins[i + 1] - begins[i]);
  }
};

HeadRanges head_ranges(const TrainGraph& train, std::span<const RelationStats* const> chosen,
                       std::size_t relation_count) {
  HeadRanges ranges;
  ranges.begins.push_back(0);
  constexpr std::size_t kNotChosen = ~std::size_t{0};
  std::vector<std::size_t> next(relation_count, kNotChosen);
  for (const RelationStats* relation : chosen) {
    next[index(relation->relation)] = ranges.begins.back();
    ranges.begins.push_back(ranges.begins.back() + relation->heads);
  }
  ranges.heads.resize(ranges.begins.back());
  for (std::uint32_t e = 0; e < train.entity_count; ++e) {
    for_each_run(train.facts.out_edges(EntityId{e}).relations, [&](RelationId r, std::size_t) {
      if (next[index(r)] != kNotChosen) ranges.heads[next[index(r)]++] = EntityId{e};
    });
  }
  return ranges;
}

// Counts for one relation after another over how many of its facts each relation leads back.
class InverseFinder {
 public:
  InverseFinder(const TrainGraph& train, std::size_t relation_count)
      : train_(train), back_over_(relation_count) {}

  std::vector<InversePair> inverses(const RelationStats& relation, std::span<const EntityId> heads,
                                    const Context& context) {
    for (const EntityId head : heads) {
      context.check_cancelled();
      for (const EntityId tail : train_.facts.tails(head, relation.relation))
        count(train_.links.find(tail, head));
    }
    std::vector<InversePair> pairs;
    for (const RelationId inverse : counted_) {
      const std::uint64_t facts = std::exchange(back_over_[index(inverse)], 0);
      const double overlap = share_of(relation, facts);
      if (overlap >= kInverseOverlap) pairs.push_back({relation.relation, inverse, facts, overlap});
    }
    counted_.clear();
    std::sort(pairs.begin(), pairs.end(), has_more_facts);
    if (pairs.size() > kMostInverses) pairs.resize(kMostInverses);
    return pairs;
  }

 private:
  void count(std::span<const RelationId> back) {
    for (const RelationId relation : back.first(std::min(back.size(), kMostLinks))) {
      if (back_over_[index(relation)]++ == 0) counted_.push_back(relation);
    }
  }

  const TrainGraph& train_;
  std::vector<std::uint32_t> back_over_;  // facts, by relation
  std::vector<RelationId> counted_;       // those of which back_over_ is not 0
};

}  // namespace

std::vector<InversePair> find_inverses(const TrainGraph& train, std::vector<RelationStats>& relations,
                                       const Context& context) {
  Backwards counts(relations.size());
  count_backwards(train, counts, context);
  std::vector<const RelationStats*> chosen;  // no other relation can have an inverse
  for (std::size_t r = 0; r < relations.size(); ++r) {
    relations[r].symmetry = share_of(relations[r], counts.symmetric[r]);
    if (share_of(relations[r], counts.linked[r]) >= kInverseOverlap) chosen.push_back(&relations[r]);
  }

  const HeadRanges ranges = head_ranges(train, chosen, relations.size());
  const std::size_t grain = chosen.size() / kRelationPieces + 1;
  std::vector<std::vector<InversePair>> found(chosen.size());
  parallel_for(context, chosen.size(), grain, [&](std::size_t begin, std::size_t end) {
    InverseFinder finder(train, relations.size());
    for (std::size_t i = begin; i < end; ++i) found[i] = finder.inverses(*chosen[i], ranges[i], context);
  });
  std::vector<InversePair> pairs;
  for (const auto& part : found) pairs.insert(pairs.end(), part.begin(), part.end());
  std::sort(pairs.begin(), pairs.end(), has_more_facts);
  return pairs;
}

}  // namespace greenkgc::graph
