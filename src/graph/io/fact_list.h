#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "graph/dataset.h"
#include "greenkgc/context.h"
#include "greenkgc/ids.h"

namespace greenkgc::graph {

// The ids of a fact's labels; nothing if the graph does not have all of them.
using FindFact = std::function<std::optional<Triple>(std::string_view head, std::string_view relation,
                                                     std::string_view tail)>;

// Reads facts about a graph that is already loaded, such as facts that are known to be false: RDF by the
// name's ending (.nt, .ttl, .nq, .trig), otherwise lines of head, relation and tail, separated by tabs, whose
// further columns are ignored, so that lists which `complete` wrote can be given. Plain or compressed. Blank
// lines are skipped. Facts with labels that the graph does not have are skipped, and the context's log says
// how many. Throws kBadInput with file and line for a line with fewer columns, and as read_rdf does.
std::vector<Triple> read_fact_list(const std::filesystem::path& path, const FindFact& find,
                                   const Context& context);
std::vector<Triple> read_fact_list(const std::filesystem::path& path, const Dataset& graph,
                                   const Context& context);

}  // namespace greenkgc::graph
