#include "decide/sample_metrics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "kernels/parallel.h"

namespace greenkgc::decide {
namespace {

constexpr std::size_t kRowsPerPiece = 1 << 16;

// Keys are in the order of the margins; equal margins, 0 and -0 among them, have equal keys.
std::uint32_t key_of(float margin) {
  const auto bits = std::bit_cast<std::uint32_t>(margin + 0.0F);
  return (bits >> 31) != 0 ? ~bits : bits | 0x80000000U;
}

// The distinct margins of positives, as keys, in ascending order.
class PositiveMargins {
 public:
  PositiveMargins(std::span<const float> margins, std::span<const std::uint8_t> labels) {
    std::vector<std::uint32_t> sorted;
    for (std::size_t i = 0; i < margins.size(); ++i) {
      if (labels[i] != 0) sorted.push_back(key_of(margins[i]));
    }
    std::sort(sorted.begin(), sorted.end());
    for (const std::uint32_t key : sorted) {
      if (keys_.empty() || keys_.back() != key) {
        keys_.push_back(key);
        positives_.push_back(0);
      }
      ++positives_.back();
    }
    if (!keys_.empty()) make_index();
  }

  std::size_t size() const { return keys_.size(); }
  std::uint32_t positives(std::size_t i) const { return positives_[i]; }

  // How many of them are at most this key.
  std::size_t count_up_to(std::uint32_t key) const {
    if (keys_.empty() || key < keys_.front()) return 0;
    const std::size_t bucket = (std::min(key, keys_.back()) - keys_.front()) >> shift_;
    const auto begin = keys_.begin() + first_[bucket];
    const auto end = keys_.begin() + first_[bucket + 1];
    return static_cast<std::size_t>(std::upper_bound(begin, end, key) - keys_.begin());
  }

 private:
  static constexpr int kIndexBits = 18;  // about as many buckets as there are positives in 35 million samples

  void make_index() {
    const auto bits = static_cast<int>(std::bit_width(keys_.back() - keys_.front()));
    shift_ = std::max(0, bits - kIndexBits);
    const std::size_t buckets = ((keys_.back() - keys_.front()) >> shift_) + std::size_t{1};
    first_.assign(buckets + 1, 0);
    for (const std::uint32_t key : keys_) ++first_[((key - keys_.front()) >> shift_) + std::size_t{1}];
    for (std::size_t b = 1; b < first_.size(); ++b) first_[b] += first_[b - 1];
  }

  std::vector<std::uint32_t> keys_;
  std::vector<std::uint32_t> positives_;  // that have this margin
  int shift_ = 0;
  std::vector<std::uint32_t> first_;  // where the keys of a bucket start; one more
};

// How many samples are at a margin of positives or between it and the next higher one.
std::vector<std::uint64_t> count_samples(const PositiveMargins& positives, std::span<const float> margins,
                                         const Context& context) {
  const auto threads = static_cast<std::size_t>(context.thread_count());
  const std::size_t slice = std::max<std::size_t>(kRowsPerPiece, (margins.size() + threads - 1) / threads);
  std::vector<std::vector<std::uint32_t>> counts((margins.size() + slice - 1) / slice);
  parallel_for(context, margins.size(), slice, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t>& count = counts[begin / slice];
    count.assign(positives.size() + 1, 0);
    for (std::size_t i = begin; i < end; ++i) ++count[positives.count_up_to(key_of(margins[i]))];
  });
  std::vector<std::uint64_t> total(positives.size());
  for (const auto& count : counts) {
    for (std::size_t i = 0; i < total.size(); ++i) total[i] += count[i + 1];
  }
  return total;
}

}  // namespace

double log_loss(std::span<const float> margins, std::span<const std::uint8_t> labels,
                const Context& context) {
  std::vector<double> pieces((margins.size() + kRowsPerPiece - 1) / kRowsPerPiece);
  parallel_for(context, margins.size(), kRowsPerPiece, [&](std::size_t begin, std::size_t end) {
    double total = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const double wrong =
          labels[i] != 0 ? -static_cast<double>(margins[i]) : static_cast<double>(margins[i]);
      total += std::max(wrong, 0.0) + std::log1p(std::exp(-std::abs(wrong)));
    }
    pieces[begin / kRowsPerPiece] = total;
  });
  double total = 0;
  for (const double piece : pieces) total += piece;
  return margins.empty() ? 0 : total / static_cast<double>(margins.size());
}

double auc_pr(std::span<const float> margins, std::span<const std::uint8_t> labels, const Context& context) {
  const PositiveMargins positives(margins, labels);
  const std::vector<std::uint64_t> counts = count_samples(positives, margins, context);
  double area = 0;
  double found = 0;
  double samples = 0;
  for (std::size_t i = positives.size(); i-- > 0;) {
    const double here = positives.positives(i);
    found += here;
    samples += static_cast<double>(counts[i]);
    area += here * found / samples;
  }
  return found > 0 ? area / found : 0;
}

}  // namespace greenkgc::decide
