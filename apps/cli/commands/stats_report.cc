#include "cli/commands/stats_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>

#include "cli/display.h"
#include "cli/table.h"

namespace greenkgc::cli {

namespace {

using Kind = Column::Kind;

struct Oddity {
  std::string_view name;
  std::uint64_t SplitStats::*lines;
  std::string_view meaning;
};

constexpr Oddity kOddities[] = {
    {"duplicate lines", &SplitStats::duplicates, "they count more than once in training and in metrics"},
    {"head is tail", &SplitStats::self_loops, "only few relations link an entity with itself"},
    {"also in train", &SplitStats::in_train, "leakage: the model has seen the answer"},
    {"reversed in train", &SplitStats::inverse_in_train, "leakage: an inverse relation reveals the answer"},
    {"pair linked in train", &SplitStats::pair_linked, "by any relation, in either direction"},
    {"unseen entity", &SplitStats::unseen_entity, "train has no facts about it, so its rank is arbitrary"},
    {"unseen relation", &SplitStats::unseen_relation,
     "train has no facts about it, so its rank is arbitrary"},
};

constexpr RelationCategory kCategories[] = {RelationCategory::kOneToOne, RelationCategory::kOneToN,
                                            RelationCategory::kNToOne, RelationCategory::kNToN};

std::string on_terminal(const Table& table) {
  return table.text(terminal_columns(STDOUT_FILENO));
}

std::string overview(const Dataset& dataset, const GraphStats& stats) {
  std::string out = "Read\n";
  for (const std::string& note : dataset.notes()) out += fmt::format("  {}\n", printable(note));
  out += fmt::format("\nGraph: {}, {}\n", count_of(stats.entities, "entity", "entities"),
                     count_of(stats.relations, "relation", "relations"));
  Table table({{"", Kind::kText}, {"facts"}, {"share"}});
  std::uint64_t all = 0;
  for (const SplitStats& split : stats.splits) all += split.triples;
  for (const SplitStats& split : stats.splits)
    table.add({std::string(split_name(split.split)), commas(split.triples), percent(split.triples, all)});
  return out + on_terminal(table);
}

std::string oddity_line(std::string_view name, const std::vector<std::string>& found,
                        std::string_view meaning) {
  constexpr std::size_t kIndent = 25;
  const std::size_t columns = terminal_columns(STDOUT_FILENO);
  const std::string text = found.empty() ? "none" : fmt::format("{}: {}", fmt::join(found, ", "), meaning);
  return fmt::format("  {:{}}{}\n", name, kIndent - 2, wrapped(text, columns == 0 ? 110 : columns, kIndent));
}

std::string oddities(const GraphStats& stats) {
  std::string out = "\nAnomalies (lines of each split)\n";
  for (const Oddity& oddity : kOddities) {
    std::vector<std::string> found;
    for (const SplitStats& split : stats.splits) {
      const std::uint64_t lines = split.*oddity.lines;
      if (lines == 0) continue;
      found.push_back(
          fmt::format("{} {} ({})", split_name(split.split), commas(lines), percent(lines, split.triples)));
    }
    out += oddity_line(oddity.name, found, oddity.meaning);
  }
  std::vector<std::string> unseen;
  if (const std::uint64_t entities = stats.unseen_entities; entities > 0)
    unseen.push_back(fmt::format("{} ({})", commas(entities), percent(entities, stats.entities)));
  return out + oddity_line("entities not in train", unseen, "they are candidates in every ranking");
}

// What follows a list that was cut.
std::string and_more(std::size_t all, std::size_t shown) {
  return shown == all ? "" : fmt::format("  and {} more (--top 0 shows all)\n", commas(all - shown));
}

std::string relation_table(const Dataset& dataset, const GraphStats& stats, std::size_t top) {
  std::vector<const RelationStats*> order;
  for (const RelationStats& relation : stats.by_relation) order.push_back(&relation);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return a->train > b->train; });
  const std::size_t shown = std::min(top, order.size());
  Table table({{"relation", Kind::kLabel},
               {"train"},
               {"valid"},
               {"test"},
               {"heads", Kind::kOptional},
               {"tails", Kind::kOptional},
               {"tails/head"},
               {"heads/tail"},
               {"category", Kind::kText},
               {"symmetric", Kind::kOptional}});
  for (const RelationStats* r : std::span(order).first(shown)) {
    table.add({std::string(dataset.label(r->relation)), commas(r->train), commas(r->valid), commas(r->test),
               commas(r->heads), commas(r->tails), fmt::format("{:.2f}", r->tails_per_head),
               fmt::format("{:.2f}", r->heads_per_tail), std::string(category_name(r->category)),
               percent(r->symmetry)});
  }
  return "\nRelations, by distinct facts\n" + on_terminal(table) + and_more(order.size(), shown);
}

std::string categories(const GraphStats& stats) {
  Table table({{"category", Kind::kText}, {"relations"}, {"training facts"}, {"share"}});
  std::uint64_t all = 0;
  for (const std::uint64_t triples : stats.category_triples) all += triples;
  for (const RelationCategory category : kCategories) {
    const auto c = static_cast<std::size_t>(category);
    table.add({std::string(category_name(category)), commas(stats.category_relations[c]),
               commas(stats.category_triples[c]), percent(stats.category_triples[c], all)});
  }
  return "\nCategories\n" + on_terminal(table);
}

