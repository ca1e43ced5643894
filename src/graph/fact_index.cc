#include "graph/fact_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/parallel.h"
#include "base/text.h"
#include "greenkgc/error.h"
#include "math/sorted_keys.h"

namespace greenkgc::graph {

// Packs a fact into a number that sorts by owner, label, member, with no more bits than the ids need.
template <class Order>
class FactPacking {
 public:
  explicit FactPacking(const Triple& used)
      : member_bits_(width(index(Order::member(used)))),
        label_bits_(width(index(Order::label(used)))),
        owner_bits_(width(index(Order::owner(used)))) {}

  unsigned bits() const { return owner_bits_ + label_bits_ + member_bits_; }

  template <class Key>
  Key pack(const Triple& fact) const {
    return ((Key{index(Order::owner(fact))} << label_bits_ | index(Order::label(fact))) << member_bits_) |
           index(Order::member(fact));
  }
  template <class Key>
  std::uint32_t owner(Key key) const {
    return static_cast<std::uint32_t>(key >> (label_bits_ + member_bits_));
  }
  template <class Key>
  typename Order::Label label(Key key) const {
    return typename Order::Label{low_bits(key >> member_bits_, label_bits_)};
  }
  template <class Key>
  typename Order::Member member(Key key) const {
    return typename Order::Member{low_bits(key, member_bits_)};
  }

 private:
  // At least 1, so that no shift is as wide as the key.
  static unsigned width(std::uint32_t used) {
    return std::max(1U, static_cast<unsigned>(std::bit_width(used)));
  }
  template <class Key>
  static std::uint32_t low_bits(Key key, unsigned bits) {
    return static_cast<std::uint32_t>(key & ((Key{1} << bits) - 1));
  }

