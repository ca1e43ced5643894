#include "graph/world.h"

namespace greenkgc::graph {
namespace {

#include "world_tsv.inc"  // kWorldTsv: data/world.tsv as an array, by cmake/embed.cmake

}  // namespace

std::string_view world_tsv() {
  return {reinterpret_cast<const char*>(kWorldTsv), sizeof(kWorldTsv)};
}

}  // namespace greenkgc::graph
