#include "rank/calibration/counted_margins.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "rank/candidate_counts.h"
#include "rank/rankers/fact_margins.h"

namespace greenkgc::rank {
namespace {

constexpr std::uint32_t kBinsStream = 0x63616c69;
constexpr std::size_t kBins = 4096;

// Finds the bin of a margin: the number of edges that are at most the margin.
class MarginBins {
 public:
  explicit MarginBins(std::vector<float> edges) : edges_(std::move(edges)) {
    std::erase_if(edges_, [](float edge) { return !std::isfinite(edge); });
    if (edges_.empty()) edges_ = {0};
    std::sort(edges_.begin(), edges_.end());
    edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
    if (edges_.size() > 1) scale_ = static_cast<float>(kCells) / (edges_.back() - edges_.front());
    first_.resize(kCells + 1, edges_.size());
    for (std::size_t i = edges_.size(); i-- > 0;) first_[cell_of(edges_[i])] = i;
    for (std::size_t cell = kCells; cell-- > 0;) first_[cell] = std::min(first_[cell], first_[cell + 1]);
  }

  std::size_t count() const { return edges_.size() + 1; }
  std::size_t bin_of(float margin) const {
    const std::size_t cell = cell_of(margin);
    // cell_of never falls, so edges of lower cells are not above the margin, those of higher ones not below.
    const auto begin = edges_.begin();
    return static_cast<std::size_t>(std::upper_bound(begin + static_cast<std::ptrdiff_t>(first_[cell]),
                                                     begin + static_cast<std::ptrdiff_t>(first_[cell + 1]),
                                                     margin) -
                                    begin);
  }
  // Where bin b > 0 begins, and where its middle is.
  float edge(std::size_t b) const { return edges_[b - 1]; }
  float middle(std::size_t b) const {
    if (b == 0) return std::nextafter(edges_[0], -std::numeric_limits<float>::infinity());
    if (b == edges_.size()) return edges_[b - 1];
    return edges_[b - 1] / 2 + edges_[b] / 2;
  }

 private:
  static constexpr std::size_t kCells = 8192;

  std::size_t cell_of(float margin) const {
    const float cell = (margin - edges_.front()) * scale_;
    if (!(cell > 0)) return 0;  // also what is not a number
    return cell < static_cast<float>(kCells - 1) ? static_cast<std::size_t>(cell) : kCells - 1;
  }

  std::vector<float> edges_;        // ascending
  float scale_ = 0;                 // cells per margin
  std::vector<std::size_t> first_;  // edges_[first_[c] .. first_[c+1]) are in cell c
};

struct BinCounts {
  std::vector<std::uint64_t> positives;
  std::vector<std::uint64_t> negatives;

  explicit BinCounts(std::size_t bins) : positives(bins), negatives(bins) {}
  void add(const BinCounts& part) {
    for (std::size_t b = 0; b < positives.size(); ++b) {
      positives[b] += part.positives[b];
      negatives[b] += part.negatives[b];
    }
  }
};

class CountSink final : public model::MarginSink {
 public:
  CountSink(std::span<const std::uint32_t> places, std::span<const Query> queries, const Truth& truth,
            const MarginBins& bins, BinCounts& total)
      : bins_(bins), counts_(bins.count()), total_(total) {
    facts_.reserve(places.size());  // cursors keep pointers to them
    for (const std::uint32_t place : places) {
      const Query& query = queries[place];
      facts_.push_back(answers_to_find(query, truth));
      cursors_.push_back({IdCursor(facts_.back()), IdCursor(known_answers(truth.known, query))});
    }
  }

  void take(std::size_t i, std::uint32_t first, std::span<float> margins) override {
    for (const float margin : margins) ++counts_.negatives[bins_.bin_of(margin)];
    cursors_[i].known.skip_below(first);
    cursors_[i].known.for_each_below(first + margins.size(), [&](std::uint32_t id) {
      --counts_.negatives[bins_.bin_of(margins[id - first])];
    });
    cursors_[i].facts.skip_below(first);
    cursors_[i].facts.for_each_below(first + margins.size(), [&](std::uint32_t id) {
      const std::size_t bin = bins_.bin_of(margins[id - first]);
      --counts_.negatives[bin];
      ++counts_.positives[bin];
    });
  }

  void finish() override { total_.add(counts_); }

 private:
  struct Cursors {
    IdCursor facts;
    IdCursor known;
  };

  const MarginBins& bins_;
  BinCounts counts_;
  BinCounts& total_;
  std::vector<std::vector<EntityId>> facts_;  // by place
  std::vector<Cursors> cursors_;
};

// Margins of all facts to be found, and of a sample of all candidates.
std::vector<float> edges_of(const model::Decisions& decisions, std::span<const Query> queries,
                            const Truth& truth, const Context& context) {
  std::vector<RankQuery> asked;
  for (const Query& query : queries) {
    for (const EntityId answer : answers_to_find(query, truth))
      asked.push_back({query.known, query.relation, answer, query.side});
  }
  const CounterRandom random(context.seed, kBinsStream);
  const std::uint32_t entities = decisions.tables.entities.rows();
  for (std::size_t i = 0; i < kBins; ++i) {
    const Query& query = queries[i % queries.size()];
    const EntityId candidate{static_cast<std::uint32_t>(random.below(entities, i))};
    asked.push_back({query.known, query.relation, candidate, query.side});
  }
  return margins_of(decisions, asked, context);
}

void append(const CountedMargin& sample, std::vector<CountedMargin>& samples) {
  if (sample.positives + sample.negatives == 0) return;
  if (samples.empty() || samples.back().margin < sample.margin) {
    samples.push_back(sample);
  } else {
    samples.back().positives += sample.positives;
    samples.back().negatives += sample.negatives;
  }
}

}  // namespace

std::uint64_t positives_in(std::span<const CountedMargin> samples) {
  std::uint64_t positives = 0;
  for (const CountedMargin& sample : samples) positives += sample.positives;
  return positives;
}

std::vector<EntityId> answers_to_find(const Query& query, const Truth& truth) {
  const auto facts = known_answers(truth.facts, query);
  const auto known = known_answers(truth.known, query);
  std::vector<EntityId> answers;
  std::set_difference(facts.begin(), facts.end(), known.begin(), known.end(), std::back_inserter(answers));
  return answers;
}

std::vector<CountedMargin> count_margins(const model::Decisions& decisions, std::span<const Query> queries,
                                         const Truth& truth, const Context& context) {
  if (queries.empty()) return {};
  const MarginBins bins(edges_of(decisions, queries, truth, context));
  BinCounts counts(bins.count());
  model::score_entities(
      decisions, queries,
      [&](std::span<const std::uint32_t> places) {
        return std::make_unique<CountSink>(places, queries, truth, bins, counts);
      },
      context);
  std::vector<CountedMargin> samples;
  for (std::size_t b = 0; b < bins.count(); ++b) {
    if (b > 0) append({bins.edge(b), counts.positives[b], 0}, samples);
    append({bins.middle(b), 0, counts.negatives[b]}, samples);
  }
  return samples;
}

std::vector<CountedMargin> merged(std::span<const std::vector<CountedMargin>> parts) {
  std::vector<CountedMargin> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  std::sort(all.begin(), all.end(),
            [](const CountedMargin& a, const CountedMargin& b) { return a.margin < b.margin; });
  std::vector<CountedMargin> samples;
  for (const CountedMargin& sample : all) append(sample, samples);
  return samples;
}

}  // namespace greenkgc::rank
