#include "graph/synthetic/planted_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <string>

#include "base/text.h"
#include "greenkgc/error.h"

namespace greenkgc::graph {

namespace {

constexpr std::uint32_t kNoiseStream = 0x67656E04;
constexpr std::uint32_t kHubStream = 0x67656E05;

// The targets of an anchor, k = 0, 1, 2 and so on, are cut into levels that get wider with k. The share of a
// relation's anchors that reaches a level falls as (k + 1)^-skew: a Pareto distribution of the targets per
// anchor, in a number of steps that is the logarithm of the largest one.
struct Level {
  std::uint32_t first_k;
  std::uint32_t width;
  double share;
  std::uint64_t facts = 0;
};

std::vector<Level> make_levels(std::uint32_t max_targets, double skew) {
  std::vector<Level> levels;
  for (std::uint32_t k = 0; k < max_targets; k += levels.back().width) {
    const std::uint32_t width = std::min(std::max(1u, k / 4), max_targets - k);
    levels.push_back({.first_k = k, .width = width, .share = std::pow(k + 1.0, -skew)});
  }
  return levels;
}

std::uint64_t must_cover(const PlantedRelation& relation) {
  return std::max(1u, relation.covers);
}

// Cut at a number that no request reaches and that no sum of relations lets overflow.
std::uint64_t capacity(const PlantedRelation& relation) {
  return std::min(std::uint64_t{relation.anchors.size} * relation.max_targets, std::uint64_t{1} << 40);
}

// The fewest triples of which train gets so many.
std::uint64_t least_triples(GenerateOptions options, std::uint64_t train) {
  const double train_share = 1 - options.valid_share - options.test_share;
  options.triples = static_cast<std::int64_t>(static_cast<double>(train) / train_share);
  while (split_sizes(options).train >= train) --options.triples;
  while (split_sizes(options).train < train) ++options.triples;
  return static_cast<std::uint64_t>(options.triples);
}

void refuse_unless_possible(const GenerateOptions& options, std::span<const PlantedRelation> relations) {
  std::uint64_t least_in_train = 0;
  std::uint64_t most = 0;
  for (const PlantedRelation& relation : relations) {
    least_in_train += must_cover(relation);
    most += capacity(relation);
  }
  const auto triples = static_cast<std::uint64_t>(options.triples);
  if (split_sizes(options).train >= least_in_train && triples <= most) return;
  const std::string graph = fmt::format("{} triples for {} entities and {}", with_commas(triples),
                                        with_commas(static_cast<std::uint64_t>(options.entities)),
                                        count_of(static_cast<std::uint64_t>(options.relations), "relation"));
  if (triples > most) {
    throw Error(ErrorCode::kUsage, fmt::format("{} are too many: the rules allow {}; use fewer triples, more "
                                               "entities, more relations, or other shares of rules",
                                               graph, with_commas(most)));
  }
  throw Error(
      ErrorCode::kUsage,
      fmt::format("{} are too few: train alone needs {}, one for each entity and relation, which requires at "
                  "least {} triples with these shares for valid and test",
                  graph, with_commas(least_in_train), with_commas(least_triples(options, least_in_train))));
}

// Facts of each relation: by weight, but at least what it must cover and at most what it can hold. One that
// has a model gets as many as that, or fewer where facts are scarce.
std::vector<std::uint64_t> share_out(std::uint64_t facts, std::span<const PlantedRelation> relations) {
  std::vector<std::uint64_t> shares(relations.size());
  bool scarce = false;
  const auto total_at = [&](double per_weight) {
    std::uint64_t total = 0;
    for (std::size_t r = 0; r < relations.size(); ++r) {
      const double wanted = std::min(per_weight * relations[r].weight, static_cast<double>(facts));
      const std::uint32_t model = index(relations[r].model);
      shares[r] = model != r && !scarce ? shares[model]
                                        : std::clamp(static_cast<std::uint64_t>(wanted),
                                                     must_cover(relations[r]), capacity(relations[r]));
      total += shares[r];
    }
    return total;
  };
  scarce = total_at(0) > facts;
  double low = 0;
  double high = 1;
  while (total_at(high) < facts) high *= 2;
  std::uint64_t left = facts - total_at(low);
  for (int i = 0; i < 64 && left > relations.size(); ++i) {
    const double middle = (low + high) / 2;
    const std::uint64_t total = total_at(middle);
    (total <= facts ? low : high) = middle;
    if (total <= facts) left = facts - total;
  }
  left = facts - total_at(low);
  while (left > 0) {  // one each
    for (std::size_t r = 0; r < relations.size() && left > 0; ++r) {
      if (shares[r] == capacity(relations[r])) continue;
      ++shares[r];
      --left;
    }
  }
  return shares;
}

// The levels that `facts` can reach, of those of the relation with the most targets.
std::vector<Level> levels_of(const PlantedRelation& relation, std::uint64_t facts,
                             std::span<const Level> all_levels) {
  std::vector<Level> levels;
  for (Level level : all_levels) {
    if (level.first_k >= relation.max_targets || level.first_k >= facts) break;
    level.width = std::min(level.width, relation.max_targets - level.first_k);
    levels.push_back(level);
  }
  return levels;
}

// How many anchors would reach each level if there were no end of anchors: the levels' shares times one
// factor, such that it makes `facts` with the anchors that there are.
std::vector<double> reach_levels(std::span<const Level> levels, std::uint64_t facts, double anchors) {
  std::vector<double> shares_from(levels.size() + 1);
  for (std::size_t l = levels.size(); l-- > 0;)
    shares_from[l] = shares_from[l + 1] + levels[l].share * levels[l].width;
  auto left = static_cast<double>(facts);
  double factor = left / shares_from[0];
  for (std::size_t full = 0; full + 1 < levels.size() && factor * levels[full].share > anchors; ++full) {
    left -= anchors * levels[full].width;
    factor = left / shares_from[full + 1];
  }
  std::vector<double> reached;
  for (const Level& level : levels) reached.push_back(factor * level.share);
  return reached;
}

// Shares out a relation's facts over levels. The first one gets at least what must be covered, and no other
// has more anchors than the first.
std::vector<Level> fill_levels(const PlantedRelation& relation, std::uint64_t facts,
                               std::span<const Level> all_levels) {
  const std::uint64_t anchors = relation.anchors.size;
  std::vector<Level> levels = levels_of(relation, facts, all_levels);
  const std::vector<double> reached = reach_levels(levels, facts, static_cast<double>(anchors));
  std::uint64_t left = facts;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const double wanted = reached[l] < 0.5 ? 0 : reached[l] * levels[l].width;
    levels[l].facts = static_cast<std::uint64_t>(std::min(wanted, static_cast<double>(left)));
    levels[l].facts = std::min(levels[l].facts, anchors * levels[l].width);
    if (l == 0) levels[l].facts = std::max(levels[l].facts, must_cover(relation));
    left -= levels[l].facts;
  }
  for (std::size_t l = 0; left > 0; ++l) {  // what rounding left
    const std::uint64_t more = std::min(left, anchors * levels[l].width - levels[l].facts);
    levels[l].facts += more;
    left -= more;
  }
  return levels;
}

void keep_first(std::vector<Level>& levels, std::uint64_t facts) {
  for (Level& level : levels) {
    level.facts = std::min(level.facts, facts);
    facts -= level.facts;
  }
}

}  // namespace

