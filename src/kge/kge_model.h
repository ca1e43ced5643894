#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/query.h"

namespace greenkgc::kge {

using graph::Side;

// How a query vector q and a candidate's row c are compared. Higher is better.
enum class Similarity {
  kDot,               //  <q, c>
  kEuclidean,         // -|q - c|
  kSquaredEuclidean,  // -|q - c|^2
  kManhattan,         // -|q - c|_1
  kModuli,            // the same over complex numbers: minus the sum of the moduli of q - c
};

// A knowledge-graph embedding model (paper, table of models): every one of ours scores a fact by turning the
// known entity and the relation into a query vector of the same size as an entity's row, and comparing that
// with the candidate's row. That is what makes training and ranking matrix products. A row of dimension d
// holds n_e (n_r) variables per dimension: the d first variables, then the d second ones. Stateless: const
// calls may run in several threads.
class KgeModel {
 public:
  virtual ~KgeModel() = default;

  virtual std::string_view name() const = 0;
  virtual std::size_t entity_variables() const = 0;          // n_e
  virtual std::size_t relation_variables() const = 0;        // n_r
  virtual std::vector<Similarity> similarities() const = 0;  // that it may be used with, the usual one first

  // q from the known entity's row and the relation's row, for answers on `side`.
  virtual void query(Side side, std::span<const float> entity, std::span<const float> relation,
                     std::span<float> q) const = 0;
  // The same in double precision from the same rows: the reference that ranks are decided by.
  virtual void query(Side side, std::span<const float> entity, std::span<const float> relation,
                     std::span<double> q) const = 0;
  // The chain rule: from d loss / d q, writes d loss / d entity and d loss / d relation.
  virtual void gradient(Side side, std::span<const float> entity, std::span<const float> relation,
                        std::span<const float> q_gradient, std::span<float> entity_gradient,
                        std::span<float> relation_gradient) const = 0;
  // Relations start uniform in [-relation_range(), relation_range()] where that is not 0 (phases), else like
  // entities.
  virtual float relation_range() const { return 0; }

  // What stands for the known entity where it does not count (Embeddings::range_dims): its first variable,
  // the others being 0.
  virtual float neutral() const = 0;

  std::size_t triple_variables() const { return 2 * entity_variables() + relation_variables(); }  // n_v
};

// The models by name: "transe", "distmult", "complex", "rotate". Throws kUsage with the nearest name.
const KgeModel& kge_model(std::string_view name);
std::vector<std::string> kge_model_names();

std::string_view similarity_name(Similarity similarity);  // "dot", "l2", "squared-l2", "l1", "moduli"

}  // namespace greenkgc::kge
