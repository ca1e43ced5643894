#include "math/sorted_keys.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/random.h"

// A sample sort. Keys are scattered into buckets that are cut at the quantiles of a sample, then each bucket
// is sorted alone. Buckets by the leading bits would save the search tree, but graphs have hubs, and hubs
// have neighboring ids: one bucket would then hold a third of the keys.
namespace greenkgc::math {
namespace {

constexpr std::size_t kBucketKeys = 1 << 15;  // 256 or 512 KB: sorted within the second-level cache
constexpr unsigned kMaxLevels = 12;           // more buckets than this would outgrow the TLB in the scatter
constexpr std::size_t kSamplesPerBucket = 32;
constexpr std::size_t kMaxPieces = 256;
constexpr std::size_t kMinPieceKeys = 1 << 16;
constexpr std::size_t kBlockKeys = 512;  // made and classified together, within the first-level cache
constexpr unsigned kDigitBits = 8;
constexpr std::size_t kDigits = 1 << kDigitBits;
constexpr std::uint32_t kSampleStream = 0x736F7274;

// Bucket b holds the keys above splitter b - 1 and up to splitter b.
template <class Key>
class Buckets {
 public:
  Buckets(const std::vector<Key>& sorted_sample, unsigned levels) : levels_(levels), tree_(count()) {
    place(sorted_sample, 1, 0, sorted_sample.size());
  }
  std::size_t count() const { return std::size_t{1} << levels_; }

  // Level by level for all keys, so that the steps of one key do not wait for each other.
  void classify(std::span<const Key> keys, std::span<std::uint16_t> buckets) const {
    std::fill(buckets.begin(), buckets.end(), std::uint16_t{1});
    for (unsigned level = 0; level < levels_; ++level) {
      for (std::size_t i = 0; i < keys.size(); ++i) {
        const unsigned node = buckets[i];
        buckets[i] = static_cast<std::uint16_t>(2 * node + (tree_[node] < keys[i] ? 1 : 0));
      }
    }
    for (std::uint16_t& bucket : buckets) bucket = static_cast<std::uint16_t>(bucket - count());
  }

 private:
  void place(const std::vector<Key>& sample, std::size_t node, std::size_t begin, std::size_t end) {
    if (node >= tree_.size()) return;
    const std::size_t middle = begin + (end - begin) / 2;
    tree_[node] = sample[middle];
    place(sample, 2 * node, begin, middle);
    place(sample, 2 * node + 1, middle, end);
  }

  unsigned levels_;
  std::vector<Key> tree_;  // the children of node i are 2i and 2i + 1; the root is 1
};

template <class Key>
Buckets<Key> choose_buckets(std::size_t n, const KeySequence<Key>& sequence) {
  const auto levels = std::min<unsigned>(kMaxLevels, static_cast<unsigned>(std::bit_width(n / kBucketKeys)));
  std::vector<Key> sample(kSamplesPerBucket << levels);
  const CounterRandom random(n, kSampleStream);
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const std::size_t place = random.below(n, i);
    sequence(place, place + 1, &sample[i]);
  }
  std::sort(sample.begin(), sample.end());
  return Buckets<Key>(sample, levels);
}

// Calls body(keys, buckets) block by block over the places begin .. end.
template <class Key, class Body>
void for_each_block(std::size_t begin, std::size_t end, const KeySequence<Key>& sequence,
                    const Buckets<Key>& buckets, const Body& body) {
  std::array<Key, kBlockKeys> keys;
  std::array<std::uint16_t, kBlockKeys> bucket_of;
  for (; begin < end; begin += kBlockKeys) {
    const std::size_t size = std::min(kBlockKeys, end - begin);
    sequence(begin, begin + size, keys.data());
    const std::span block(keys.data(), size);
    const std::span block_buckets(bucket_of.data(), size);
    buckets.classify(block, block_buckets);
    body(block, block_buckets);
  }
}

// Turns the counts of (piece, bucket) into the places where each piece's keys of each bucket begin, and
// returns where each bucket begins.
std::vector<std::size_t> to_places(std::vector<std::size_t>& counts, std::size_t pieces,
                                   std::size_t buckets) {
  std::vector<std::size_t> begins(buckets + 1);
  std::size_t place = 0;
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    begins[bucket] = place;
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      place += std::exchange(counts[piece * buckets + bucket], place);
    }
  }
  begins[buckets] = place;
  return begins;
}

