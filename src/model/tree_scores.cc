#include "model/tree_scores.h"

#include <algorithm>
#include <mutex>
#include <numeric>

#include "base/aligned_vector.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "model/base_margins.h"
#include "simd/trees/row_classes.h"
#include "trees/classed_trees.h"

namespace greenkgc::model {
namespace {

// Sums of a block, classes of a tile and tables share the second cache.
constexpr std::size_t kBlockQueries = 96;
constexpr std::size_t kTileRows = 2048;
static_assert(kTileRows % simd::kRowGranule == 0);

// Fewer queries of a group and side are scored each by trees of its own (measured: 1,200 trees of depth 5
// over 14,541 entities).
constexpr std::size_t kFewQueries = 7;

std::size_t padded(std::size_t rows) {
  return (rows + simd::kRowGranule - 1) / simd::kRowGranule * simd::kRowGranule;
}

features::TriplePart part_of(Side side) {
  return side == Side::kHead ? features::TriplePart::kHead : features::TriplePart::kTail;
}

// The bins of a tile's entities in the columns that some trees ask for.
class TileBins {
 public:
  simd::BinColumns copy(const features::BinnedTable& table, std::span<const trees::TripleColumn> columns,
                        std::size_t first, std::size_t rows) {
    bins_.resize(columns.size() * kTileRows);
    for (std::size_t c = 0; c < columns.size(); ++c)
      std::copy_n(table.bins(columns[c].variable).data() + first, rows, bins_.data() + c * kTileRows);
    return {bins_.data(), kTileRows, padded(rows)};
  }

 private:
  AlignedVector<std::uint8_t> bins_;
};

// What the queries of one group and side share.
struct Asked {
  std::uint32_t group;
  Side side;
  friend auto operator<=>(const Asked&, const Asked&) = default;
};

// Queries of one group and side, made ready.
class QueryBlock {
 public:
  QueryBlock(const model::Decisions& decisions, std::span<const Query> queries,
             std::span<const std::uint32_t> places, Asked asked, const trees::ClassedTrees* trees)
      : tables_(decisions.tables), places_(places), base_(decisions, asked.group), shared_(trees) {
    for (const std::uint32_t place : places) {
      const Query& query = queries[place];
      queries_.push_back(base_.query(query.known, query.relation, query.side));
      const auto row = trees::bins_of_query(tables_, query.known, query.relation);
      terms_.emplace_back();
      if (shared_ != nullptr) {
        shared_->terms_of(row, terms_.back());
      } else {
        own_.emplace_back(decisions.groups[asked.group].trees, tables_, part_of(asked.side), row);
        own_.back().terms_of({}, terms_.back());
        own_tables_.emplace_back(terms_.back().lookups.size());
        simd::make_tables(terms_.back().lookups, own_.back().sources(), own_tables_.back().data());
      }
    }
  }

  void score(std::size_t begin, std::size_t end, MarginSink& sink, const Context& context) const {
    // A lone query without trees makes tables for each column and tile, so tiles are large.
    const bool only_base = places_.size() == 1 && shared_ == nullptr && own_[0].block_count() == 0;
    const std::size_t tile = only_base ? 4 * kTileRows : kTileRows;
    AlignedVector<float> margins(places_.size() * tile);
    Memory memory;
    for (std::size_t first = begin; first < end; first += tile) {
      context.check_cancelled();
      const std::size_t rows = std::min(tile, end - first);
      base_.fill(queries_, static_cast<std::uint32_t>(first), rows, margins.data(), tile);
      shared_ != nullptr ? add_shared(first, rows, margins, memory) : add_own(first, rows, margins, memory);
      for (std::size_t i = 0; i < places_.size(); ++i)
        sink.take(i, static_cast<std::uint32_t>(first), {margins.data() + i * tile, rows});
    }
  }

 private:
  struct Memory {
    TileBins bins;
    AlignedVector<std::uint32_t> classes;
    AlignedVector<simd::ClassTable> tables;
    std::vector<std::size_t> first_tables;  // by query
  };

