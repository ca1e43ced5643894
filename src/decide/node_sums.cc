#include "decide/node_sums.h"

#include <algorithm>
#include <utility>

#include "kernels/parallel.h"

namespace greenkgc::decide {
namespace {

using model::kTripleParts;

constexpr std::size_t kBlock = 4096;        // rows; their chosen ones are listed in the first-level cache
constexpr std::size_t kBlocksAtOnce = 8;    // that a worker takes from the common counter
constexpr std::size_t kPrefetchAhead = 12;  // rows: about the time that a line of the last-level cache takes

// Adds to a table, where neighbouring rows mostly have the same id: the sum of these stays in registers.
class RunSum {
 public:
  RunSum(std::vector<GradientSums>& table, std::uint32_t first_id) : table_(table.data()), id_(first_id) {}
  ~RunSum() { table_[id_] += sum_; }
  RunSum(const RunSum&) = delete;
  RunSum& operator=(const RunSum&) = delete;

  void add(std::uint32_t id, const GradientSums& sums) {
    if (id != id_) {
      table_[id_] += sum_;
      id_ = id;
      sum_ = {};
    }
    sum_ += sums;
  }

 private:
  GradientSums* const table_;
  std::uint32_t id_;
  GradientSums sum_;
};

}  // namespace

NodeSums::NodeSums(const Samples& samples, const model::SideTables& tables, RowRouter& router,
                   std::size_t table_bytes)
    : samples_(samples),
      sizes_{tables.entities.rows(), tables.relations.rows(), tables.entities.rows()},
      router_(router),
      table_bytes_(table_bytes) {}

bool NodeSums::is_listed(const Wanted& wanted) const {
  return wanted.rows < static_cast<double>(sizes_[0]);
}

// A table for each worker, and the merged one with its ids.
std::size_t NodeSums::bytes_per_node(std::size_t workers) const {
  return (sizes_[0] + sizes_[1] + sizes_[2]) * ((workers + 1) * sizeof(GradientSums) + sizeof(std::uint32_t));
}

std::size_t NodeSums::batch_size(std::span<const Wanted> wanted, const Context& context) const {
  const std::size_t per_node = bytes_per_node(static_cast<std::size_t>(context.thread_count()));
  std::size_t bytes = 0;
  std::size_t count = 0;
  while (count < wanted.size()) {
    bytes += is_listed(wanted[count]) ? 0 : per_node;
    if (count > 0 && bytes > table_bytes_) break;
    ++count;
  }
  return count;
}

void NodeSums::plan(std::span<const Wanted> wanted, const Context& context) {
  kind_.fill(kNotWanted);
  table_count_ = 0;
  some_listed_ = false;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::uint8_t node = wanted[i].node;
    kind_[node] = is_listed(wanted[i]) ? kListed : kSummed;
    wanted_of_[node] = static_cast<std::uint8_t>(i);
    if (kind_[node] == kSummed) table_of_[node] = table_count_++;
    some_listed_ |= kind_[node] == kListed;
  }
  merged_.resize(std::max(merged_.size(), wanted.size()));
  const std::size_t pieces = samples_.size() / (kBlock * kBlocksAtOnce) + 1;
  std::size_t workers = std::min(pieces, static_cast<std::size_t>(context.thread_count()));
  // One node alone may need more than all the bytes: then fewer work.
  while (workers > 1 && table_count_ * bytes_per_node(workers) > table_bytes_) --workers;
  workers_.resize(workers);
}

// Bound by the additions at the false ends; the others are mostly runs.
void NodeSums::add_range(Worker& worker, std::size_t begin, std::size_t end,
                         const Gradients& gradients) const {
  RunSum by_head(worker.tables[0], samples_.ids[0][begin]);
  RunSum by_relation(worker.tables[1], samples_.ids[1][begin]);
  RunSum by_tail(worker.tables[2], samples_.ids[2][begin]);
  for (std::size_t row = begin; row < end; ++row) {
    const GradientSums sums{gradients.of_rows[row].gradient, gradients.of_rows[row].hessian};
    by_head.add(samples_.ids[0][row], sums);
    by_relation.add(samples_.ids[1][row], sums);
    by_tail.add(samples_.ids[2][row], sums);
  }
}

// Bound by the additions to tables: three reads and writes per row, in the second-level cache or beyond.
// Heads (or tails) of neighbouring rows are mostly the same.
void NodeSums::add_rows(Worker& worker, std::size_t first, std::span<const std::uint32_t> rows,
                        const Gradients& gradients) const {
  const std::uint32_t* const heads = samples_.ids[0].data() + first;
  const std::uint32_t* const relations = samples_.ids[1].data() + first;
  const std::uint32_t* const tails = samples_.ids[2].data() + first;
  const std::uint8_t* const nodes = router_.nodes().data() + first;
  const GradientPair* const pairs = gradients.of_rows.data() + first;
  GradientSums* const by_head = worker.tables[0].data();
  GradientSums* const by_relation = worker.tables[1].data();
  GradientSums* const by_tail = worker.tables[2].data();
  const std::size_t n = rows.size();
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t ahead = rows[std::min(k + kPrefetchAhead, n - 1)];
    const std::size_t ahead_base = table_of_[nodes[ahead]] * sizes_[0];
    __builtin_prefetch(pairs + ahead);
    __builtin_prefetch(by_head + ahead_base + heads[ahead], 1);
    __builtin_prefetch(by_tail + ahead_base + tails[ahead], 1);
    const std::size_t row = rows[k];
    const std::size_t table = table_of_[nodes[row]];
    const GradientSums sums{pairs[row].gradient, pairs[row].hessian};
    by_head[table * sizes_[0] + heads[row]] += sums;
    by_relation[table * sizes_[1] + relations[row]] += sums;
    by_tail[table * sizes_[2] + tails[row]] += sums;
  }
}

