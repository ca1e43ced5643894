#include <algorithm>
#include <iterator>
#include <optional>
#include <tuple>
#include <vector>

#include "train/negatives/negatives.h"

namespace greenkgc::decide {
namespace {

constexpr std::uint32_t kOntologyNegativeStream = 0x64656312;

// Which entities of a range are not drawn for an answer: those that stand beside it in more facts of the
// relation (same head, or same tail) than a share of the range does. The quantile is numpy's, as the paper's
// authors take it: between two ranks it is interpolated.
class StrongCompany {
 public:
  StrongCompany(const NegativeSource& source, double leave_out) : source_(source), leave_out_(leave_out) {}

  // Sorted, as the range is.
  std::vector<EntityId> of(const NegativeQuery& query, std::span<const EntityId> range) const {
    struct Count {
      EntityId entity;
      std::size_t count;
    };
    const std::vector<EntityId> company = neighbours(query);
    std::vector<Count> counts;
    for (const EntityId entity : company) {
      if (!std::binary_search(range.begin(), range.end(), entity)) continue;  // known from valid alone
      if (counts.empty() || counts.back().entity != entity) counts.push_back({entity, 0});
      ++counts.back().count;
    }
    std::vector<std::size_t> sorted;
    sorted.reserve(counts.size());
    for (const Count& count : counts) sorted.push_back(count.count);
    std::sort(sorted.begin(), sorted.end());
    const double threshold = quantile(sorted, range.size());
    std::vector<EntityId> strong;
    for (const Count& count : counts) {
      if (static_cast<double>(count.count) > threshold) strong.push_back(count.entity);
    }
    return strong;
  }

 private:
  // The answers to all queries of the relation that the answer is one of, sorted, with repeats.
  std::vector<EntityId> neighbours(const NegativeQuery& query) const {
    const RelationId relation = query.fact.relation;
    const bool tails = query.side == Side::kTail;
    std::vector<EntityId> all;
    const auto askers = tails ? source_.known.heads(relation, query.fact.tail)
                              : source_.known.tails(query.fact.head, relation);
    for (const EntityId asker : askers) {
      const auto answers =
          tails ? source_.known.tails(asker, relation) : source_.known.heads(relation, asker);
      all.insert(all.end(), answers.begin(), answers.end());
    }
    std::sort(all.begin(), all.end());
    return all;
  }

  // Of the counts of a whole range: those given, in ascending order, and zeros.
  double quantile(std::span<const std::size_t> sorted, std::size_t range_size) const {
    const std::size_t zeros = range_size - sorted.size();
    const auto at = [&](std::size_t rank) {
      return rank < zeros ? 0.0 : static_cast<double>(sorted[rank - zeros]);
    };
    const double place = (1 - leave_out_) * static_cast<double>(range_size - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, range_size - 1);
    return at(below) + (place - static_cast<double>(below)) * (at(above) - at(below));
  }

  const NegativeSource& source_;
  const double leave_out_;
};

class OntologyNegatives : public NegativeSampler {
 public:
  OntologyNegatives(const NegativeSource& source, double leave_out)
      : source_(source), leave_out_(leave_out) {}
  std::unique_ptr<NegativeDrawer> drawer() const override { return std::make_unique<Drawer>(*this); }

 private:
  class Drawer : public NegativeDrawer {
   public:
    explicit Drawer(const OntologyNegatives& sampler)
        : sampler_(sampler), company_(sampler.source_, sampler.leave_out_) {}

    std::size_t draw(const NegativeQuery& query, std::span<EntityId> out) override {
      const NegativeSource& source = sampler_.source_;
      const auto list = sampler_.leave_out_ > 0 ? weak_company(query) : sampler_.range(query);
      const auto known = source.known_answers(query);
      const std::size_t count =
          draw_unknown(list, known, source.seed, kOntologyNegativeStream, query.place, out);
      if (count == out.size()) return count;
      // Most of the range is known: take what is left of it as it is.
      left_.clear();
      std::set_difference(list.begin(), list.end(), known.begin(), known.end(), std::back_inserter(left_));
      return draw_unknown(left_, {}, source.seed, kOntologyNegativeStream, query.place, out);
    }

   private:
    // The range without what co-occurs most; kept for as long as queries have the same answer.
    std::span<const EntityId> weak_company(const NegativeQuery& query) {
      const Key key = {query.fact.relation, query.side, query.answer()};
      if (key_ == key) return weak_;
      key_ = key;
      weak_.clear();
      const auto range = sampler_.range(query);
      const auto strong = company_.of(query, range);
      std::set_difference(range.begin(), range.end(), strong.begin(), strong.end(),
                          std::back_inserter(weak_));
      return weak_;
    }

    using Key = std::tuple<RelationId, Side, EntityId>;
    const OntologyNegatives& sampler_;
    StrongCompany company_;
    std::optional<Key> key_;
    std::vector<EntityId> weak_;  // of key_
    std::vector<EntityId> left_;
  };

  std::span<const EntityId> range(const NegativeQuery& query) const {
    return query.side == Side::kTail ? source_.ranges.tails(query.fact.relation)
                                     : source_.ranges.heads(query.fact.relation);
  }

  const NegativeSource source_;
  const double leave_out_;
};

}  // namespace

std::unique_ptr<NegativeSampler> ontology_negatives(const NegativeSource& source, double leave_out) {
  return std::make_unique<OntologyNegatives>(source, leave_out);
}

}  // namespace greenkgc::decide
