#include "evidence/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "greenkgc/error.h"

namespace greenkgc::evidence {
namespace {

constexpr float kDoubtfulPairs = 5;

void check(const Rule& rule, std::uint32_t relation_count) {
  const auto fail = [](const std::string& what) {
    throw Error(ErrorCode::kBadInput, "a rule of the second stage " + what);
  };
  if (rule.length < 1 || rule.length > kLongestBody)
    fail(fmt::format("has {} steps; 1 to {} were expected", rule.length, kLongestBody));
  if (index(rule.head) >= relation_count) fail("predicts a relation that does not exist");
  for (std::size_t i = 0; i < kLongestBody; ++i) {
    if (index(rule.body[i]) >= (i < rule.length ? 2 * std::uint64_t{relation_count} : 1))
      fail("follows a relation that does not exist");
  }
  for (const RuleCounts& counts : {rule.from_known, rule.from_answer}) {
    if (counts.facts > counts.pairs) fail("holds for more pairs than it was counted on");
  }
}

DirectedRule forwards(const Rule& rule) {
  return {rule.body, rule.length, rule.from_known, rule.from_answer};
}

DirectedRule backwards(const Rule& rule) {
  DirectedRule directed{{}, rule.length, rule.from_answer, rule.from_known};
  for (std::size_t i = 0; i < rule.length; ++i) directed.body[i] = inverse(rule.body[rule.length - 1 - i]);
  return directed;
}

std::size_t place(RelationId head, Side side, std::uint32_t length) {
  return std::size_t{index(towards(head, side))} * kLongestBody + length - 1;
}

}  // namespace

RuleSet::RuleSet(std::vector<Rule> rules, std::uint32_t relation_count) : rules_(std::move(rules)) {
  ends_.assign(std::size_t{relation_count} * 2 * kLongestBody + 1, 0);
  for (const Rule& rule : rules_) {
    check(rule, relation_count);
    ++ends_[place(rule.head, Side::kTail, rule.length) + 1];
    ++ends_[place(rule.head, Side::kHead, rule.length) + 1];
  }
  std::partial_sum(ends_.begin(), ends_.end(), ends_.begin());
  directed_.resize(2 * rules_.size());
  std::vector<std::uint32_t> next(ends_.begin(), ends_.end() - 1);
  for (const Rule& rule : rules_) {
    directed_[next[place(rule.head, Side::kTail, rule.length)]++] = forwards(rule);
    directed_[next[place(rule.head, Side::kHead, rule.length)]++] = backwards(rule);
  }
  for (std::size_t i = 0; i + 1 < ends_.size(); ++i)
    std::sort(directed_.begin() + ends_[i], directed_.begin() + ends_[i + 1],
              [](const DirectedRule& a, const DirectedRule& b) { return a.body < b.body; });
}

std::span<const DirectedRule> RuleSet::of(DirectedRelation relation, std::uint32_t length) const {
  const std::size_t place = std::size_t{index(relation)} * kLongestBody + length - 1;
  if (place + 1 >= ends_.size()) return {};
  return {directed_.data() + ends_[place], directed_.data() + ends_[place + 1]};
}

float confidence(const RuleCounts& counts) {
  return static_cast<float>(counts.facts) / (static_cast<float>(counts.pairs) + kDoubtfulPairs);
}

}  // namespace greenkgc::evidence
