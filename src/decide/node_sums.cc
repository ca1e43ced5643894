#include "decide/node_sums.h"

#include <algorithm>

#include "kernels/parallel.h"

namespace greenkgc::decide {
namespace {

using model::kTripleParts;

constexpr std::size_t kBlock = RowRouter::kBlock;
constexpr std::size_t kRowsAtOnce = RowRouter::kBlocksAtOnce * kBlock;
constexpr std::size_t kColumnsAtOnce = 4;  // that are merged together: a line of the cache

}  // namespace

NodeSums::NodeSums(const Samples& samples, RowRouter& router, std::size_t table_bytes)
    : samples_(samples), router_(router), table_bytes_(table_bytes) {}

bool NodeSums::is_listed(const Wanted& wanted) const {
  return wanted.rows < static_cast<double>(router_.keys().count(TriplePart::kHead));
}

// A table for each worker, and the merged one with its ids.
std::size_t NodeSums::bytes_per_node(std::size_t workers) const {
  return router_.keys().size() * ((workers + 1) * sizeof(GradientSums) + sizeof(std::uint32_t));
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
  slots_ = 0;
  listed_slots_ = 0;
  wanted_of_column_.clear();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::uint8_t slot = wanted[i].slot;
    const std::uint64_t bit = std::uint64_t{1} << slot;
    slots_ |= bit;
    wanted_of_[slot] = static_cast<std::uint8_t>(i);
    if (is_listed(wanted[i])) {
      listed_slots_ |= bit;
    } else {
      column_of_slot_[slot] = static_cast<std::uint8_t>(wanted_of_column_.size());
      wanted_of_column_.push_back(i);
    }
  }
  merged_.resize(std::max(merged_.size(), wanted.size()));
  const std::size_t pieces = samples_.size() / kRowsAtOnce + 1;
  std::size_t workers = std::min(pieces, static_cast<std::size_t>(context.thread_count()));
  // One node alone may need more than all the bytes: then fewer work.
  while (workers > 1 && wanted_of_column_.size() * bytes_per_node(workers) > table_bytes_) --workers;
  workers_.resize(workers);
}

void NodeSums::add_all(Worker& worker, std::size_t first, const Gradients& gradients) const {
  GradientSums* const table = worker.table.data();
  for (const RowRun& run : router_.runs().of_block(first / kBlock)) {
    const GradientSums sums =
        sum_run(gradients.of_rows.subspan(first + run.begin, std::size_t{run.end} - run.begin),
                router_.runs().keys().data() + first + run.begin, table);
    for (const std::uint32_t key : run.shared_keys) table[key] += sums;
  }
}

void NodeSums::list_rows(Worker& worker, std::size_t first, const Gradients& gradients) const {
  RowRouter::Block& block = worker.block;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < block.chosen_count; ++k) {
    const std::size_t row = first + block.chosen[k];
    if (gradients.of_rows[row].hessian == 0) continue;
    const std::uint8_t slot = router_.slots()[row];
    if ((listed_slots_ >> slot & 1) != 0)
      worker.lists[wanted_of_[slot]].push_back(
          {{samples_.ids[0][row], samples_.ids[1][row], samples_.ids[2][row]}, gradients.of_rows[row]});
    else
      block.chosen[kept++] = block.chosen[k];
  }
  block.chosen_count = kept;
}

void NodeSums::move_and_add(Worker& worker, std::size_t first, std::size_t count,
                            const Gradients& gradients) {
  RowRouter::Block& block = worker.block;
  router_.move(first, count, slots_, block);
  if (listed_slots_ != 0 || gradients.skip_left_out) list_rows(worker, first, gradients);
  if (block.chosen_count == 0) return;
  sum_rows({.rows = std::span(block.chosen).first(block.chosen_count),
            .runs = router_.runs().of_block(first / kBlock),
            .keys = router_.runs().keys().data() + first,
            .slots = router_.slots().data() + first,
            .gradients = gradients.of_rows.data() + first,
            .column_of_slot = column_of_slot_.data(),
            .columns = wanted_of_column_.size()},
           worker.table.data());
}