  std::span<const simd::ClassLookup> lookups(std::size_t i, std::size_t block) const {
    const trees::ClassedTrees::Terms& terms = terms_[i];
    const std::size_t begin = block == 0 ? 0 : terms.block_ends[block - 1];
    return std::span(terms.lookups).subspan(begin, terms.block_ends[block] - begin);
  }

  // Classes of a tile once for all queries; the classes of a granule stay in the first cache while all
  // queries look them up.
  void add_shared(std::size_t first, std::size_t rows, std::span<float> margins, Memory& memory) const {
    const simd::BinColumns columns = memory.bins.copy(tables_.entities, shared_->columns(), first, rows);
    memory.classes.resize(shared_->most_classifiers() * columns.rows);
    for (std::size_t block = 0; block < shared_->block_count(); ++block) {
      const simd::ClassifierList list = shared_->block(block);
      simd::classify_rows(list, columns, memory.classes.data());
      make_block_tables(block, memory);
      for (std::size_t row = 0; row < columns.rows; row += simd::kRowGranule) {
        const std::uint32_t* classes = memory.classes.data() + row * list.classifiers.size();
        for (std::size_t i = 0; i < places_.size(); ++i)
          simd::add_lookups(lookups(i, block), memory.tables.data() + memory.first_tables[i], classes,
                            margins.data() + i * kTileRows + row);
      }
    }
  }

  void make_block_tables(std::size_t block, Memory& memory) const {
    memory.first_tables.clear();
    std::size_t count = 0;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      memory.first_tables.push_back(count);
      count += lookups(i, block).size();
    }
    memory.tables.resize(std::max(memory.tables.size(), count));
    for (std::size_t i = 0; i < places_.size(); ++i)
      simd::make_tables(lookups(i, block), shared_->sources(), memory.tables.data() + memory.first_tables[i]);
  }

  void add_own(std::size_t first, std::size_t rows, std::span<float> margins, Memory& memory) const {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (own_[i].block_count() == 0) continue;
      const simd::BinColumns columns = memory.bins.copy(tables_.entities, own_[i].columns(), first, rows);
      simd::classify_and_add(own_[i].block(0), terms_[i].lookups, own_tables_[i].data(), columns,
                             margins.data() + i * kTileRows);
    }
  }

  const features::SideTables& tables_;
  std::span<const std::uint32_t> places_;
  BaseMargins base_;
  const trees::ClassedTrees* shared_;     // null: each query has trees of its own
  std::vector<trees::ClassedTrees> own_;  // by query
  std::vector<AlignedVector<simd::ClassTable>> own_tables_;
  std::vector<BaseMargins::Query> queries_;
  std::vector<trees::ClassedTrees::Terms> terms_;
};

// Which queries are scored together.
struct Plan {
  struct Block {
    Asked asked;
    std::span<const std::uint32_t> places;
    std::size_t trees;  // kNone: each query has its own
  };
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::vector<std::uint32_t> places;  // sorted by group, side and relation
  std::vector<Block> blocks;
  std::vector<Asked> shared;  // whose trees are prepared for all their queries
};

Plan make_plan(const model::Decisions& decisions, std::span<const Query> queries) {
  const auto asked = [&](std::uint32_t place) {
    return Asked{decisions.group_of[index(queries[place].relation)], queries[place].side};
  };
  Plan plan;
  plan.places.resize(queries.size());
  std::iota(plan.places.begin(), plan.places.end(), 0U);
  std::stable_sort(plan.places.begin(), plan.places.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(asked(a), queries[a].relation) < std::pair(asked(b), queries[b].relation);
  });
  const std::span<const std::uint32_t> places = plan.places;
  for (std::size_t begin = 0; begin < places.size();) {
    const Asked own = asked(places[begin]);
    std::size_t end = begin;
    while (end < places.size() && asked(places[end]) == own) ++end;
    const bool few = end - begin < kFewQueries;
    if (!few) plan.shared.push_back(own);
    for (; begin < end; begin = std::min(end, begin + kBlockQueries))
      plan.blocks.push_back({own, places.subspan(begin, std::min(kBlockQueries, end - begin)),
                             few ? Plan::kNone : plan.shared.size() - 1});
  }
  return plan;
}

