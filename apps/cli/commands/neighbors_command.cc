#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "cli/command.h"
#include "cli/display.h"
#include "cli/table.h"
#include "greenkgc/model.h"
#include "shared/answer_json.h"

namespace greenkgc::cli {

namespace {

struct NeighborsArguments {
  std::string model;
  std::string entity;
  std::string relation;
  std::int64_t top_k = 10;

  static void declare(OptionList<NeighborsArguments>& o) {
    o.add("model", &NeighborsArguments::model, "model from `greenkgc train`");
    o.add("entity", &NeighborsArguments::entity, "label of the entity whose neighbors to list");
    o.add("relation", &NeighborsArguments::relation,
          "compare only the dimensions that this relation's group keeps, instead of all stored dimensions");
    o.add("top_k", &NeighborsArguments::top_k, "number of neighbors", {.min = 1, .max = 1e9});
  }
};

Result run(const NeighborsArguments& arguments, const Context& context) {
  const Model model = Model::open(arguments.model);
  const EntityId entity = model.entity(arguments.entity);
  std::optional<RelationId> relation;
  if (!arguments.relation.empty()) relation = model.relation(arguments.relation);
  const auto neighbors =
      model.neighbors(entity, relation, static_cast<std::size_t>(arguments.top_k), context);

  Table table({{""}, {"entity", Column::Kind::kLabel}, {"cosine"}});
  for (std::size_t i = 0; i < neighbors.size(); ++i)
    table.add({std::to_string(i + 1), std::string(model.label(neighbors[i].entity)),
               fmt::format("{:.4f}", neighbors[i].similarity)});
  return {neighbors.empty() ? "no neighbors\n" : table.text(terminal_columns(STDOUT_FILENO)),
          server::neighbors_json(model, entity, relation, neighbors)};
}

}  // namespace

Command neighbors_command() {
  auto arguments = std::make_shared<NeighborsArguments>();
  return {.name = "neighbors",
          .summary = "list the entities that are most similar to one, by the cosine of their features",
          .example = "greenkgc neighbors --model world.gkgc --entity Norway",
          .positionals = {},
          .options = {group_of(*arguments)},
          .required = {"model", "entity"},
          .run = [arguments](const Context& context) { return run(*arguments, context); }};
}

}  // namespace greenkgc::cli
