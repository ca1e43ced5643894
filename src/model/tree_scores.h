#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "graph/query.h"
#include "greenkgc/context.h"
#include "greenkgc/ids.h"
#include "model/decisions.h"

namespace greenkgc::model {

using graph::Query;
using graph::Side;

// The margin of a fact (h, r, t), asked from one side: what the group of r begins with, as a float, and then
// the values of its trees' leaves, added in float one after another, in the order of the trees. So it is the
// same bits as that of a walk down each tree, on every instruction set, for any number of threads, queries at
// a time and entities at a time. With base margins, which each side has of its own, a fact's margin is
// another one from the other side.

// Takes margins of some queries over some entities, tile by tile.
class MarginSink {
 public:
  virtual ~MarginSink() = default;
  // Of the i-th query of this sink and entities from `first` on. The sink may write to them.
  virtual void take(std::size_t i, std::uint32_t first, std::span<float> margins) = 0;
  // All has come. One sink at a time is finished, so here results may be merged.
  virtual void finish() = 0;
};
// A sink for the queries in these places of the call; `places` outlives it.
using MakeMarginSink = std::function<std::unique_ptr<MarginSink>(std::span<const std::uint32_t> places)>;

// Margins of all entities for each query, in parallel over blocks of queries of a group and side, and over
// entities where there are few blocks. A query comes to one sink or to several of different entities; the
// tiles of a sink come in ascending order, from any first entity. Memory is a few megabytes per thread and
// about 15 bytes per node of the trees that are asked, whatever the number of entities; ids are below the
// sizes of the tables. `beside` is called once by one of the threads, while others score.
void score_entities(
    const model::Decisions& decisions, std::span<const Query> queries, const MakeMarginSink& make_sink,
    const Context& context, const std::function<void()>& beside = [] {});

// The same as rows, query by query: rows[i * entities + e].
void score_rows(
    const model::Decisions& decisions, std::span<const Query> queries, std::span<float> rows,
    const Context& context, const std::function<void()>& beside = [] {});

}  // namespace greenkgc::model
