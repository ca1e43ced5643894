#include "graph/planted_rules.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "graph/permutation.h"

namespace greenkgc::graph {

namespace {

constexpr std::uint32_t kShareTarget = 8;  // anchors in a row with the same targets

// Streams of one seed.
constexpr std::uint32_t kPlanStream = 0x67656E01;
constexpr std::uint32_t kPreferredStream = 0x67656E02;
constexpr std::uint32_t kStrayStream = 0x67656E03;

// A third of the types are tiny: where frequent relations lead to them, hubs come about. The others have
// shares like 1/2, 1/3, 1/4 and so on. None is larger than 2/5 of the graph, so that outside of a type there
// are always more entities than in it.
std::vector<EntityRun> make_types(std::uint32_t entities, std::uint32_t relations) {
  const std::uint32_t most = std::max(6u, entities / 128);
  const std::uint32_t count = std::clamp(static_cast<std::uint32_t>(std::sqrt(relations)), 6u, most);
  const std::uint32_t tiny = count / 3;
  const std::uint32_t tiny_size = std::min(kClusterSize, entities / 16);
  const std::uint32_t in_large = entities - tiny * tiny_size;
  double all_shares = 0;
  for (std::uint32_t i = 0; i < count - tiny; ++i) all_shares += 1.0 / (i + 2);
  std::vector<EntityRun> types;
  double shares = 0;
  std::uint32_t begin = 0;
  for (std::uint32_t i = 0; i < count - tiny; ++i) {
    shares += 1.0 / (i + 2);
    const bool last = i + 1 == count - tiny;
    const std::uint32_t end = last ? in_large : static_cast<std::uint32_t>(in_large * (shares / all_shares));
    types.push_back({begin, end - begin});
    begin = end;
  }
  for (std::uint32_t i = 0; i < tiny; ++i) types.push_back({in_large + i * tiny_size, tiny_size});
  return types;
}

// Draws the relations in two steps: primary ones, whose anchors are heads and cover every entity, and then
// those that are the reverse of a rule or follow from primary ones.
class Planner {
 public:
  Planner(const GenerateOptions& options, std::span<const EntityRun> types, std::uint64_t seed)
      : counts_(count_relations(options)),
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
    const std::uint32_t primaries =
        counts_.plain - counts_.plain / 4 + counts_.symmetric + counts_.inverse_pairs;
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
    for (std::uint32_t i = 0; i < counts_.plain - counts_.plain / 4; ++i) add_primary(kRules[i % 3]);
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
    relation.shift = draw_shift(relation.targets.size);
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
    std::vector<double> weights(domains_.size());
    for (std::size_t i = 0; i < relations_.size(); ++i)
      weights[domain_of_primary_[i]] += relations_[i].weight;
    std::vector<double> weights_so_far(domains_.size());
    std::vector<PlantedRelation*> last(domains_.size());
    for (std::size_t i = 0; i < relations_.size(); ++i) {
      const std::uint32_t d = domain_of_primary_[i];
      relations_[i].first = whole_clusters(domains_[d].size, weights_so_far[d] / weights[d]);
      if (last[d] != nullptr) last[d]->covers = relations_[i].first - last[d]->first;
      weights_so_far[d] += relations_[i].weight;
      last[d] = &relations_[i];
    }
    for (PlantedRelation* relation : last) relation->covers = relation->anchors.size - relation->first;
  }

