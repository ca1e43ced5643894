#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "greenkgc/answers.h"
#include "greenkgc/context.h"
#include "greenkgc/export.h"
#include "greenkgc/ids.h"

namespace greenkgc {

namespace graph {
class KnownFacts;
}
namespace model {
struct NamedDecisions;
}
namespace rank {
class Ranker;
}

// How sure a model is of a fact. Margins are comparable within a group of relations, probabilities everywhere
// (docs/calibration.md).
struct Score {
  float margin = 0;
  double probability = 0;
};

// A model file, opened: answers questions about the graph that it was learned from. Labels and features stay
// in the file, which is mapped; opening checks all of it but the facts, which are checked when they are first
// asked for. Const calls may run in several threads. Ids that are out of range throw kUsage, except where
// labels are asked for, which trusts them.
class GREENKGC_API Model {
 public:
  // Throws kBadInput if there is no such file, kCorrupt or kUnsupported, saying where, for one that is no
  // model, is damaged, or of a newer version.
  static Model open(const std::filesystem::path& path);
  ~Model();
  Model(Model&& other) noexcept;
  Model& operator=(Model&& other) noexcept;

  std::uint32_t entity_count() const;
  std::uint32_t relation_count() const;
  std::string_view label(EntityId id) const;
  std::string_view label(RelationId id) const;
  std::optional<EntityId> find_entity(std::string_view label) const;
  std::optional<RelationId> find_relation(std::string_view label) const;
  // The same, but an unknown label throws kBadInput with the labels that may have been meant.
  EntityId entity(std::string_view label) const;
  RelationId relation(std::string_view label) const;

  // Whether the model holds the facts that it was learned from (`greenkgc decide --with-facts`).
  bool has_facts() const;

  // The best answers to each question, best first: entities by margin, lower ids first among equals;
  // relations by probability, since margins of different relations cannot be compared, then by margin and id.
  // All candidates are scored exactly; the result is the same for any number of threads and questions. In a
  // model without facts no answer is known, and the context's log says so. Throws kUsage for a question that
  // does not lack exactly one part.
  std::vector<std::vector<Answer>> predict(std::span<const Question> questions, const PredictOptions& options,
                                           const Context& context) const;
  std::vector<Answer> predict_tails(EntityId head, RelationId relation, const PredictOptions& options,
                                    const Context& context) const;
  std::vector<Answer> predict_heads(RelationId relation, EntityId tail, const PredictOptions& options,
                                    const Context& context) const;
  std::vector<Answer> predict_relations(EntityId head, EntityId tail, const PredictOptions& options,
                                        const Context& context) const;

  // The scores of all candidates of a question, in no order, those of known answers as if they were not
  // known: what predict() has for all, without the probabilities, which take a millisecond each with two
  // stages. Throws as predict() does.
  std::vector<float> candidate_margins(const Question& question, const Context& context) const;

  // Of each fact, asked for its tail. Throws kUsage for an id that the model does not have.
  std::vector<Score> score(std::span<const Triple> facts, const Context& context) const;

  // The entities whose rows are most alike to that of one, most alike first, lower ids first among equals: in
  // the dimensions that the relation's group keeps, or in all that the model stores.
  std::vector<Neighbor> neighbors(EntityId entity, std::optional<RelationId> relation, std::size_t k,
                                  const Context& context) const;

  // Lists at most `most` supporting facts and pieces of evidence.
  Explanation explain(const Triple& fact, std::size_t most, const Context& context) const;

  const model::NamedDecisions& impl() const;                           // for the library itself
  const graph::KnownFacts& known_facts(const Context& context) const;  // the same; made on first use
  // The facts that are no answers to what is new: known facts, and those that are known to be false.
  const graph::KnownFacts& not_new(const Context& context) const;  // the same
  const rank::Ranker& ranker(const Context& context) const;        // the same

 private:
  struct State;
  explicit Model(std::unique_ptr<const State> state);
  std::unique_ptr<const State> state_;
};

using TakeAnswers = std::function<void(const Question& question, std::span<const Answer> answers)>;

// Answers a file of questions, plain or compressed: lines of head, relation and tail as labels, separated by
// tabs, with a ? in one place; empty lines are passed over. Answers come in the order of the lines, while
// memory stays bounded. Throws kBadInput, with path and line, at the first line that is none or has an
// unknown label; answers to lines before it may have come.
GREENKGC_API void answer_file(const Model& model, const std::filesystem::path& questions,
                              const PredictOptions& options, const TakeAnswers& take, const Context& context);

}  // namespace greenkgc
