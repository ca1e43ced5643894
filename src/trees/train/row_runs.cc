#include "trees/train/row_runs.h"

#include <algorithm>
#include <bit>

namespace greenkgc::trees {
namespace {

using features::kTripleParts;

// Which ids of two rows differ, a bit per part.
unsigned difference(const Samples& samples, std::size_t a, std::size_t b) {
  unsigned parts = 0;
  for (std::size_t part = 0; part < kTripleParts; ++part)
    parts |= (samples.ids[part][a] != samples.ids[part][b] ? 1U : 0U) << part;
  return parts;
}

struct Stretch {
  std::size_t end;
  std::size_t varies;  // the part
};

// The longest run that starts at `begin`.
Stretch run_from(const Samples& samples, std::size_t begin, std::size_t last) {
  unsigned parts = 0;
  std::size_t end = begin + 1;
  for (; end < last; ++end) {
    const unsigned more = parts | difference(samples, end - 1, end);
    if (std::popcount(more) > 1) break;
    parts = more;
  }
  return {end, parts == 0 ? kTripleParts - 1 : static_cast<std::size_t>(std::countr_zero(parts))};
}

}  // namespace

RowKeyRange::RowKeyRange(const features::SideTables& tables) {
  for (std::size_t part = 0; part < kTripleParts; ++part)
    firsts_[part + 1] = firsts_[part] + tables.of(static_cast<TriplePart>(part)).rows();
}

RowRuns::RowRuns(const Samples& samples, const RowKeyRange& range) : keys_(samples.size()), first_runs_{0} {
  const auto key = [&](std::size_t part, std::size_t row) {
    return range.key(static_cast<TriplePart>(part), samples.ids[part][row]);
  };
  for (std::size_t first = 0; first < samples.size(); first += kBlock) {
    const std::size_t last = std::min(samples.size(), first + kBlock);
    for (std::size_t begin = first; begin < last;) {
      const auto [end, varies] = run_from(samples, begin, last);
      runs_.push_back({static_cast<std::uint16_t>(begin - first),
                       static_cast<std::uint16_t>(end - first),
                       {key((varies + 1) % kTripleParts, begin), key((varies + 2) % kTripleParts, begin)}});
      for (std::size_t row = begin; row < end; ++row) keys_[row] = key(varies, row);
      begin = end;
    }
    first_runs_.push_back(runs_.size());
  }
  runs_.shrink_to_fit();
}

}  // namespace greenkgc::trees