template <class Key>
std::size_t digit(Key key, unsigned shift) {
  return static_cast<std::size_t>(key >> shift) % kDigits;
}

// Where the keys of each digit begin if the keys are sorted by it.
template <class Key>
std::array<std::size_t, kDigits> digit_begins(std::span<const Key> keys, unsigned shift) {
  std::array<std::size_t, kDigits> begins{};
  for (const Key key : keys) ++begins[digit(key, shift)];
  std::exclusive_scan(begins.begin(), begins.end(), begins.begin(), std::size_t{0});
  return begins;
}

// Radix sort, last digit first, by those digits in which any two keys differ.
template <class Key>
void sort_bucket(std::span<Key> keys) {
  if (keys.size() < kDigits) return std::sort(keys.begin(), keys.end());
  Key differing = 0;
  for (const Key key : keys) differing |= key ^ keys[0];
  if (differing == 0) return;
  const auto scratch = std::make_unique_for_overwrite<Key[]>(keys.size());
  std::span<Key> from = keys;
  std::span<Key> to(scratch.get(), keys.size());
  for (unsigned shift = 0; shift < 8 * sizeof(Key); shift += kDigitBits) {
    if (digit(differing, shift) == 0) continue;
    auto next = digit_begins<Key>(from, shift);
    for (const Key key : from) to[next[digit(key, shift)]++] = key;
    std::swap(from, to);
  }
  if (from.data() != keys.data()) std::copy(from.begin(), from.end(), keys.begin());
}

}  // namespace

template <class Key>
KeyArray<Key> sorted_keys(const Context& context, std::size_t n, const KeySequence<Key>& sequence) {
  KeyArray<Key> result{std::make_unique_for_overwrite<Key[]>(n), n};
  if (n == 0) return result;
  const Buckets<Key> buckets = choose_buckets<Key>(n, sequence);
  const std::size_t piece_keys = std::max(kMinPieceKeys, n / kMaxPieces + 1);
  const std::size_t pieces = (n - 1) / piece_keys + 1;

  std::vector<std::size_t> places(pieces * buckets.count());
  parallel_for(context, n, piece_keys, [&](std::size_t begin, std::size_t end) {
    std::size_t* counts = &places[begin / piece_keys * buckets.count()];
    for_each_block<Key>(begin, end, sequence, buckets, [&](auto, auto bucket_of) {
      for (const std::uint16_t bucket : bucket_of) ++counts[bucket];
    });
  });
  const std::vector<std::size_t> begins = to_places(places, pieces, buckets.count());
  parallel_for(context, n, piece_keys, [&](std::size_t begin, std::size_t end) {
    std::size_t* next = &places[begin / piece_keys * buckets.count()];
    for_each_block<Key>(begin, end, sequence, buckets, [&](auto keys, auto bucket_of) {
      for (std::size_t i = 0; i < keys.size(); ++i) result.data[next[bucket_of[i]]++] = keys[i];
    });
  });
  parallel_for(context, buckets.count(), 1, [&](std::size_t bucket, std::size_t) {
    sort_bucket(result.keys().subspan(begins[bucket], begins[bucket + 1] - begins[bucket]));
  });
  return result;
}

template KeyArray<std::uint64_t> sorted_keys(const Context&, std::size_t, const KeySequence<std::uint64_t>&);
template KeyArray<WideKey> sorted_keys(const Context&, std::size_t, const KeySequence<WideKey>&);

}  // namespace greenkgc::math
