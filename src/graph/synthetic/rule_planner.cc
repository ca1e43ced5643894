#include "graph/synthetic/rule_planner.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/permutation.h"
#include "base/random.h"

namespace greenkgc::graph {

namespace {

constexpr std::uint32_t kPlanStream = 0x67656E01;

// Draws the relations in two steps: primary ones, whose anchors are heads and cover every entity, and then
// those that are the reverse of a rule or follow from primary ones.
class Planner {
 public:
  Planner(const GenerateOptions& options, std::span<const EntityRun> types, std::uint64_t seed)
      : counts_(count_relations(options)),
        one_to_many_(counts_.plain / 4),
        types_(types),
        large_types_(static_cast<std::uint32_t>(types.size() - types.size() / 3)),
        random_(seed, kPlanStream),
        popularity_(static_cast<std::uint64_t>(options.relations), random_, draws_++) {}

  std::vector<PlantedRelation> plan() {
    draw_domains();
    add_primaries();
    cover_entities();
    add_one_to_many();
    add_inverses();
    add_compositions();
    return std::move(relations_);
  }

 private:
  // The anchors of primary relations: one type, or several in a row where relations are few.
  void draw_domains() {
    const std::uint32_t primaries = counts_.plain - one_to_many_ + counts_.symmetric + counts_.inverse_pairs;
    const std::uint64_t count = std::min<std::uint64_t>(types_.size(), primaries);
    std::vector<double> size_up_to;
    double sizes = 0;
    for (std::uint64_t d = 0; d < count; ++d) {
      const EntityRun& front = types_[d * types_.size() / count];
      const EntityRun& back = types_[(d + 1) * types_.size() / count - 1];
      domains_.push_back({front.begin, back.begin + back.size - front.begin});
      size_up_to.push_back(sizes += std::sqrt(domains_.back().size));
    }
    for (std::uint32_t i = 0; i < primaries; ++i) {
      const double at = random_.unit(draws_++) * sizes;
      const auto drawn = std::upper_bound(size_up_to.begin(), size_up_to.end() - 1, at) - size_up_to.begin();
      domain_of_primary_.push_back(i < count ? i : static_cast<std::uint32_t>(drawn));
    }
  }

  void add_primaries() {
    constexpr Rule kRules[] = {Rule::kManyToMany, Rule::kManyToOne, Rule::kOneToOne};
    for (std::uint32_t i = 0; i < counts_.plain - one_to_many_; ++i) add_primary(kRules[i % 3]);
    plain_primaries_ = relations_.size();
    for (std::uint32_t i = 0; i < counts_.inverse_pairs; ++i) add_primary(kRules[i % 3]);
    for (std::uint32_t i = 0; i < counts_.symmetric; ++i) {
      PlantedRelation& relation = add_primary(Rule::kSymmetric);
      if (i % 2 == 0)
        relation.max_targets = std::bit_floor(std::min(kClusterSize, relation.anchors.size)) - 1;
    }
  }

  PlantedRelation& add_primary(Rule rule) {
    const std::size_t i = relations_.size();
    const EntityRun anchors = domains_[domain_of_primary_[i]];
    PlantedRelation& relation = add(rule, anchors);
    switch (rule) {
      case Rule::kManyToMany:  // the first one's targets are many, so that any graph can hold many facts
        relation.targets = type_outside(anchors, large_types_, i == 0 ? 0 : draw(large_types_));
        relation.max_targets = relation.targets.size;
        break;
      case Rule::kManyToOne:  // from the first one a one-to-one relation goes on: a composition is possible
        relation.targets = i == 1 && domain_of_primary_.size() > 2
                               ? type_inside(domains_[domain_of_primary_[2]])
                               : any_type_outside(anchors);
        break;
      case Rule::kOneToOne:
        relation.targets = type_not_below(anchors.size);
        break;
      default:
        relation.targets = anchors;
    }
    relation.shift = rule == Rule::kSymmetric ? draw(kClusterSize) : draw_shift(relation.targets.size);
    return relation;
  }

