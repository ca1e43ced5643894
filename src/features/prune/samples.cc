#include "features/prune/samples.h"

#include <algorithm>
#include <optional>

#include "base/parallel.h"
#include "base/permutation.h"
#include "base/random.h"

namespace greenkgc::features {
namespace {

constexpr std::uint32_t kCorruptionStream = 0x70726E01;
constexpr std::uint32_t kChoiceStream = 0x70726E02;
constexpr std::uint64_t kDraws = 100;

std::optional<Triple> corrupted(const SampleSource& source, std::uint64_t position,
                                const CounterRandom& random) {
  Triple fact = source.facts[position];
  EntityId& end = position % 2 == 0 ? fact.head : fact.tail;
  for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
    end = EntityId{static_cast<std::uint32_t>(random.below(source.entity_count, position * kDraws + draw))};
    if (!source.known.contains(fact)) return fact;
  }
  return std::nullopt;
}

void add(const Triple& fact, SampleSet& samples) {
  samples.heads.push_back(index(fact.head));
  samples.relations.push_back(index(fact.relation));
  samples.tails.push_back(index(fact.tail));
}

// The positions of a group's facts, in order; a random part of them where there are too many.
void limit(std::vector<std::uint64_t>& positions, std::uint64_t most, std::uint64_t seed) {
  if (most == 0 || positions.size() <= most) return;
  const Permutation order(positions.size(), CounterRandom(seed, kChoiceStream), positions.size());
  std::vector<std::uint64_t> chosen(most);
  for (std::uint64_t i = 0; i < most; ++i) chosen[i] = positions[order(i)];
  std::sort(chosen.begin(), chosen.end());
  positions = std::move(chosen);
}

}  // namespace

std::vector<SampleSet> draw_samples(const SampleSource& source, std::span<const std::uint32_t> group_of,
                                    std::size_t groups, std::uint64_t most_facts, const Context& context) {
  std::vector<std::vector<std::uint64_t>> positions(groups);
  for (std::uint64_t i = 0; i < source.facts.size(); ++i)
    positions[group_of[index(source.facts[i].relation)]].push_back(i);

  const CounterRandom random(context.seed, kCorruptionStream);
  std::vector<SampleSet> sets(groups);
  parallel_for(context, groups, 1, [&](std::size_t group, std::size_t) {
    limit(positions[group], most_facts, context.seed);
    SampleSet& samples = sets[group];
    for (const std::uint64_t position : positions[group]) add(source.facts[position], samples);
    samples.positives = samples.size();
    for (const std::uint64_t position : positions[group]) {
      if (const auto fact = corrupted(source, position, random)) add(*fact, samples);
    }
  });
  return sets;
}

}  // namespace greenkgc::features
