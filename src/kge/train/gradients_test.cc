#include "kge/train/gradients.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "kge/train/trainer.h"

namespace greenkgc::kge {
namespace {

using kge::Side;
using kge::Similarity;

// The loss of a batch straight from the definitions, in double precision.
class Reference {
 public:
  Reference(const EmbedOptions& options, const graph::KnownFacts& known) : options_(options), known_(known) {}

  double loss(const kge::Embeddings& embeddings, const Batch& batch,
              const std::vector<std::vector<double>>& shares) const {
    double total = 0;
    for (std::size_t i = 0; i < batch.queries.size(); ++i)
      total += query_loss(embeddings, batch, i, shares[i]);
    return total;
  }

  // The self-adversarial weights, which the loss takes as constant.
  std::vector<std::vector<double>> shares(const kge::Embeddings& embeddings, const Batch& batch) const {
    std::vector<std::vector<double>> all;
    for (const Query& query : batch.queries) {
      std::vector<double> row;
      double sum = 0;
      for (const EntityId negative : batch.negatives) {
        row.push_back(counts(query, negative)
                          ? std::exp(options_.temperature * score(embeddings, query, negative))
                          : 0);
        sum += row.back();
      }
      for (double& share : row) share /= sum;
      all.push_back(row);
    }
    return all;
  }

 private:
  bool counts(const Query& query, EntityId negative) const {
    const Triple fact = query.side == Side::kTail ? Triple{query.known, query.relation, negative}
                                                  : Triple{negative, query.relation, query.known};
    return !known_.contains(fact);
  }

  static double score(const kge::Embeddings& embeddings, const Query& query, EntityId candidate) {
    std::vector<double> q(embeddings.entity_width());
    embeddings.query(query.known, query.relation, query.side, std::span(q));
    const auto c = embeddings.entity(candidate);
    double product = 0;
    double squared = 0;
    double manhattan = 0;
    for (std::size_t k = 0; k < q.size(); ++k) {
      product += q[k] * c[k];
      squared += (q[k] - c[k]) * (q[k] - c[k]);
      manhattan += std::abs(q[k] - c[k]);
    }
    double moduli = 0;
    for (std::size_t k = 0; 2 * k < q.size(); ++k)
      moduli += std::hypot(q[k] - c[k], q[q.size() / 2 + k] - c[q.size() / 2 + k]);
    switch (embeddings.similarity) {
      case Similarity::kDot:
        return product;
      case Similarity::kEuclidean:
        return -std::sqrt(squared);
      case Similarity::kSquaredEuclidean:
        return -squared;
      case Similarity::kManhattan:
        return -manhattan;
      case Similarity::kModuli:
        return -moduli;
    }
    return 0;
  }

  static double softplus(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }

  double query_loss(const kge::Embeddings& embeddings, const Batch& batch, std::size_t i,
                    const std::vector<double>& share) const {
    const Query& query = batch.queries[i];
    return sampled_loss(embeddings, batch, query, share) +
           query.weight * options_.dura * squared_lengths(embeddings, query);
  }

  static double squared_lengths(const kge::Embeddings& embeddings, const Query& query) {
    std::vector<double> q(embeddings.entity_width());
    embeddings.query(query.known, query.relation, query.side, std::span(q));
    double sum = 0;
    for (const double x : q) sum += x * x;
    for (const double x : embeddings.entity(query.answer)) sum += x * x;
    return sum;
  }

  double sampled_loss(const kge::Embeddings& embeddings, const Batch& batch, const Query& query,
                      const std::vector<double>& share) const {
    const double positive = score(embeddings, query, query.answer);
    if (options_.loss == "softmax") {
      const double scale =
          static_cast<double>(embeddings.entity_count) / static_cast<double>(batch.negatives.size());
      double total = std::exp(positive);
      for (const EntityId negative : batch.negatives) {
        if (counts(query, negative)) total += scale * std::exp(score(embeddings, query, negative));
      }
      return query.weight * (std::log(total) - positive);
    }
    double loss = softplus(-(options_.margin + positive));
    for (std::size_t j = 0; j < batch.negatives.size(); ++j) {
      loss += share[j] * softplus(options_.margin + score(embeddings, query, batch.negatives[j]));
    }
    return query.weight * loss / 2;
  }