SplitSizes split_sizes(const GenerateOptions& options) {
  const auto triples = static_cast<std::uint64_t>(options.triples);
  const auto part = [&](double share) {  // 0.02 of 100 is 2, whatever the rounding of 0.02
    return static_cast<std::uint64_t>(share * static_cast<double>(triples) + 1e-6);
  };
  const std::uint64_t valid = part(options.valid_share);
  const std::uint64_t held_out = part(options.valid_share + options.test_share);
  return {.train = triples - held_out, .valid = valid, .test = held_out - valid};
}

PlantedFacts::PlantedFacts(const GenerateOptions& options, std::uint64_t seed)
    : rules_(options, seed), noise_(options.noise), noise_random_(seed, kNoiseStream) {
  const std::span<const PlantedRelation> relations = rules_.relations();
  refuse_unless_possible(options, relations);
  const std::vector<std::uint64_t> facts = share_out(static_cast<std::uint64_t>(options.triples), relations);
  std::uint32_t max_targets = 0;
  for (const PlantedRelation& relation : relations) max_targets = std::max(max_targets, relation.max_targets);
  const std::vector<Level> all_levels = make_levels(max_targets, options.skew);
  const CounterRandom hubs(seed, kHubStream);
  for (std::uint32_t r = 0; r < relations.size(); ++r) {
    // It has the anchors and levels of its model, whose share is never smaller.
    const std::uint32_t model = index(relations[r].model);
    std::vector<Level> levels = fill_levels(relations[model], facts[model], all_levels);
    hub_order_.emplace_back(levels[0].facts, hubs, model);
    keep_first(levels, facts[r]);

    const auto covering = static_cast<std::uint32_t>(must_cover(relations[r]));
    covering_.add({.relation = RelationId{r}, .anchors = covering}, covering);
    const auto more = static_cast<std::uint32_t>(levels[0].facts) - covering;
    free_.add({.relation = RelationId{r}, .first_anchor = covering, .anchors = more}, more);
    for (const Level& level : std::span(levels).subspan(1)) {
      const auto anchors = static_cast<std::uint32_t>((level.facts + level.width - 1) / level.width);
      free_.add({.relation = RelationId{r}, .anchors = anchors, .first_k = level.first_k}, level.facts);
    }
  }
}

void PlantedFacts::Blocks::add(Block block, std::uint64_t facts) {
  if (facts == 0) return;
  block.begin = count_;
  blocks_.push_back(block);
  count_ += facts;
}

PlantedFacts::Cell PlantedFacts::Blocks::operator[](std::uint64_t i) const {
  const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), i,
                                      [](std::uint64_t number, const Block& b) { return number < b.begin; });
  const Block& block = *std::prev(after);
  const std::uint64_t in_block = i - block.begin;
  return {.relation = block.relation,
          .anchor = block.first_anchor + static_cast<std::uint32_t>(in_block % block.anchors),
          .k = block.first_k + static_cast<std::uint32_t>(in_block / block.anchors)};
}

// Hubs come in random order, except for symmetric relations, whose pairs must stay together.
EntityId PlantedFacts::anchor(const Cell& cell) const {
  const bool shuffled = cell.k > 0 && rules_[cell.relation].rule != Rule::kSymmetric;
  const std::uint64_t i = shuffled ? hub_order_[index(cell.relation)](cell.anchor) : cell.anchor;
  return rules_.anchor(cell.relation, static_cast<std::uint32_t>(i), cell.k);
}

Triple PlantedFacts::fact(const Cell& cell, std::uint64_t number) const {
  const EntityId from = anchor(cell);
  std::optional<EntityId> to;
  if (noise_random_.unit(number) >= noise_) to = rules_.rule_target(cell.relation, from, cell.k);
  if (!to) to = rules_.stray_target(cell.relation, from, cell.k);
  return rules_[cell.relation].reversed ? Triple{*to, cell.relation, from} : Triple{from, cell.relation, *to};
}

}  // namespace greenkgc::graph