  unsigned member_bits_;
  unsigned label_bits_;
  unsigned owner_bits_;
};

namespace {

using Parts = std::span<const std::span<const Triple>>;

constexpr std::size_t kPiece = 1 << 16;

std::size_t fact_count(Parts parts) {
  std::size_t n = 0;
  for (const auto& part : parts) n += part.size();
  if (n > 0xFFFFFFFFu) {
    throw Error(ErrorCode::kBadInput, fmt::format("the graph has {}, but at most {} can be indexed",
                                                  count_of(n, "fact"), with_commas(0xFFFFFFFFu)));
  }
  return n;
}

// Calls body(fact) for the facts at begin .. end, counted over the parts one after another.
template <class Body>
void for_each_fact(Parts parts, std::size_t begin, std::size_t end, const Body& body) {
  for (const auto& part : parts) {
    const std::size_t stop = std::min(end, part.size());
    for (std::size_t i = std::min(begin, stop); i < stop; ++i) body(part[i]);
    if (stop == end) return;
    begin -= std::min(begin, part.size());
    end -= stop;
  }
}

// The bits that are set in any of the heads, in any of the relations and in any of the tails.
Triple used_bits(Parts parts, std::size_t n, const Context& context) {
  const auto add = [](Triple& used, const Triple& fact) {
    used.head = EntityId{index(used.head) | index(fact.head)};
    used.relation = RelationId{index(used.relation) | index(fact.relation)};
    used.tail = EntityId{index(used.tail) | index(fact.tail)};
  };
  std::vector<Triple> used_by_piece(n / kPiece + 1);
  parallel_for(context, n, kPiece, [&](std::size_t begin, std::size_t end) {
    Triple used{};
    for_each_fact(parts, begin, end, [&](const Triple& fact) { add(used, fact); });
    used_by_piece[begin / kPiece] = used;
  });
  Triple all{};
  for (const Triple& used : used_by_piece) add(all, used);
  return all;
}

template <class Key, class Order>
math::KeyArray<Key> sorted_facts(Parts parts, std::size_t n, const FactPacking<Order>& packing,
                                 const Context& context) {
  return math::sorted_keys<Key>(context, n, [&](std::size_t begin, std::size_t end, Key* out) {
    for_each_fact(parts, begin, end, [&](const Triple& fact) { *out++ = packing.template pack<Key>(fact); });
  });
}

template <class Key>
bool is_first_copy(std::span<const Key> keys, std::size_t i) {
  return i == 0 || keys[i] != keys[i - 1];
}

// For each piece of the keys, how many distinct keys come before it; at the end, how many there are.
template <class Key>
std::vector<std::size_t> distinct_before(std::span<const Key> keys, const Context& context) {
  std::vector<std::size_t> before((keys.size() + kPiece - 1) / kPiece + 1);
  parallel_for(context, keys.size(), kPiece, [&](std::size_t begin, std::size_t end) {
    std::size_t distinct = 0;
    for (std::size_t i = begin; i < end; ++i) distinct += is_first_copy(keys, i) ? 1 : 0;
    before[begin / kPiece + 1] = distinct;
  });
  std::partial_sum(before.begin(), before.end(), before.begin());
  return before;
}

template <class Key>
std::vector<Triple> repeated_facts(std::span<const Triple> facts, const FactPacking<ByHead>& packing,
                                   const Context& context) {
  const math::KeyArray<Key> sorted = sorted_facts<Key>(Parts(&facts, 1), facts.size(), packing, context);
  const std::span<const Key> keys = sorted.keys();
  std::vector<Triple> repeated;
  for (std::size_t i = 1; i < keys.size(); ++i) {
    if (is_first_copy(keys, i) || !is_first_copy(keys, i - 1)) continue;
    repeated.push_back({EntityId{packing.owner(keys[i])}, packing.label(keys[i]), packing.member(keys[i])});
  }
  return repeated;
}

}  // namespace

template <class Order>
FactIndex<Order>::FactIndex(Parts parts, std::uint32_t entity_count, const Context& context)
    : offsets_(std::size_t{entity_count} + 1) {
  const std::size_t n = fact_count(parts);
  const FactPacking<Order> packing(used_bits(parts, n, context));
  if (packing.bits() <= 64) {
    build<std::uint64_t>(sorted_facts<std::uint64_t>(parts, n, packing, context).keys(), packing, context);
  } else {
    build<math::WideKey>(sorted_facts<math::WideKey>(parts, n, packing, context).keys(), packing, context);
  }
}

template <class Order>
template <class Key>
void FactIndex<Order>::build(std::span<const Key> sorted, const FactPacking<Order>& packing,
                             const Context& context) {
  const std::vector<std::size_t> before = distinct_before(sorted, context);
  labels_.resize(before.back());
  members_.resize(before.back());
  parallel_for(context, sorted.size(), kPiece, [&](std::size_t begin, std::size_t end) {
    std::size_t place = before[begin / kPiece];
    for (std::size_t i = begin; i < end; ++i) {
      if (!is_first_copy(sorted, i)) continue;
      // The rows of the owners between the last fact's and this one's are empty and begin here too.
      const std::size_t owner = packing.owner(sorted[i]);
      for (std::size_t e = i == 0 ? 0 : packing.owner(sorted[i - 1]) + std::size_t{1}; e <= owner; ++e) {
        offsets_[e] = static_cast<std::uint32_t>(place);
      }
      labels_[place] = packing.label(sorted[i]);
      members_[place] = packing.member(sorted[i]);
      ++place;
    }
  });
  const std::size_t rest = sorted.empty() ? 0 : packing.owner(sorted.back()) + std::size_t{1};
  std::fill(offsets_.begin() + static_cast<std::ptrdiff_t>(rest), offsets_.end(),
            static_cast<std::uint32_t>(size()));
}

template <class Order>
typename FactIndex<Order>::Row FactIndex<Order>::row(EntityId owner) const {
  const std::size_t e = index(owner);
  if (e + 1 >= offsets_.size()) return {};
  const std::size_t begin = offsets_[e];
  const std::size_t size = offsets_[e + 1] - begin;
  return {{labels_.data() + begin, size}, {members_.data() + begin, size}};
}

template <class Order>
std::span<const typename Order::Member> FactIndex<Order>::find(EntityId owner, Label label) const {
  const Row all = row(owner);
  const auto [first, last] = std::equal_range(all.labels.begin(), all.labels.end(), label);
  return all.members.subspan(static_cast<std::size_t>(first - all.labels.begin()),
                             static_cast<std::size_t>(last - first));
}

template <class Order>
std::size_t FactIndex<Order>::bytes() const {
  return offsets_.capacity() * sizeof(offsets_[0]) + labels_.capacity() * sizeof(labels_[0]) +
         members_.capacity() * sizeof(members_[0]);
}

template class FactIndex<ByHead>;
template class FactIndex<ByTail>;
template class FactIndex<ByPair>;

std::vector<Triple> repeated_facts(std::span<const Triple> facts, const Context& context) {
  const Parts parts(&facts, 1);
  const FactPacking<ByHead> packing(used_bits(parts, fact_count(parts), context));
  return packing.bits() <= 64 ? repeated_facts<std::uint64_t>(facts, packing, context)
                              : repeated_facts<math::WideKey>(facts, packing, context);
}

}  // namespace greenkgc::graph