  PlantedRelation& add(Rule rule, EntityRun anchors) {
    const auto id = static_cast<std::uint32_t>(relations_.size());
    PlantedRelation& relation = relations_.emplace_back();
    relation.rule = rule;
    relation.anchors = anchors;
    relation.weight = 1.0 / static_cast<double>(popularity_(id) + 2);
    relation.model = RelationId{id};
    return relation;
  }

  // A domain's primary relations cover its entities in a row, each as many as its weight says, in whole
  // clusters, so that symmetric pairs stay together.
  void cover_entities() {
    std::vector<double> weight(domains_.size());
    for (std::size_t i = 0; i < relations_.size(); ++i) weight[domain_of_primary_[i]] += relations_[i].weight;
    std::vector<double> weight_so_far(domains_.size());
    std::vector<PlantedRelation*> last(domains_.size());
    for (std::size_t i = 0; i < relations_.size(); ++i) {
      const std::uint32_t d = domain_of_primary_[i];
      relations_[i].first = whole_clusters(domains_[d].size, weight_so_far[d] / weight[d]);
      if (last[d] != nullptr) last[d]->covers = relations_[i].first - last[d]->first;
      weight_so_far[d] += relations_[i].weight;
      last[d] = &relations_[i];
    }
    for (PlantedRelation* relation : last) relation->covers = relation->anchors.size - relation->first;
  }

  void add_one_to_many() {
    for (std::uint32_t i = 0; i < one_to_many_; ++i) {
      PlantedRelation& relation = add(Rule::kManyToOne, domains_[draw(domains_.size())]);
      relation.reversed = true;
      relation.targets = any_type_outside(relation.anchors);
      relation.shift = draw_shift(relation.targets.size);
      relation.first = whole_clusters(relation.anchors.size, random_.unit(draws_++));
    }
  }

  void add_inverses() {
    for (std::size_t i = plain_primaries_; i < plain_primaries_ + counts_.inverse_pairs; ++i) {
      PlantedRelation inverse = relations_[i];
      inverse.reversed = true;
      inverse.covers = 0;
      relations_.push_back(inverse);
    }
  }

  // The premises are frequent relations between large types where possible, so that much follows, and not
  // all from a few facts.
  void add_compositions() {
    std::vector<std::uint32_t> functional;
    for (std::uint32_t i = 0; i < plain_primaries_; ++i) {
      if (relations_[i].max_targets == 1) functional.push_back(i);
    }
    const auto frequency = [&](std::uint32_t i) {
      return relations_[i].weight * std::min(relations_[i].anchors.size, relations_[i].targets.size);
    };
    std::stable_sort(functional.begin(), functional.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return frequency(a) > frequency(b); });
    std::vector<std::vector<std::uint32_t>> leaving(domains_.size());
    for (const std::uint32_t i : functional) leaving[domain_of_primary_[i]].push_back(i);
    const auto going_on = [&](std::uint32_t i) -> const std::vector<std::uint32_t>& {
      return leaving[domain_with(relations_[i].targets)];
    };
    // Never leaves none where there are compositions: see add_primary().
    std::erase_if(functional, [&](std::uint32_t i) { return going_on(i).empty(); });
    for (std::uint32_t i = 0; i < counts_.composition; ++i) {
      const std::uint32_t first = functional[i % functional.size()];
      const std::vector<std::uint32_t>& seconds = going_on(first);
      add_composition(RelationId{first}, RelationId{seconds[i / functional.size() % seconds.size()]});
    }
  }

  void add_composition(RelationId first, RelationId second) {
    PlantedRelation relation = relations_[index(first)];
    relation.rule = Rule::kComposition;
    relation.targets = relations_[index(second)].targets;
    relation.covers = 0;
    relation.premises[0] = first;
    relation.premises[1] = second;
    relations_.push_back(relation);
  }

  std::uint32_t draw(std::uint64_t n) { return static_cast<std::uint32_t>(random_.below(n, draws_++)); }

  // A place in [0, size) that begins a cluster, or anything but an odd place if there is no whole one.
  static std::uint32_t whole_clusters(std::uint32_t size, double share) {
    const std::uint32_t unit = size >= kClusterSize ? kClusterSize : 2;
    return static_cast<std::uint32_t>(size * share) / unit * unit;
  }

