#include "trees/train/lists/list_objective.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/parallel.h"
#include "simd/vector/exponentials.h"
#include "trees/train/sample_metrics.h"

namespace greenkgc::trees {
namespace {

constexpr std::size_t kListGradientRowsPerPiece = 1 << 16;
constexpr std::size_t kListsPerPiece = 128;
constexpr double kLeastTotal = 1e-60;  // below every sum of floats that is not 0; its square is no 0

std::int32_t in_list_units(double x) {
  return static_cast<std::int32_t>(x * simd::kGradientUnit + (x < 0 ? -0.5 : 0.5));
}

// exp(margin - the list's highest), and what follows from it.
class ListSoftmax {
 public:
  void set(std::span<const float> margins, std::span<const std::uint8_t> labels) {
    labels_ = labels;
    exponentials_.resize(margins.size());
    const float highest = margins.empty() ? 0 : *std::max_element(margins.begin(), margins.end());
    simd::shifted_exponentials(margins, highest, exponentials_);
    others_ = 0;
    answers_ = 0;
    for (std::size_t i = 0; i < margins.size(); ++i) {
      if (labels[i] == 0) others_ += static_cast<double>(exponentials_[i]);
      answers_ += labels[i];
    }
  }

  std::size_t answers() const { return answers_; }
  double exponential(std::size_t i) const { return static_cast<double>(exponentials_[i]); }
  // What an answer's exponential is divided by for its probability.
  double total(std::size_t answer) const { return std::max(exponential(answer) + others_, kLeastTotal); }

  void write_gradients(std::span<simd::GradientPair> gradients) const {
    if (answers_ == 0) {
      std::fill(gradients.begin(), gradients.end(), simd::GradientPair{});
      return;
    }
    const double weight = std::min(1.0, simd::kMostWeight / static_cast<double>(answers_));
    double inverses = 0;  // weighed sums over answers of 1 / total and of its square
    double squares = 0;
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      if (labels_[i] == 0) continue;
      const double inverse = 1 / total(i);
      const double p = exponential(i) * inverse;
      inverses += weight * inverse;
      squares += weight * inverse * inverse;
      gradients[i] = pair_of(weight * (p - 1), weight * p * (1 - p));
    }
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      if (labels_[i] != 0) continue;
      const double p = exponential(i) * inverses;
      gradients[i] = pair_of(p, p - exponential(i) * exponential(i) * squares);
    }
  }

 private:
  static simd::GradientPair pair_of(double gradient, double hessian) {
    return {in_list_units(gradient), std::max(1, in_list_units(hessian))};
  }

  std::span<const std::uint8_t> labels_;
  std::vector<float> exponentials_;
  double others_ = 0;  // sum over those that are no answers
  std::size_t answers_ = 0;
};

double reciprocal_rank(std::span<const float> margins, std::span<const std::uint8_t> labels,
                       std::size_t answer) {
  std::size_t better = 0;
  std::size_t equal = 0;
  for (std::size_t i = 0; i < margins.size(); ++i) {
    if (labels[i] != 0) continue;
    better += margins[i] > margins[answer] ? 1 : 0;
    equal += margins[i] == margins[answer] ? 1 : 0;
  }
  return 1 / (1 + static_cast<double>(better) + static_cast<double>(equal) / 2);
}

}  // namespace

void list_gradients(Objective objective, const Lists& lists, std::span<const float> margins,
                    std::span<simd::GradientPair> gradients, const Context& context) {
  if (objective == Objective::kLogLoss) {
    parallel_for(context, lists.rows(), kListGradientRowsPerPiece, [&](std::size_t begin, std::size_t end) {
      simd::logistic_gradients(margins.subspan(begin, end - begin),
                               std::span(lists.labels).subspan(begin, end - begin),
                               gradients.subspan(begin, end - begin));
    });
    return;
  }
  parallel_for(context, lists.size(), kListsPerPiece, [&](std::size_t first, std::size_t last) {
    ListSoftmax softmax;
    for (std::size_t list = first; list < last; ++list) {
      const std::size_t begin = lists.begin(list);
      const std::size_t count = lists.end(list) - begin;
      softmax.set(margins.subspan(begin, count), std::span(lists.labels).subspan(begin, count));
      softmax.write_gradients(gradients.subspan(begin, count));
    }
  });
}

ListFigures list_figures(Objective objective, const Lists& lists, std::span<const float> margins,
                         const Context& context) {
  struct Piece {
    double loss = 0;
    double reciprocal = 0;
    std::size_t answers = 0;
  };
  std::vector<Piece> pieces((lists.size() + kListsPerPiece - 1) / kListsPerPiece);
  parallel_for(context, lists.size(), kListsPerPiece, [&](std::size_t first, std::size_t last) {
    ListSoftmax softmax;
    Piece& piece = pieces[first / kListsPerPiece];
    for (std::size_t list = first; list < last; ++list) {
      const std::size_t begin = lists.begin(list);
      const std::span own = margins.subspan(begin, lists.end(list) - begin);
      const std::span labels = std::span(lists.labels).subspan(begin, own.size());
      softmax.set(own, labels);
      piece.answers += softmax.answers();
      for (std::size_t i = 0; i < own.size() && softmax.answers() > 0; ++i) {
        if (labels[i] == 0) continue;
        piece.loss -=
            std::log(std::max(softmax.exponential(i) / softmax.total(i), std::numeric_limits<double>::min()));
        piece.reciprocal += reciprocal_rank(own, labels, i);
      }
    }
  });
  Piece all;
  for (const Piece& piece : pieces) {
    all.loss += piece.loss;
    all.reciprocal += piece.reciprocal;
    all.answers += piece.answers;
  }
  if (all.answers == 0) return {};
  const auto answers = static_cast<double>(all.answers);
  const bool softmax = objective == Objective::kSoftmax;
  return {softmax ? all.loss / answers : log_loss(margins, lists.labels, context), all.reciprocal / answers};
}

}  // namespace greenkgc::trees
