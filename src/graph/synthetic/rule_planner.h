#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/synthetic/planted_rules.h"
#include "greenkgc/generate.h"

namespace greenkgc::graph {

// A third of the types are tiny: where frequent relations lead to them, hubs come about. The others, which
// come first, have shares like 1/2, 1/3, 1/4 and so on. None has more than 2/5 of the entities.
std::vector<EntityRun> make_types(std::uint32_t entities, std::uint32_t relations);

// Draws the relations and their rules. A relation comes after its model.
std::vector<PlantedRelation> plan_relations(const GenerateOptions& options, std::span<const EntityRun> types,
                                            std::uint64_t seed);

}  // namespace greenkgc::graph