  // Never 0 modulo n.
  std::uint32_t draw_shift(std::uint32_t n) {
    const std::uint32_t unit = n >= 2 * kClusterSize ? kClusterSize : 1;
    return unit * (1 + draw(n / unit - 1));
  }

  // Of the first `count` types the next from `at` on that is not in `run`; that at `at` if all are.
  EntityRun type_outside(EntityRun run, std::uint32_t count, std::uint32_t at) const {
    for (std::uint32_t i = 0; i < count; ++i) {
      const EntityRun& type = types_[(at + i) % count];
      if (!run.contains(EntityId{type.begin})) return type;
    }
    return types_[at];
  }
  EntityRun any_type_outside(EntityRun run) {
    const auto count = static_cast<std::uint32_t>(types_.size());
    return type_outside(run, count, draw(count));
  }
  EntityRun type_inside(EntityRun run) const {
    return *std::find_if(types_.begin(), types_.end(),
                         [&](const EntityRun& type) { return run.contains(EntityId{type.begin}); });
  }
  // One that has at least as many entities; the largest if there is none.
  EntityRun type_not_below(std::uint32_t size) {
    std::uint32_t fit = 0;
    while (fit < types_.size() && types_[fit].size >= size) ++fit;
    return types_[draw(std::max(fit, 1u))];
  }
  std::size_t domain_with(EntityRun type) const {
    const auto found = std::find_if(domains_.begin(), domains_.end(), [&](const EntityRun& domain) {
      return domain.contains(EntityId{type.begin});
    });
    return static_cast<std::size_t>(found - domains_.begin());
  }

  RelationCounts counts_;
  std::uint32_t one_to_many_;  // of the plain relations; the others are primary
  std::span<const EntityRun> types_;
  std::uint32_t large_types_;  // the first of types_
  CounterRandom random_;
  std::uint64_t draws_ = 0;
  Permutation popularity_;
  std::vector<EntityRun> domains_;
  std::vector<std::uint32_t> domain_of_primary_;
  std::size_t plain_primaries_ = 0;
  std::vector<PlantedRelation> relations_;
};

}  // namespace

std::vector<EntityRun> make_types(std::uint32_t entities, std::uint32_t relations) {
  const std::uint32_t most = std::max(6u, entities / 128);
  const std::uint32_t count = std::clamp(static_cast<std::uint32_t>(std::sqrt(relations)), 6u, most);
  const std::uint32_t tiny = count / 3;
  const std::uint32_t large = count - tiny;
  const std::uint32_t tiny_size = std::min(kClusterSize, entities / 16);
  const std::uint32_t in_large = entities - tiny * tiny_size;
  double all_shares = 0;
  for (std::uint32_t i = 0; i < large; ++i) all_shares += 1.0 / (i + 2);
  std::vector<EntityRun> types;
  double shares = 0;
  std::uint32_t begin = 0;
  for (std::uint32_t i = 0; i < large; ++i) {
    shares += 1.0 / (i + 2);
    const bool last = i + 1 == large;
    const std::uint32_t end = last ? in_large : static_cast<std::uint32_t>(in_large * (shares / all_shares));
    types.push_back({begin, end - begin});
    begin = end;
  }
  for (std::uint32_t i = 0; i < tiny; ++i) types.push_back({in_large + i * tiny_size, tiny_size});
  return types;
}

RelationCounts count_relations(const GenerateOptions& options) {
  const auto part = [&](double share) {  // 0.1 of 20 is 2, whatever the rounding of 0.1
    return static_cast<std::uint32_t>(share * static_cast<double>(options.relations) + 1e-6);
  };
  RelationCounts counts;
  counts.symmetric = part(options.symmetric_share);
  counts.inverse_pairs = part(options.inverse_share) / 2;
  counts.composition = part(options.composition_share);
  counts.plain = static_cast<std::uint32_t>(options.relations) - counts.symmetric - 2 * counts.inverse_pairs -
                 counts.composition;
  return counts;
}

std::vector<PlantedRelation> plan_relations(const GenerateOptions& options, std::span<const EntityRun> types,
                                            std::uint64_t seed) {
  return Planner(options, types, seed).plan();
}

}  // namespace greenkgc::graph
