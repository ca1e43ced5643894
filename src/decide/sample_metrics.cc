#include "decide/sample_metrics.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace greenkgc::decide {

double log_loss(std::span<const float> margins, std::span<const std::uint8_t> labels) {
  double total = 0;
  for (std::size_t i = 0; i < margins.size(); ++i) {
    const double wrong = labels[i] != 0 ? -static_cast<double>(margins[i]) : static_cast<double>(margins[i]);
    total += std::max(wrong, 0.0) + std::log1p(std::exp(-std::abs(wrong)));
  }
  return margins.empty() ? 0 : total / static_cast<double>(margins.size());
}

double auc_pr(std::span<const float> margins, std::span<const std::uint8_t> labels) {
  struct Scored {
    float margin;
    std::uint8_t label;
  };
  std::vector<Scored> samples(margins.size());
  for (std::size_t i = 0; i < margins.size(); ++i) samples[i] = {margins[i], labels[i]};
  std::sort(samples.begin(), samples.end(),
            [](const Scored& a, const Scored& b) { return a.margin > b.margin; });
  double area = 0;
  double positives = 0;
  for (std::size_t begin = 0; begin < samples.size();) {
    std::size_t end = begin;
    double here = 0;
    do {
      here += samples[end++].label;
    } while (end < samples.size() && samples[end].margin == samples[begin].margin);
    positives += here;
    area += here * positives / static_cast<double>(end);
    begin = end;
  }
  return positives > 0 ? area / positives : 0;
}

}  // namespace greenkgc::decide
