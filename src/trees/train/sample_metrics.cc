#include "trees/train/sample_metrics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "base/parallel.h"

namespace greenkgc::trees {
namespace {

constexpr std::size_t kMeasuredRowsPerPiece = 1 << 16;

// The distinct margins of positives.
class PositiveMargins {
 public:
  PositiveMargins(std::span<const float> margins, std::span<const std::uint8_t> labels) {
    std::vector<float> sorted;
    for (std::size_t i = 0; i < margins.size(); ++i) {
      if (labels[i] != 0) sorted.push_back(margins[i]);
    }
    std::sort(sorted.begin(), sorted.end());
    for (const float margin : sorted) {
      if (margins_.empty() || margins_.back() != margin) {
        margins_.push_back(margin);
        positives_.push_back(0);
      }
      ++positives_.back();
    }
    if (!margins_.empty()) make_index();
  }

  std::size_t size() const { return positives_.size(); }
  std::uint32_t positives(std::size_t i) const { return positives_[i]; }

  // How many of them are at most this one.
  std::size_t count_up_to(float margin) const {
    if (size() == 0 || margin < margins_[0]) return 0;
    // By steps that do not depend on the margin, for branches would be mispredicted. What is behind the
    // bucket is above the margin.
    const float* at = margins_.data() + first_[bucket_of(std::min(margin, margins_[size() - 1]))];
    for (std::size_t step = window_ / 2; step > 0; step /= 2) at += at[step - 1] <= margin ? step : 0;
    return static_cast<std::size_t>(at - margins_.data()) + (*at <= margin ? 1 : 0);
  }

 private:
  static constexpr double kBuckets = 1 << 18;  // about the number of facts in 35 million samples

  std::size_t bucket_of(float margin) const {
    return static_cast<std::size_t>((static_cast<double>(margin) - lowest_) * buckets_per_unit_);
  }
  void make_index() {
    lowest_ = margins_.front();
    const double range = static_cast<double>(margins_.back()) - lowest_;
    buckets_per_unit_ = range > 0 ? kBuckets / range : 0;
    std::vector<std::uint32_t> counts(bucket_of(margins_.back()) + 1);
    for (const float margin : margins_) ++counts[bucket_of(margin)];
    first_.assign(counts.size(), 0);
    for (std::size_t b = 1; b < first_.size(); ++b) first_[b] = first_[b - 1] + counts[b - 1];
    window_ = std::bit_ceil(std::size_t{*std::ranges::max_element(counts)} + 1);
    margins_.resize(margins_.size() + window_, std::numeric_limits<float>::infinity());
  }

  std::vector<float> margins_;            // ascending; then as many infinite ones as a window may need
  std::vector<std::uint32_t> positives_;  // that have this margin
  // Buckets of equal width.
  double lowest_ = 0;
  double buckets_per_unit_ = 0;
  std::vector<std::uint32_t> first_;  // by bucket: where its margins start
  std::size_t window_ = 1;            // a power of two above the number of margins in any bucket
};

// How many samples are at a margin of positives or between it and the next higher one.
std::vector<std::uint64_t> count_samples(const PositiveMargins& positives, std::span<const float> margins,
                                         const Context& context) {
  const auto threads = static_cast<std::size_t>(context.thread_count());
  const std::size_t slice =
      std::max<std::size_t>(kMeasuredRowsPerPiece, (margins.size() + threads - 1) / threads);
  std::vector<std::vector<std::uint32_t>> counts((margins.size() + slice - 1) / slice);
  parallel_for(context, margins.size(), slice, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t>& count = counts[begin / slice];
    count.assign(positives.size() + 1, 0);
    for (std::size_t i = begin; i < end; ++i) ++count[positives.count_up_to(margins[i])];
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
  std::vector<double> pieces((margins.size() + kMeasuredRowsPerPiece - 1) / kMeasuredRowsPerPiece);
  parallel_for(context, margins.size(), kMeasuredRowsPerPiece, [&](std::size_t begin, std::size_t end) {
    double total = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const double wrong =
          labels[i] != 0 ? -static_cast<double>(margins[i]) : static_cast<double>(margins[i]);
      total += std::max(wrong, 0.0) + std::log1p(std::exp(-std::abs(wrong)));
    }
    pieces[begin / kMeasuredRowsPerPiece] = total;
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

}  // namespace greenkgc::trees
