#pragma once

#include <string_view>

namespace greenkgc::graph {

// The embedded graph `world`: the bytes of data/world.tsv.
std::string_view world_tsv();

}  // namespace greenkgc::graph