  EmbedOptions options_;
  const graph::KnownFacts& known_;
};

struct Case {
  std::string model;
  std::string similarity;
  std::string loss;
  bool reciprocal;
  double dura = 0;
  double range_share = 0;
};

class GradientsTest : public testing::TestWithParam<Case> {};

std::vector<Triple> random_facts(std::uint32_t entities, std::uint32_t relations, std::size_t count) {
  std::mt19937 random(7);
  std::vector<Triple> facts;
  for (std::size_t i = 0; i < count; ++i) {
    facts.push_back({EntityId{static_cast<std::uint32_t>(random() % entities)},
                     RelationId{static_cast<std::uint32_t>(random() % relations)},
                     EntityId{static_cast<std::uint32_t>(random() % entities)}});
  }
  return facts;
}

// The gradient of each weight, summed over the places where its row occurs, against the slope of the loss.
TEST_P(GradientsTest, AgreeWithTheSlopeOfTheLoss) {
  EmbedOptions options;
  options.model = GetParam().model;
  options.similarity = GetParam().similarity;
  options.loss = GetParam().loss;
  options.reciprocal = GetParam().reciprocal;
  options.dura = GetParam().dura;
  options.range_share = GetParam().range_share;
  options.dims = 5;
  options.margin = 2;
  options.temperature = 0.8;
  options.batch = 300;
  options.negatives = 9;
  options.init_scale = 0.6;
  const Context context{.threads = 2};
  constexpr std::uint32_t kEntities = 24;
  constexpr std::uint32_t kRelations = 3;
  const auto facts = random_facts(kEntities, kRelations, 100);
  const std::array<std::span<const Triple>, 1> parts = {facts};
  const graph::KnownFacts known(parts, kEntities, context);
  const BatchMaker batches(facts, known, kEntities, options, 5);
  Batch batch;
  batches.make(0, 0, batch);
  kge::Embeddings embeddings = initial_embeddings(options, kEntities, kRelations, 5);

  GradientMaker maker(batches, options);
  Gradients gradients;
  maker.compute(embeddings, batch, context, gradients);
  std::vector<double> entity_gradient(embeddings.entities.size());
  std::vector<double> relation_gradient(embeddings.relations.size());
  const std::size_t width = embeddings.entity_width();
  const auto add = [](std::vector<double>& sums, std::size_t row, std::size_t row_width,
                      const float* values) {
    for (std::size_t k = 0; k < row_width; ++k) sums[row * row_width + k] += values[k];
  };
  for (std::size_t i = 0; i < batch.queries.size(); ++i) {
    const Query& query = batch.queries[i];
    add(entity_gradient, index(query.known), width, gradients.known.data() + i * width);
    add(entity_gradient, index(query.answer), width, gradients.answer.data() + i * width);
    add(relation_gradient, embeddings.asking(query.relation, query.side).relation_row,
        embeddings.relation_width(), gradients.relation.data() + i * embeddings.relation_width());
  }
  for (std::size_t j = 0; j < batch.negatives.size(); ++j) {
    add(entity_gradient, index(batch.negatives[j]), width, gradients.negative.data() + j * width);
  }

  const Reference reference(options, known);
  const auto shares = reference.shares(embeddings, batch);
  EXPECT_NEAR(gradients.loss * static_cast<double>(batch.queries.size()),
              reference.loss(embeddings, batch, shares), 2e-3);
  const auto check = [&](std::vector<float>& weights, const std::vector<double>& computed, const char* what) {
    for (std::size_t i = 0; i < weights.size(); ++i) {
      constexpr float kStep = 0x1p-16F;
      const float before = weights[i];
      weights[i] = before + kStep;
      const double above = reference.loss(embeddings, batch, shares);
      weights[i] = before - kStep;
      const double below = reference.loss(embeddings, batch, shares);
      weights[i] = before;
      const double slope = (above - below) / (2 * kStep);
      EXPECT_NEAR(computed[i], slope, 0.01 * (1 + std::abs(slope))) << what << " " << i;
    }
  };
  check(embeddings.entities, entity_gradient, "entity");
  check(embeddings.relations, relation_gradient, "relation");
}

INSTANTIATE_TEST_SUITE_P(
    Models, GradientsTest,
    testing::Values(
        Case{"transe", "l2", "self-adversarial", false}, Case{"transe", "l1", "self-adversarial", false},
        Case{"transe", "squared-l2", "softmax", false}, Case{"rotate", "l2", "self-adversarial", false},
        Case{"rotate", "squared-l2", "softmax", false}, Case{"rotate", "moduli", "self-adversarial", false},
        Case{"rotate", "moduli", "softmax", true}, Case{"distmult", "dot", "softmax", false},
        Case{"distmult", "dot", "self-adversarial", true}, Case{"complex", "dot", "softmax", true},
        Case{"complex", "dot", "softmax", true, 0.3}, Case{"rotate", "squared-l2", "softmax", true, 0.2},
        Case{"transe", "l1", "self-adversarial", true, 0.2},
        Case{"complex", "dot", "self-adversarial", false}, Case{"complex", "dot", "softmax", true, 0, 0.4},
        Case{"complex", "dot", "softmax", false, 0.3, 0.4}, Case{"distmult", "dot", "softmax", true, 0, 0.4},
        Case{"transe", "l2", "self-adversarial", false, 0, 0.4}),
    [](const auto& test) {
      std::string name = test.param.model + "_" + test.param.similarity + "_" + test.param.loss;
      std::replace(name.begin(), name.end(), '-', '_');
      if (test.param.reciprocal) name += "_reciprocal";
      return name + (test.param.dura > 0 ? "_dura" : "") + (test.param.range_share > 0 ? "_range" : "");
    });

TEST(Gradients, AreTheSameForAnyNumberOfThreads) {
  EmbedOptions options;
  options.dims = 20;
  options.batch = 700;
  options.negatives = 300;
  const auto facts = random_facts(2000, 5, 500);
  const std::array<std::span<const Triple>, 1> parts = {facts};
  const graph::KnownFacts known(parts, 2000, Context{});
  const BatchMaker batches(facts, known, 2000, options, 1);
  Batch batch;
  batches.make(3, 1, batch);
  const kge::Embeddings embeddings = initial_embeddings(options, 2000, 5, 1);
  Gradients one;
  Gradients four;
  GradientMaker(batches, options).compute(embeddings, batch, Context{.threads = 1}, one);
  GradientMaker(batches, options).compute(embeddings, batch, Context{.threads = 4}, four);
  EXPECT_EQ(one.known, four.known);
  EXPECT_EQ(one.negative, four.negative);
  EXPECT_EQ(one.loss, four.loss);
}

}  // namespace
}  // namespace greenkgc::kge
