#include "trees/train/objective.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/parallel.h"
#include "base/random.h"
#include "trees/train/sample_metrics.h"

namespace greenkgc::trees {
namespace {

constexpr std::uint32_t kShareStream = 0x64656301;
constexpr std::uint32_t kBootstrapStream = 0x64656302;
constexpr std::size_t kGradientRowsPerPiece = 1 << 16;  // a multiple of kDrawsPerNumber
constexpr std::size_t kWeighedFactsPerPiece = 512;
constexpr int kRowTreeShift = 40;  // counters of two trees do not meet

// Calls use(row, sixteen random bits): four rows share a random number.
constexpr std::size_t kDrawsPerNumber = 4;
template <class Use>
void draw_sixteen_bits(const CounterRandom& random, std::uint64_t tree, std::size_t begin, std::size_t end,
                       const Use& use) {
  for (std::size_t first = begin; first < end; first += kDrawsPerNumber) {
    std::uint64_t bits = random.bits((tree << kRowTreeShift) + first / kDrawsPerNumber);
    for (std::size_t row = first; row < std::min(end, first + kDrawsPerNumber); ++row, bits >>= 16)
      use(row, static_cast<std::uint32_t>(bits & 0xFFFF));
  }
}

std::int32_t in_gradient_units(double x) {
  return static_cast<std::int32_t>(std::lround(x * simd::kGradientUnit));
}

// A query's answers: the fact at `fact`, the false ones at [begin, end).
struct Answers {
  std::size_t fact;
  std::size_t begin;
  std::size_t end;
};

std::array<Answers, 2> queries_of(const FactSamples& fact) {
  const std::size_t heads = fact.first + 1 + fact.false_tails;
  return {{{fact.first, fact.first + 1, heads}, {fact.first, heads, heads + fact.false_heads}}};
}

// log of the sum of exp(margin) over a query's answers.
double log_sum(const Answers& answers, std::span<const float> margins) {
  float most = margins[answers.fact];
  for (std::size_t row = answers.begin; row < answers.end; ++row) most = std::max(most, margins[row]);
  const auto shifted = [&](std::size_t row) { return std::exp(static_cast<double>(margins[row] - most)); };
  double sum = shifted(answers.fact);
  for (std::size_t row = answers.begin; row < answers.end; ++row) sum += shifted(row);
  return static_cast<double>(most) + std::log(sum);
}

void softmax_gradients(const FactSamples& fact, std::span<const float> margins,
                       std::span<simd::GradientPair> gradients) {
  gradients[fact.first] = {0, 0};
  for (const Answers& answers : queries_of(fact)) {
    const double total = log_sum(answers, margins);
    const auto add = [&](std::size_t row, double label) {
      const double p = std::exp(static_cast<double>(margins[row]) - total);
      gradients[row].gradient += in_gradient_units(p - label);
      gradients[row].hessian += std::max(1, in_gradient_units(p * (1 - p)));
    };
    add(answers.fact, 1);
    for (std::size_t row = answers.begin; row < answers.end; ++row) {
      gradients[row] = {0, 0};
      add(row, 0);
    }
  }
}

}  // namespace

void objective_gradients(Objective objective, const Samples& samples, std::span<const float> margins,
                         std::span<simd::GradientPair> gradients, const Context& context) {
  if (objective == Objective::kLogLoss) {
    parallel_for(context, samples.size(), kGradientRowsPerPiece, [&](std::size_t begin, std::size_t end) {
      simd::logistic_gradients(margins.subspan(begin, end - begin),
                               std::span(samples.labels).subspan(begin, end - begin),
                               gradients.subspan(begin, end - begin));
    });
    return;
  }
  parallel_for(context, samples.facts.size(), kWeighedFactsPerPiece, [&](std::size_t begin, std::size_t end) {
    for (std::size_t fact = begin; fact < end; ++fact)
      softmax_gradients(samples.facts[fact], margins, gradients);
  });
}

double objective_loss(Objective objective, const Samples& samples, std::span<const float> margins,
                      const Context& context) {
  if (objective == Objective::kLogLoss) return log_loss(margins, samples.labels, context);
  std::vector<double> pieces((samples.facts.size() + kWeighedFactsPerPiece - 1) / kWeighedFactsPerPiece);
  parallel_for(context, samples.facts.size(), kWeighedFactsPerPiece, [&](std::size_t begin, std::size_t end) {
    for (std::size_t fact = begin; fact < end; ++fact) {
      for (const Answers& answers : queries_of(samples.facts[fact]))
        pieces[begin / kWeighedFactsPerPiece] +=
            log_sum(answers, margins) - static_cast<double>(margins[answers.fact]);
    }
  });
  double total = 0;
  for (const double piece : pieces) total += piece;
  return samples.facts.empty() ? 0 : total / (2 * static_cast<double>(samples.facts.size()));
}

void keep_share(std::span<simd::GradientPair> gradients, double share, std::uint64_t tree,
                const Context& context) {
  if (share >= 1) return;
  const CounterRandom random(context.seed, kShareStream);
  const auto kept = static_cast<std::uint32_t>(std::lround(share * 0x10000));
  parallel_for(context, gradients.size(), kGradientRowsPerPiece, [&](std::size_t begin, std::size_t end) {
    draw_sixteen_bits(random, tree, begin, end, [&](std::size_t row, std::uint32_t bits) {
      const std::int32_t mask = bits < kept ? -1 : 0;
      gradients[row].gradient &= mask;
      gradients[row].hessian &= mask;
    });
  });
}

void weigh_as_bootstrap(std::span<simd::GradientPair> gradients, std::uint64_t tree, const Context& context) {
  // The bits below upper[k] have weight k or less.
  std::array<std::uint32_t, simd::kMostWeight> upper = {};
  double probability = std::exp(-1.0);
  double below = 0;
  for (std::size_t k = 0; k < upper.size(); ++k) {
    below += probability;
    upper[k] = static_cast<std::uint32_t>(std::lround(below * 0x10000));
    probability /= static_cast<double>(k + 1);
  }
  const CounterRandom random(context.seed, kBootstrapStream);
  parallel_for(context, gradients.size(), kGradientRowsPerPiece, [&](std::size_t begin, std::size_t end) {
    draw_sixteen_bits(random, tree, begin, end, [&](std::size_t row, std::uint32_t bits) {
      std::int32_t weight = 0;
      for (const std::uint32_t bound : upper) weight += bits >= bound ? 1 : 0;
      gradients[row].gradient *= weight;
      gradients[row].hessian *= weight;
    });
  });
}

}  // namespace greenkgc::trees
