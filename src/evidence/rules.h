#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "evidence/directed_relation.h"

namespace greenkgc::evidence {

inline constexpr std::size_t kLongestBody = 3;

// Of the pairs of entities that a rule's body links, counted over a sample: how many are facts.
struct RuleCounts {
  std::uint32_t pairs = 0;
  std::uint32_t facts = 0;

  friend bool operator==(const RuleCounts&, const RuleCounts&) = default;
};

// A path that predicts a relation: known -body[0]-> . -body[1]-> . -> answer implies known -head-> answer.
// Steps beyond the length are 0. Pairs are counted from either end: among known entities that have some
// answer (`from_known`), and among answers that are answers of someone (`from_answer`).
struct Rule {
  RelationId head;
  std::uint32_t length = 0;
  std::array<DirectedRelation, kLongestBody> body{};
  RuleCounts from_known;   // counted from heads
  RuleCounts from_answer;  // counted from tails

  friend bool operator==(const Rule&, const Rule&) = default;
};

// A rule as a question of one direction uses it.
struct DirectedRule {
  std::array<DirectedRelation, kLongestBody> body;
  std::uint32_t length;
  RuleCounts from_known;
  RuleCounts from_answer;
};

// Rules by the relation that they predict, in both directions. Immutable.
class RuleSet {
 public:
  RuleSet() = default;
  // Throws kBadInput for a relation out of range, a length that is not 1 to 3, or more facts than pairs.
  RuleSet(std::vector<Rule> rules, std::uint32_t relation_count);

  // Sorted by body, so that rules with the same first steps are neighbours. None for a relation that is
  // beyond the count. Length 1 to 3.
  std::span<const DirectedRule> of(DirectedRelation relation, std::uint32_t length) const;
  std::span<const Rule> all() const { return rules_; }

 private:
  std::vector<Rule> rules_;
  std::vector<DirectedRule> directed_;
  std::vector<std::uint32_t> ends_;  // where the rules of (directed relation, length) begin, and one more
};

// Facts per pair, drawn towards 0 where pairs are few.
float confidence(const RuleCounts& counts);

}  // namespace greenkgc::evidence