std::string inverse_pairs(const Dataset& dataset, const GraphStats& stats, std::size_t top) {
  if (stats.inverse_pairs.empty()) return "\nInverse relations: none\n";
  const std::size_t shown = std::min(top, stats.inverse_pairs.size());
  Table table({{"relation", Kind::kLabel}, {"inverse of", Kind::kLabel}, {"share of its facts"}});
  for (const InversePair& pair : std::span(stats.inverse_pairs).first(shown)) {
    const bool symmetric = pair.relation == pair.inverse;
    table.add({std::string(dataset.label(pair.relation)),
               symmetric ? "itself (symmetric)" : std::string(dataset.label(pair.inverse)),
               percent(pair.overlap)});
  }
  return "\nInverse relations\n" + on_terminal(table) + and_more(stats.inverse_pairs.size(), shown);
}

std::string degrees(const Dataset& dataset, const GraphStats& stats) {
  const std::size_t columns = terminal_columns(STDOUT_FILENO);
  const std::size_t longest_bar = columns == 0 ? 40 : std::clamp<std::size_t>(columns, 50, 80) - 40;
  std::string out = fmt::format("\nDegrees in train: mean {:.1f}, median {}, largest {}", stats.mean_degree,
                                commas(stats.median_degree), commas(stats.max_degree));
  if (stats.max_degree_entity != kNoEntity)
    out += fmt::format(" ({})", printable(dataset.label(stats.max_degree_entity), 40));
  std::uint64_t most = 1;
  for (const DegreeBucket& bucket : stats.degrees) most = std::max(most, bucket.entities);
  Table table({{"degree"}, {"entities"}, {"share"}, {"", Kind::kText}});
  for (const DegreeBucket& bucket : stats.degrees) {
    table.add({bucket.from == bucket.to ? commas(bucket.from)
                                        : fmt::format("{} to {}", commas(bucket.from), commas(bucket.to)),
               commas(bucket.entities), percent(bucket.entities, stats.entities),
               bar(static_cast<double>(bucket.entities) / static_cast<double>(most), longest_bar)});
  }
  return out + '\n' + on_terminal(table);
}

std::string coverage(const GraphStats& stats) {
  Table table({{"", Kind::kText}, {"heads"}, {"tails"}});
  for (const SplitStats& split : stats.splits) {
    if (split.split == Split::kTrain) continue;
    table.add(
        {std::string(split_name(split.split)), percent(split.head_in_range), percent(split.tail_in_range)});
  }
  if (stats.splits.size() < 2) return "";
  return "\nCoverage: answers that the relation also has in train\n" + on_terminal(table);
}

Json split_json(const SplitStats& split) {
  return {{"triples", split.triples},
          {"duplicates", split.duplicates},
          {"self_loops", split.self_loops},
          {"in_train", split.in_train},
          {"inverse_in_train", split.inverse_in_train},
          {"pair_linked", split.pair_linked},
          {"unseen_entity", split.unseen_entity},
          {"unseen_relation", split.unseen_relation},
          {"head_in_range", split.head_in_range},
          {"tail_in_range", split.tail_in_range}};
}

Json relation_json(const Dataset& dataset, const RelationStats& r) {
  return {{"relation", dataset.label(r.relation)},
          {"train", r.train},
          {"valid", r.valid},
          {"test", r.test},
          {"heads", r.heads},
          {"tails", r.tails},
          {"tails_per_head", r.tails_per_head},
          {"heads_per_tail", r.heads_per_tail},
          {"category", category_name(r.category)},
          {"symmetry", r.symmetry}};
}

Json degrees_json(const Dataset& dataset, const GraphStats& stats) {
  Json histogram = Json::array();
  for (const DegreeBucket& bucket : stats.degrees)
    histogram.push_back({{"from", bucket.from}, {"to", bucket.to}, {"entities", bucket.entities}});
  Json largest = nullptr;
  if (stats.max_degree_entity != kNoEntity) largest = dataset.label(stats.max_degree_entity);
  return {{"mean", stats.mean_degree},
          {"median", stats.median_degree},
          {"max", stats.max_degree},
          {"max_entity", largest},
          {"histogram", histogram}};
}

}  // namespace

std::string stats_text(const Dataset& dataset, const GraphStats& stats, std::size_t top) {
  const std::size_t most = top == 0 ? std::string::npos : top;
  return overview(dataset, stats) + oddities(stats) + relation_table(dataset, stats, most) +
         categories(stats) + inverse_pairs(dataset, stats, most) + degrees(dataset, stats) + coverage(stats);
}

Json stats_json(const Dataset& dataset, const GraphStats& stats) {
  Json json = {{"read", dataset.notes()},
               {"entities", stats.entities},
               {"relations", stats.relations},
               {"unseen_entities", stats.unseen_entities},
               {"splits", Json::object()},
               {"categories", Json::object()},
               {"by_relation", Json::array()},
               {"inverse_pairs", Json::array()},
               {"degrees", degrees_json(dataset, stats)}};
  for (const SplitStats& split : stats.splits)
    json["splits"][std::string(split_name(split.split))] = split_json(split);
  for (const RelationCategory category : kCategories) {
    const auto c = static_cast<std::size_t>(category);
    json["categories"][std::string(category_name(category))] = {{"relations", stats.category_relations[c]},
                                                                {"triples", stats.category_triples[c]}};
  }
  for (const RelationStats& relation : stats.by_relation)
    json["by_relation"].push_back(relation_json(dataset, relation));
  for (const InversePair& pair : stats.inverse_pairs) {
    json["inverse_pairs"].push_back({{"relation", dataset.label(pair.relation)},
                                     {"inverse", dataset.label(pair.inverse)},
                                     {"overlap", pair.overlap}});
  }
  return json;
}

}  // namespace greenkgc::cli