  void add_one_to_many() {
    for (std::uint32_t i = 0; i < counts_.plain / 4; ++i) {
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

  void add_compositions() {
    std::vector<std::uint32_t> functional;
    std::vector<std::vector<std::uint32_t>> functional_of_domain(domains_.size());
    for (std::uint32_t i = 0; i < plain_primaries_; ++i) {
      if (relations_[i].max_targets > 1) continue;
      functional.push_back(i);
      functional_of_domain[domain_of_primary_[i]].push_back(i);
    }
    for (std::uint32_t i = 0; i < counts_.composition; ++i) {
      std::uint64_t at = draw(functional.size());
      const std::vector<std::uint32_t>* next = nullptr;
      for (;; at = (at + 1) % functional.size()) {  // ends: see add_primary, case kManyToOne
        next = &functional_of_domain[domain_with(relations_[functional[at]].targets)];
        if (!next->empty()) break;
      }
      add_composition(RelationId{functional[at]}, RelationId{(*next)[draw(next->size())]});
    }
  }

  void add_composition(RelationId first, RelationId second) {
    const PlantedRelation premise = relations_[index(first)];
    PlantedRelation& relation = add(Rule::kComposition, premise.anchors);
    relation.targets = relations_[index(second)].targets;
    relation.weight = premise.weight;
    relation.first = premise.first;
    relation.premises[0] = first;
    relation.premises[1] = second;
  }

  std::uint32_t draw(std::uint64_t n) { return static_cast<std::uint32_t>(random_.below(n, draws_++)); }

  // A place in [0, size) that begins a cluster, or a pair where there is but one cluster.
  static std::uint32_t whole_clusters(std::uint32_t size, double share) {
    const std::uint32_t unit = size >= 2 * kClusterSize ? kClusterSize : 2;
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

PlantedRules::PlantedRules(const GenerateOptions& options, std::uint64_t seed)
    : entity_count_(static_cast<std::uint32_t>(options.entities)),
      types_(make_types(entity_count_, static_cast<std::uint32_t>(options.relations))),
      relations_(Planner(options, types_, seed).plan()),
      preferred_(seed, kPreferredStream),
      strays_(seed, kStrayStream) {}

std::optional<EntityId> PlantedRules::rule_target(RelationId relation, EntityId anchor,
                                                  std::uint32_t k) const {
  const PlantedRelation& planted = (*this)[relation];
  const EntityId target{target_index(planted, index(anchor), k)};
  if (target == anchor || !planted.targets.contains(target)) return std::nullopt;
  return target;
}

std::uint32_t PlantedRules::target_index(const PlantedRelation& relation, std::uint32_t anchor,
                                         std::uint32_t k) const {
  const EntityRun& targets = relation.targets;
  const std::uint32_t place = anchor - relation.anchors.begin;
  switch (relation.rule) {
    case Rule::kOneToOne:
      return targets.begin +
             static_cast<std::uint32_t>((std::uint64_t{place} + relation.shift) % targets.size);
    case Rule::kSymmetric:
      return relation.anchors.begin + (place ^ (k + 1));
    case Rule::kComposition:
      return target_index((*this)[relation.premises[1]],
                          target_index((*this)[relation.premises[0]], anchor, 0), 0);
    case Rule::kManyToOne:
    case Rule::kManyToMany:
      break;
  }
  const std::uint64_t anchor_clusters = (relation.anchors.size + kClusterSize - 1) / kClusterSize;
  const std::uint64_t target_clusters = std::max(1u, targets.size / kClusterSize);
  const std::uint64_t cluster =
      (place / kClusterSize * target_clusters / anchor_clusters + relation.shift / kClusterSize) %
      target_clusters;
  const double u = preferred_.unit(std::uint64_t{index(relation.model)} << 32 | place / kShareTarget);
  const auto preferred = static_cast<std::uint64_t>(u * u * u * std::min(kClusterSize, targets.size));
  return targets.begin + static_cast<std::uint32_t>((cluster * kClusterSize + preferred + k) % targets.size);
}

EntityId PlantedRules::stray_target(RelationId relation, EntityId anchor, std::uint32_t k) const {
  const PlantedRelation& planted = (*this)[relation];
  EntityRun shut = planted.targets;  // what the rule may give
  if (planted.rule == Rule::kSymmetric) {
    const std::uint32_t place = index(anchor) - planted.anchors.begin;
    shut.begin = index(anchor) - place % kClusterSize;
    shut.size = std::min(kClusterSize, planted.anchors.size - (place - place % kClusterSize));
  }
  // Places are counted from the end of `shut` around the graph; the anchor's own place, if it is among them,
  // is left out.
  const std::uint64_t after = std::uint64_t{shut.begin} + shut.size;
  const std::uint64_t anchor_place = (index(anchor) + entity_count_ - after % entity_count_) % entity_count_;
  const std::uint64_t open = entity_count_ - shut.size;
  const bool anchor_is_open = anchor_place < open;
  const std::uint64_t places = open - (anchor_is_open ? 1 : 0);
  constexpr std::uint64_t kStep = 4'294'967'291;  // a prime larger than any number of places
  const std::uint64_t begin = strays_.below(places, std::uint64_t{index(anchor)} << 32 | index(relation));
  std::uint64_t place = (begin + k * (kStep % places)) % places;
  if (anchor_is_open && place >= anchor_place) ++place;
  return EntityId{static_cast<std::uint32_t>((after + place) % entity_count_)};
}

}  // namespace greenkgc::graph