void NodeSums::list_rows(Worker& worker, std::size_t first, std::span<const std::uint32_t> rows,
                         const Gradients& gradients) const {
  for (const std::uint32_t offset : rows) {
    const std::size_t row = first + offset;
    worker.lists[wanted_of_[router_.nodes()[row]]].push_back(
        {{samples_.ids[0][row], samples_.ids[1][row], samples_.ids[2][row]}, gradients.of_rows[row]});
  }
}

void NodeSums::move_and_add(Worker& worker, std::size_t first, std::size_t count,
                            const Gradients& gradients) {
  std::array<std::uint32_t, kBlock + kRouteRoom> chosen;
  std::array<std::uint32_t, kBlock> listed;
  std::size_t summed_count = router_.move(first, count, kind_, chosen.data());
  if (some_listed_ || gradients.skip_left_out) {
    const std::size_t chosen_count = std::exchange(summed_count, 0);
    std::size_t listed_count = 0;
    for (std::size_t k = 0; k < chosen_count; ++k) {
      const std::uint32_t row = chosen[k];
      const bool counts = gradients.of_rows[first + row].hessian != 0;
      const std::int32_t kind = kind_[router_.nodes()[first + row]];
      listed[listed_count] = row;
      listed_count += kind == kListed && counts ? 1 : 0;
      chosen[summed_count] = row;
      summed_count += kind == kSummed && counts ? 1 : 0;
    }
    list_rows(worker, first, std::span(listed).first(listed_count), gradients);
  }
  add_rows(worker, first, std::span(chosen).first(summed_count), gradients);
}

void NodeSums::work(Worker& worker, const Gradients& gradients, std::atomic<std::size_t>& next,
                    const Context& context) {
  const std::size_t rows = samples_.size();
  const bool all_in_one_table = router_.all_at_root() && table_count_ == 1;
  for (;;) {
    context.check_cancelled();
    const std::size_t begin = next.fetch_add(kBlock * kBlocksAtOnce);
    if (begin >= rows) return;
    const std::size_t end = std::min(rows, begin + kBlock * kBlocksAtOnce);
    if (all_in_one_table) {
      add_range(worker, begin, end, gradients);
      continue;
    }
    for (std::size_t first = begin; first < end; first += kBlock)
      move_and_add(worker, first, std::min(kBlock, end - first), gradients);
  }
}

void NodeSums::collect(std::span<const Wanted> wanted, const Gradients& gradients, const Context& context) {
  plan(wanted, context);
  std::atomic<std::size_t> next = 0;
  parallel_for(context, workers_.size(), 1, [&](std::size_t w, std::size_t) {
    Worker& worker = workers_[w];
    for (std::size_t part = 0; part < kTripleParts; ++part)
      worker.tables[part].assign(table_count_ * sizes_[part], {});
    worker.lists.resize(wanted.size());
    for (auto& list : worker.lists) list.clear();
    work(worker, gradients, next, context);
  });
  parallel_for(context, wanted.size() * kTripleParts, 1, [&](std::size_t task, std::size_t) {
    merge(task / kTripleParts, wanted[task / kTripleParts].node, task % kTripleParts);
  });
}

void NodeSums::merge(std::size_t i, std::uint8_t node, std::size_t part) {
  Merged& merged = merged_[i][part];
  merged.count = 0;
  const auto append = [&merged](std::uint32_t id, const GradientSums& sums) {
    merged.ids[merged.count] = id;
    merged.sums[merged.count++] = sums;
  };
  if (kind_[node] == kListed) {
    std::size_t rows = 0;
    for (const Worker& worker : workers_) rows += worker.lists[i].size();
    merged.make_room(rows);
    for (const Worker& worker : workers_) {
      for (const ListedRow& row : worker.lists[i])
        append(row.ids[part], {row.gradient.gradient, row.gradient.hessian});
    }
    return;
  }
  merged.make_room(sizes_[part]);
  for (std::size_t id = 0; id < sizes_[part]; ++id) {
    GradientSums sums;
    for (const Worker& worker : workers_) sums += worker.tables[part][table_of_[node] * sizes_[part] + id];
    if (sums.hessian != 0) append(static_cast<std::uint32_t>(id), sums);
  }
}

Entries NodeSums::entries(std::size_t i, TriplePart part) const {
  const Merged& merged = merged_[i][static_cast<std::size_t>(part)];
  return {{merged.ids.data(), merged.count}, {merged.sums.data(), merged.count}};
}

}  // namespace greenkgc::decide