// Into how many ranges of entities the work on each block is cut, so that all threads have some.
std::size_t range_count(const Context& context, std::size_t blocks, std::size_t tiles) {
  const auto threads = static_cast<std::size_t>(context.thread_count());
  return threads == 1 ? 1 : std::min(tiles, (4 * threads + blocks - 1) / blocks);
}

// Margins of all entities, question by question.
class RowSink final : public MarginSink {
 public:
  RowSink(std::span<const std::uint32_t> places, std::size_t entities, std::span<float> rows)
      : places_(places), entities_(entities), rows_(rows) {}

  void take(std::size_t i, std::uint32_t first, std::span<float> margins) override {
    std::copy(margins.begin(), margins.end(),
              rows_.begin() + static_cast<std::ptrdiff_t>(places_[i] * entities_ + first));
  }
  void finish() override {}

 private:
  std::span<const std::uint32_t> places_;
  std::size_t entities_;
  std::span<float> rows_;
};

}  // namespace

void score_entities(const model::Decisions& decisions, std::span<const Query> queries,
                    const MakeMarginSink& make_sink, const Context& context,
                    const std::function<void()>& beside) {
  const std::size_t entities = decisions.tables.entities.rows();
  if (queries.empty() || entities == 0) return beside();
  ProgressTask progress(context, "ranking", queries.size(), "queries");
  const Plan plan = make_plan(decisions, queries);
  std::vector<std::unique_ptr<trees::ClassedTrees>> trees(plan.shared.size());
  parallel_for(context, trees.size(), 1, [&](std::size_t i, std::size_t) {
    trees[i] = std::make_unique<trees::ClassedTrees>(decisions.groups[plan.shared[i].group].trees,
                                                     decisions.tables, part_of(plan.shared[i].side));
  });

  const std::size_t tiles = (entities + kTileRows - 1) / kTileRows;
  const std::size_t ranges = range_count(context, plan.blocks.size(), tiles);
  std::vector<std::shared_ptr<const QueryBlock>> prepared(plan.blocks.size());  // if several ranges need them
  const auto prepare = [&](std::size_t b) {
    const Plan::Block& block = plan.blocks[b];
    return std::make_shared<const QueryBlock>(
        decisions, queries, block.places, block.asked,
        block.trees == Plan::kNone ? nullptr : trees[block.trees].get());
  };
  if (ranges > 1) {
    parallel_for(context, plan.blocks.size(), 1,
                 [&](std::size_t b, std::size_t) { prepared[b] = prepare(b); });
  }
  std::mutex finishing;
  parallel_for(context, 1 + plan.blocks.size() * ranges, 1, [&](std::size_t item, std::size_t) {
    if (item == 0) return beside();
    const std::size_t b = (item - 1) / ranges;
    const std::size_t range = (item - 1) % ranges;
    const auto sink = make_sink(plan.blocks[b].places);
    (ranges > 1 ? prepared[b] : prepare(b))
        ->score(tiles * range / ranges * kTileRows,
                std::min(entities, tiles * (range + 1) / ranges * kTileRows), *sink, context);
    const std::lock_guard lock(finishing);
    sink->finish();
    if (range + 1 == ranges) progress.advance(plan.blocks[b].places.size());
  });
}

void score_rows(const model::Decisions& decisions, std::span<const Query> queries, std::span<float> rows,
                const Context& context, const std::function<void()>& beside) {
  const std::size_t entities = decisions.tables.entities.rows();
  score_entities(
      decisions, queries,
      [&](std::span<const std::uint32_t> places) {
        return std::make_unique<RowSink>(places, entities, rows);
      },
      context, beside);
}

}  // namespace greenkgc::model