void NodeSums::work(Worker& worker, const Gradients& gradients, std::atomic<std::size_t>& next,
                    const Context& context) {
  const std::size_t rows = samples_.size();
  const bool all_in_one_table = router_.all_at_root() && wanted_of_column_.size() == 1;
  for (;;) {
    context.check_cancelled();
    const std::size_t begin = next.fetch_add(kRowsAtOnce);
    if (begin >= rows) return;
    const std::size_t end = std::min(rows, begin + kRowsAtOnce);
    for (std::size_t first = begin; first < end; first += kBlock) {
      if (all_in_one_table)
        add_all(worker, first, gradients);
      else
        move_and_add(worker, first, std::min(kBlock, end - first), gradients);
    }
  }
}

void NodeSums::collect(std::span<const Wanted> wanted, const Gradients& gradients, const Context& context) {
  plan(wanted, context);
  std::atomic<std::size_t> next = 0;
  parallel_for(context, workers_.size(), 1, [&](std::size_t w, std::size_t) {
    Worker& worker = workers_[w];
    worker.table.assign(router_.keys().size() * wanted_of_column_.size(), {});
    worker.lists.resize(wanted.size());
    for (auto& list : worker.lists) list.clear();
    work(worker, gradients, next, context);
  });
  router_.rows_moved();
  parallel_for(context, wanted.size() * kTripleParts, 1, [&](std::size_t task, std::size_t) {
    if ((listed_slots_ >> wanted[task / kTripleParts].slot & 1) != 0)
      merge_lists(task / kTripleParts, static_cast<TriplePart>(task % kTripleParts));
  });
  const std::size_t columns = wanted_of_column_.size();
  const std::size_t groups = (columns + kColumnsAtOnce - 1) / kColumnsAtOnce;
  parallel_for(context, groups * kTripleParts, 1, [&](std::size_t task, std::size_t) {
    const std::size_t first = task / kTripleParts * kColumnsAtOnce;
    merge_tables(static_cast<TriplePart>(task % kTripleParts), first,
                 std::min(columns, first + kColumnsAtOnce));
  });
}

void NodeSums::merge_lists(std::size_t i, TriplePart part) {
  Merged& merged = merged_[i][static_cast<std::size_t>(part)];
  merged.count = 0;
  std::size_t rows = 0;
  for (const Worker& worker : workers_) rows += worker.lists[i].size();
  merged.make_room(rows);
  for (const Worker& worker : workers_) {
    for (const ListedRow& row : worker.lists[i])
      merged.append(row.ids[static_cast<std::size_t>(part)], {row.gradient.gradient, row.gradient.hessian});
  }
}

void NodeSums::merge_tables(TriplePart part, std::size_t first_column, std::size_t end_column) {
  const std::size_t columns = wanted_of_column_.size();
  const auto merged_of = [&](std::size_t column) -> Merged& {
    return merged_[wanted_of_column_[column]][static_cast<std::size_t>(part)];
  };
  const std::size_t first_key = router_.keys().first(part);
  const std::size_t ids = router_.keys().count(part);
  for (std::size_t column = first_column; column < end_column; ++column) {
    merged_of(column).count = 0;
    merged_of(column).make_room(ids);
  }
  for (std::size_t id = 0; id < ids; ++id) {
    for (std::size_t column = first_column; column < end_column; ++column) {
      GradientSums sums;
      for (const Worker& worker : workers_) sums += worker.table[(first_key + id) * columns + column];
      if (sums.hessian != 0) merged_of(column).append(static_cast<std::uint32_t>(id), sums);
    }
  }
}

Entries NodeSums::entries(std::size_t i, TriplePart part) const {
  const Merged& merged = merged_[i][static_cast<std::size_t>(part)];
  return {{merged.ids.data(), merged.count}, {merged.sums.data(), merged.count}};
}

}  // namespace greenkgc::decide
