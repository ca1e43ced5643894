#include "trees/train/row_router.h"

#include <algorithm>
#include <array>
#include <memory>

#include "base/parallel.h"
#include "base/random.h"

namespace greenkgc::trees {
namespace {

using features::kTripleParts;

constexpr std::size_t kCountedRows = 1 << 12;
constexpr std::uint32_t kCountedStream = 0x64656305;
constexpr std::size_t kFewestSlotBits = 3;  // whole bytes
constexpr std::array<TriplePart, kTripleParts> kParts = {TriplePart::kHead, TriplePart::kRelation,
                                                         TriplePart::kTail};

// Sets the bit of the route's slot for each id that goes to the right; `stride` bytes per id.
void add_ways(const NodeRoute& route, std::size_t stride, std::uint8_t* ways) {
  std::uint8_t* const bytes = ways + route.slot / 8;
  for (std::size_t id = 0; id < route.bins.size(); ++id)
    bytes[id * stride] = static_cast<std::uint8_t>(bytes[id * stride] | (route.bins[id] > route.bin ? 1U : 0U)
                                                                            << (route.slot % 8));
}

}  // namespace

RowRouter::RowRouter(const Samples& samples, const features::SideTables& tables)
    : keys_(tables),
      runs_(samples, keys_),
      slots_(samples.size()),
      counted_(std::min(samples.size(), kCountedRows)) {
  const CounterRandom random(0, kCountedStream);
  for (std::size_t i = 0; i < counted_.size(); ++i) {
    const std::size_t row = random.below(samples.size(), i);
    for (std::size_t part = 0; part < kTripleParts; ++part)
      counted_[i].keys[part] = keys_.key(kParts[part], samples.ids[part][row]);
  }
}

void RowRouter::start(const Context& context) {
  parallel_for(context, slots_.size(), kBlocksAtOnce * kBlock, [&](std::size_t begin, std::size_t end) {
    std::ranges::fill(std::span(slots_).subspan(begin, end - begin), std::uint8_t{0});
  });
  for (Counted& row : counted_) row.slot = 0;
  level_ = 0;
  must_move_ = false;
}

// How rows of this key go on, a bit per slot.
std::uint64_t RowRouter::ways_of(std::size_t key) const {
  const std::size_t bit = key << routes_.slot_bits;
  const std::uint64_t low = ways_[bit / 32] >> (bit % 32);
  if (routes_.slot_bits < simd::RowRoutes::kMostSlotBits)
    return low & ((std::uint64_t{1} << (1U << routes_.slot_bits)) - 1);
  return low | std::uint64_t{ways_[bit / 32 + 1]} << 32;
}

void RowRouter::set_routes(std::span<const NodeRoute> routes, const Context& context) {
  routes_.slot_bits = std::max(kFewestSlotBits, level_++);
  const std::size_t bytes = std::size_t{1} << (routes_.slot_bits - kFewestSlotBits);
  ways_.assign(keys_.size() * bytes / sizeof(std::uint32_t) + 1, 0);
  routes_.ways = ways_;
  parallel_for(context, kTripleParts, 1, [&](std::size_t part, std::size_t) {
    auto* const ways = reinterpret_cast<std::uint8_t*>(ways_.data()) + keys_.first(kParts[part]) * bytes;
    for (const NodeRoute& route : routes) {
      if (route.part == kParts[part]) add_ways(route, bytes, ways);
    }
  });
  for (Counted& row : counted_) {
    const std::uint64_t ways = ways_of(row.keys[0]) | ways_of(row.keys[1]) | ways_of(row.keys[2]);
    row.slot = static_cast<std::uint8_t>(std::uint64_t{2} * row.slot + (ways >> row.slot & 1));
  }
  must_move_ = true;
}

void RowRouter::fill_ways(std::span<const simd::RowRun> runs, Block& block) const {
  for (const simd::RowRun& run : runs) {
    const std::uint64_t ways = ways_of(run.shared_keys[0]) | ways_of(run.shared_keys[1]);
    std::fill(block.ways_low.begin() + run.begin, block.ways_low.begin() + run.end,
              static_cast<std::uint32_t>(ways));
    if (routes_.slot_bits == simd::RowRoutes::kMostSlotBits)
      std::fill(block.ways_high.begin() + run.begin, block.ways_high.begin() + run.end,
                static_cast<std::uint32_t>(ways >> 32));
  }
}

void RowRouter::move(std::size_t first, std::size_t count, std::uint64_t chosen_slots, Block& block) {
  const auto slots = std::span(slots_).subspan(first, count);
  if (!must_move_) {
    block.chosen_count = simd::choose_rows(slots, chosen_slots, block.chosen.data());
    return;
  }
  fill_ways(runs_.of_block(first / kBlock), block);
  const simd::RowKeys keys{runs_.keys().data() + first, block.ways_low.data(), block.ways_high.data()};
  block.chosen_count = simd::route_rows(routes_, keys, slots, chosen_slots, block.chosen.data());
}

std::array<double, 256> RowRouter::expected_rows() const {
  std::array<double, 256> expected = {};
  const double each = static_cast<double>(slots_.size()) / static_cast<double>(counted_.size());
  for (const Counted& row : counted_) expected[row.slot] += each;
  return expected;
}

void RowRouter::settle(std::span<const std::uint8_t, 256> node_of_slot, const Context& context,
                       const std::function<void(std::size_t, std::size_t)>& on_settled) {
  parallel_for(context, slots_.size(), kBlocksAtOnce * kBlock, [&](std::size_t begin, std::size_t end) {
    const auto block = std::make_unique<Block>();
    for (std::size_t first = begin; first < end; first += kBlock) {
      const std::size_t count = std::min(kBlock, end - first);
      if (must_move_) move(first, count, 0, *block);
      for (std::uint8_t& slot : std::span(slots_).subspan(first, count)) slot = node_of_slot[slot];
    }
    on_settled(begin, end);
  });
  must_move_ = false;
}

}  // namespace greenkgc::trees
