#include "rank/completion_quality.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace greenkgc::rank {
namespace {

constexpr std::size_t kTenths = 10;
constexpr double kSingleShare = 0.9;  // of the heads of a relation, for it to be single-valued

std::vector<Triple> sorted_set(std::span<const Triple> facts) {
  std::vector<Triple> sorted(facts.begin(), facts.end());
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// Figures of a list that comes fact by fact, best first.
class ListFigures {
 public:
  void hide() { ++figures_.hidden; }

  // After all hidden facts.
  void add(double probability, bool is_right) {
    ++figures_.proposals;
    if (is_right) {
      ++right_;
      precisions_ += share(right_, figures_.proposals);
    }
    if (figures_.proposals <= figures_.hidden) right_of_first_ = right_;
    if (probability >= 0.9) {
      ++figures_.n_90;
      right_90_ += is_right ? 1 : 0;
    }
    if (probability >= 0.5) {
      ++figures_.n_50;
      right_50_ += is_right ? 1 : 0;
    }
  }

  CompletionFigures result() const {
    CompletionFigures figures = figures_;
    if (figures.hidden > 0) {
      figures.r_precision = share(right_of_first_, figures.hidden);
      figures.average_precision = precisions_ / static_cast<double>(figures.hidden);
      figures.recall = share(right_, figures.hidden);
    }
    if (figures.n_90 > 0) figures.precision_90 = share(right_90_, figures.n_90);
    if (figures.n_50 > 0) figures.precision_50 = share(right_50_, figures.n_50);
    return figures;
  }

 private:
  CompletionFigures figures_;
  double precisions_ = 0;  // the sum of the precisions at the places of hidden facts
  std::uint64_t right_ = 0;
  std::uint64_t right_of_first_ = 0;  // among as many as are hidden
  std::uint64_t right_90_ = 0;
  std::uint64_t right_50_ = 0;
};

// Ten equal bins of probability; 1 is in the last.
class TenBins {
 public:
  void add(double probability, bool is_right) {
    const double place = std::clamp(std::floor(probability * kTenths), 0.0, kTenths - 1.0);
    Bin& bin = bins_[static_cast<std::size_t>(place)];
    ++bin.candidates;
    bin.facts += is_right ? 1 : 0;
    bin.probabilities += probability;
  }

  double calibration_error() const {
    double error = 0;
    std::uint64_t candidates = 0;
    for (const Bin& bin : bins_) {
      error += std::abs(bin.probabilities - static_cast<double>(bin.facts));
      candidates += bin.candidates;
    }
    return candidates == 0 ? 0 : error / static_cast<double>(candidates);
  }

  std::vector<ReliabilityBin> result() const {
    std::vector<ReliabilityBin> bins;
    for (std::size_t b = 0; b < kTenths; ++b) {
      const Bin& bin = bins_[b];
      const double predicted =
          bin.candidates == 0 ? 0 : bin.probabilities / static_cast<double>(bin.candidates);
      bins.push_back({.from = static_cast<double>(b) / kTenths,
                      .to = static_cast<double>(b + 1) / kTenths,
                      .candidates = bin.candidates,
                      .facts = bin.facts,
                      .predicted = predicted,
                      .observed = share(bin.facts, bin.candidates)});
    }
    return bins;
  }

 private:
  struct Bin {
    std::uint64_t candidates = 0;
    std::uint64_t facts = 0;
    double probabilities = 0;  // their sum
  };
  std::array<Bin, kTenths> bins_;
};

std::vector<RelationCompletion> most_hidden_first(const std::map<RelationId, ListFigures>& by_relation) {
  std::vector<RelationCompletion> relations;
  for (const auto& [relation, figures] : by_relation) relations.push_back({relation, {}, figures.result()});
  std::stable_sort(relations.begin(), relations.end(),
                   [](const auto& a, const auto& b) { return a.figures.hidden > b.figures.hidden; });
  return relations;
}

}  // namespace

SecondValues::SecondValues(std::span<const Triple> known, std::span<const Triple> hidden)
    : known_(sorted_set(known)) {
  std::vector<Triple> all = known_;
  all.insert(all.end(), hidden.begin(), hidden.end());
  all = sorted_set(all);
  struct Heads {
    std::uint64_t all = 0;
    std::uint64_t single = 0;
  };
  std::vector<Heads> heads;  // by relation
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    const Triple& first = all[begin];
    while (end < all.size() && all[end].head == first.head && all[end].relation == first.relation) ++end;
    if (index(first.relation) >= heads.size()) heads.resize(index(first.relation) + 1);
    ++heads[index(first.relation)].all;
    heads[index(first.relation)].single += end - begin == 1 ? 1 : 0;
  }
  for (const Heads& of_relation : heads)
    single_.push_back(of_relation.all > 0 && share(of_relation.single, of_relation.all) >= kSingleShare);
}

bool SecondValues::contains(const Triple& fact) const {
  if (index(fact.relation) >= single_.size() || !single_[index(fact.relation)]) return false;
  const auto first =
      std::lower_bound(known_.begin(), known_.end(), Triple{fact.head, fact.relation, EntityId{0}});
  return first != known_.end() && first->head == fact.head && first->relation == fact.relation;
}

CompletionReport judge_proposals(std::span<const Answer> proposals, std::span<const Triple> hidden,
                                 std::span<const Triple> known) {
  const std::vector<Triple> own = sorted_set(known);
  std::vector<Triple> to_find = sorted_set(hidden);
  std::erase_if(to_find,
                [&](const Triple& fact) { return std::binary_search(own.begin(), own.end(), fact); });
  const SecondValues second_values(known, hidden);

  ListFigures all;
  std::map<RelationId, ListFigures> by_relation;
  for (const Triple& fact : to_find) {
    all.hide();
    by_relation[fact.relation].hide();
  }
  TenBins bins;
  TenBins first_bins;
  std::uint64_t second = 0;
  for (std::size_t i = 0; i < proposals.size(); ++i) {
    const auto& [fact, margin, probability, is_known] = proposals[i];
    const bool is_right = std::binary_search(to_find.begin(), to_find.end(), fact);
    all.add(probability, is_right);
    by_relation[fact.relation].add(probability, is_right);
    bins.add(probability, is_right);
    if (i < 2 * to_find.size()) first_bins.add(probability, is_right);
    if (i < to_find.size() && !is_right && second_values.contains(fact)) ++second;
  }
  return {.split = {},
          .all = all.result(),
          .calibration_error = first_bins.calibration_error(),
          .calibration_error_all = bins.calibration_error(),
          .second_values = share(second, std::min(to_find.size(), proposals.size())),
          .bins = bins.result(),
          .relations = most_hidden_first(by_relation)};
}

}  // namespace greenkgc::rank
