#include "greenkgc/complete.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "answers/complete/excluded_facts.h"
#include "base/files/output_file.h"
#include "base/text.h"
#include "graph/io/format.h"
#include "graph/io/rdf.h"
#include "graph/known_facts.h"
#include "greenkgc/error.h"
#include "model/model_file.h"
#include "rank/rankers/ranker.h"

namespace greenkgc {
namespace {

// The ids of labels, ascending, each once. A list is cut at commas; a single label may hold some.
template <class Id>
std::vector<Id> ids_of(const Model& model, const std::vector<std::string>& labels,
                       std::optional<Id> (Model::*find)(std::string_view) const,
                       Id (Model::*need)(std::string_view) const) {
  if (labels.empty()) return {};
  if (const auto whole = (model.*find)(fmt::format("{}", fmt::join(labels, ",")))) return {*whole};
  std::vector<Id> ids;
  for (const std::string& label : labels) ids.push_back((model.*need)(label));
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

std::vector<RelationId> relations_of(const Model& model, const std::vector<std::string>& labels) {
  std::vector<RelationId> relations = ids_of(model, labels, &Model::find_relation, &Model::relation);
  for (std::uint32_t r = 0; labels.empty() && r < model.relation_count(); ++r)
    relations.push_back(RelationId{r});
  return relations;
}

std::vector<EntityId> entities_of(const Model& model, const std::vector<std::string>& labels) {
  return ids_of(model, labels, &Model::find_entity, &Model::entity);
}

// By entity: whether it has a known fact with one of these as tail.
std::vector<bool> heads_of_types(const Model& model, std::span<const EntityId> types,
                                 const graph::KnownFacts& known) {
  std::vector<bool> heads(model.entity_count());
  for (const EntityId type : types) {
    for (const EntityId head : known.in_edges(type).others) heads[index(head)] = true;
  }
  return heads;
}

// Null if the model has none.
const model::FactTrees* fact_trees(const Model& model) {
  const auto& second = model.impl().second;
  return second && !second->facts.empty() ? &second->facts : nullptr;
}

std::size_t max_per_query(const Model& model, const CompleteOptions& options) {
  if (options.max_per_query == 0 && fact_trees(model) != nullptr) return rank::kJudgedPerQuery;
  return static_cast<std::size_t>(options.max_per_query);
}

void check(const Model& model, const CompleteOptions& options) {
  if (!model.has_facts())
    throw Error(ErrorCode::kUsage,
                "the model holds no facts, so missing facts cannot be told from known ones; train it with "
                "`greenkgc train --with-facts=true`");
  if (options.top < 1)
    throw Error(ErrorCode::kUsage, fmt::format("top must be at least 1, not {}", options.top));
  if (options.max_per_query < 0)
    throw Error(ErrorCode::kUsage,
                fmt::format("max_per_query must be at least 0, not {}", options.max_per_query));
  if (!(options.missing_share >= 0 && options.missing_share < 1))
    throw Error(ErrorCode::kUsage,
                fmt::format("missing_share must be at least 0 and below 1, not {}", options.missing_share));
  if (options.max_queries < 0)
    throw Error(ErrorCode::kUsage,
                fmt::format("max_queries must be at least 0, not {}", options.max_queries));
  if (options.max_queries > 0 && fact_trees(model) == nullptr)
    throw Error(ErrorCode::kUsage,
                "max_queries applies to models that judge each fact by trees, and this model has no such "
                "trees; `greenkgc train --second-stage=yes` learns them");
  if (options.missing_share > 0 && fact_trees(model) == nullptr)
    throw Error(ErrorCode::kUsage,
                "missing_share applies to models that judge each fact by trees, and this model has no such "
                "trees; `greenkgc train --second-stage=yes` learns them");
}

enum class FactsFormat { kTsv, kNTriples };

FactsFormat format_of(const std::filesystem::path& path) {
  const std::filesystem::path ending = graph::without_compression(path).extension();
  if (ending == ".tsv" || ending == ".txt") return FactsFormat::kTsv;
  if (ending == ".nt") return FactsFormat::kNTriples;
  if (is_written_in_place(path)) return FactsFormat::kTsv;  // streams have no endings
  throw Error(ErrorCode::kUsage,
              fmt::format("{}: the output must end in .tsv or .nt, optionally followed by .gz or .zst",
                          in_quotes(path.string())));
}

void write_tsv(OutputFile& file, const Model& model, std::span<const Answer> answers) {
  for (const Answer& answer : answers)
    file.write(fmt::format("{}\t{}\t{}\t{:.6g}\n", model.label(answer.fact.head),
                           model.label(answer.fact.relation), model.label(answer.fact.tail),
                           answer.probability));
}

// A graph of these facts alone, with ids of its own.
graph::Dataset graph_of(const Model& model, std::span<const Answer> answers) {
  graph::Dataset graph;
  const auto entity = [&](EntityId id) { return EntityId{graph.entities.intern(model.label(id))}; };
  for (const Answer& answer : answers) {
    const EntityId head = entity(answer.fact.head);
    const RelationId relation{graph.relations.intern(model.label(answer.fact.relation))};
    graph[Split::kTrain].triples.push_back({head, relation, entity(answer.fact.tail)});
  }
  return graph;
}

}  // namespace

std::vector<Answer> complete(const Model& model, const CompleteOptions& options, const Context& context) {
  return find_new_facts(model, options, context).facts;
}

NewFacts find_new_facts(const Model& model, const CompleteOptions& options, const Context& context) {
  check(model, options);
  const auto relations = relations_of(model, options.relation);
  const auto about = entities_of(model, options.entity);
  const auto types = entities_of(model, options.type);
  const graph::KnownFacts excluded = answers::read_excluded_facts(model, options.exclude, context);
  const graph::KnownFacts& known = model.known_facts(context);
  const graph::RelationRanges ranges(model.impl().facts.read(), model.relation_count());
  const std::vector<bool> heads = heads_of_types(model, types, known);
  const rank::DiscoverOptions discover{.relations = relations,
                                       .top = static_cast<std::size_t>(options.top),
                                       .min_probability = options.min_probability,
                                       .missing_share = options.missing_share,
                                       .max_per_query = max_per_query(model, options),
                                       .only_gaps = options.only_gaps,
                                       .max_queries = static_cast<std::size_t>(options.max_queries),
                                       .heads = types.empty() ? nullptr : &heads,
                                       .about = about,
                                       .ranges = options.exact ? nullptr : &ranges,
                                       .known = &known,
                                       .exclude = &excluded};
  rank::Discovered found = model.ranker(context).discover(discover, context);
  return {std::move(found.facts), found.queries_left_out};
}

std::optional<double> assumed_missing_share(const Model& model, const CompleteOptions& options) {
  const model::FactTrees* trees = fact_trees(model);
  if (trees == nullptr) return std::nullopt;
  return options.missing_share > 0 ? options.missing_share : static_cast<double>(trees->missing_share);
}

void check_facts_path(const std::filesystem::path& path) {
  format_of(path);
}

void write_facts(const Model& model, std::span<const Answer> answers, const std::filesystem::path& path,
                 const Context& context) {
  const FactsFormat format = format_of(path);
  OutputFile file(path);
  if (format == FactsFormat::kTsv) {
    write_tsv(file, model, answers);
  } else {
    const graph::Dataset graph = graph_of(model, answers);
    graph::write_rdf(file, graph::RdfSyntax::kNTriples, graph, graph[Split::kTrain].triples, context);
  }
  file.commit();
}

}  // namespace greenkgc
