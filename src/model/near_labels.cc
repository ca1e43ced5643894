#include "model/near_labels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "greenkgc/options.h"

namespace greenkgc::model {
namespace {

constexpr std::size_t kMostCompared = 20'000;
constexpr std::size_t kLongestCompared = 128;
constexpr std::size_t kMostNamed = 3;
constexpr std::size_t kShortestBeginning = 3;

std::size_t common_beginning(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

}  // namespace

std::string did_you_mean(const LabelTable& labels, std::string_view word) {
  const auto order = labels.in_order();
  const auto place = static_cast<std::size_t>(
      std::lower_bound(order.begin(), order.end(), word,
                       [&](std::uint32_t id, std::string_view text) { return labels.label(id) < text; }) -
      order.begin());
  const std::size_t begin = order.size() <= kMostCompared ? 0 : place - std::min(place, kMostCompared / 2);
  const std::size_t end = std::min(order.size(), begin + kMostCompared);

  std::vector<std::string> compared;
  for (const std::uint32_t id : order.subspan(begin, end - begin)) {
    if (labels.label(id).size() <= kLongestCompared) compared.emplace_back(labels.label(id));
  }
  std::vector<std::string> named;
  const auto name = [&](std::string_view label) {
    const std::string shown = in_quotes(label);
    if (named.size() < kMostNamed && std::find(named.begin(), named.end(), shown) == named.end())
      named.push_back(shown);
  };
  if (const std::string near = nearest_name(word, compared); !near.empty()) name(near);
  // Those beside it, if they begin as it does.
  for (const std::size_t at : {place, place - 1, place + 1}) {
    if (at >= order.size()) continue;
    const std::string_view label = labels.label(order[at]);
    if (common_beginning(label, word) >= std::max(kShortestBeginning, word.size() / 2)) name(label);
  }
  return named.empty() ? "" : fmt::format("; did you mean {}?", fmt::join(named, " or "));
}

}  // namespace greenkgc::model
