#include "trees/train/node_sums.h"

#include <algorithm>
#include <bit>

#include "base/parallel.h"

namespace greenkgc::trees {
namespace {

using features::kTripleParts;

constexpr std::size_t kBlock = RowRouter::kBlock;
constexpr std::size_t kRowsAtOnce = RowRouter::kBlocksAtOnce * kBlock;
constexpr std::size_t kMostWidth = simd::SumEntries::kMostWidth;
// A table costs a few operations per entity to clear and to merge; a listed row as many per feature as an
// entry of a table.
constexpr double kEntitiesPerListedRow = 8;

std::size_t width_of(std::size_t nodes) {
  return std::bit_ceil(nodes);
}

}  // namespace

NodeSums::NodeSums(const Samples& samples, RowRouter& router, std::size_t table_bytes)
    : samples_(samples), router_(router), table_bytes_(table_bytes) {}

bool NodeSums::is_listed(const Wanted& wanted) const {
  return wanted.rows * kEntitiesPerListedRow < static_cast<double>(router_.keys().count(TriplePart::kHead));
}

// A table for each worker, and the merged one with its ids.
std::size_t NodeSums::bytes_per_node(std::size_t workers) const {
  return router_.keys().size() * ((workers + 1) * sizeof(simd::GradientSums) + sizeof(std::uint32_t));
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
  summed_slots_ = 0;
  listed_slots_ = 0;
  columns_ = 0;
  groups_.clear();
  std::vector<Group> listed;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::uint8_t slot = wanted[i].slot;
    const std::uint64_t bit = std::uint64_t{1} << slot;
    wanted_of_[slot] = static_cast<std::uint8_t>(i);
    if (is_listed(wanted[i])) {
      listed_slots_ |= bit;
      listed.push_back({{i}, true});
    } else {
      summed_slots_ |= bit;
      if (columns_ % kMostWidth == 0) groups_.push_back({{}, false});
      groups_.back().nodes.push_back(i);
      column_of_slot_[slot] = static_cast<std::uint8_t>(columns_++);
    }
  }
  groups_.insert(groups_.end(), listed.begin(), listed.end());
  merged_.resize(std::max(merged_.size(), groups_.size()));
  const std::size_t pieces = samples_.size() / kRowsAtOnce + 1;
  std::size_t workers = std::min(pieces, static_cast<std::size_t>(context.thread_count()));
  // One node alone may need more than all the bytes: then fewer work.
  while (workers > 1 && columns_ * bytes_per_node(workers) > table_bytes_) --workers;
  workers_.resize(workers);
}

void NodeSums::add_all(Worker& worker, std::size_t first, const Gradients& gradients) const {
  simd::GradientSums* const table = worker.table.data();
  for (const simd::RowRun& run : router_.runs().of_block(first / kBlock)) {
    const simd::GradientSums sums =
        simd::sum_run(gradients.of_rows.subspan(first + run.begin, std::size_t{run.end} - run.begin),
                      router_.runs().keys().data() + first + run.begin, table);
    for (const std::uint32_t key : run.shared_keys) table[key] += sums;
  }
}

void NodeSums::list_rows(Worker& worker, std::size_t first, std::size_t count,
                         const Gradients& gradients) const {
  const auto slots = router_.slots().subspan(first, count);
  std::array<std::uint32_t, kBlock + simd::kRouteRoom> rows;
  const std::size_t listed = simd::choose_rows(slots, listed_slots_, rows.data());
  for (const std::uint32_t offset : std::span(rows).first(listed)) {
    const std::size_t row = first + offset;
    if (gradients.of_rows[row].hessian != 0)
      worker.lists[wanted_of_[slots[offset]]].push_back(
          {{samples_.ids[0][row], samples_.ids[1][row], samples_.ids[2][row]}, gradients.of_rows[row]});
  }
}

void NodeSums::move_and_add(Worker& worker, std::size_t first, std::size_t count,
                            const Gradients& gradients) {
  RowRouter::Block& block = worker.block;
  router_.move(first, count, summed_slots_, block);
  if (listed_slots_ != 0) list_rows(worker, first, count, gradients);
  if (gradients.skip_left_out) {
    const auto left_out = std::remove_if(
        block.chosen.begin(), block.chosen.begin() + static_cast<std::ptrdiff_t>(block.chosen_count),
        [&](std::uint32_t row) { return gradients.of_rows[first + row].hessian == 0; });
    block.chosen_count = static_cast<std::size_t>(left_out - block.chosen.begin());
  }
  if (block.chosen_count == 0) return;
  simd::sum_rows({.rows = std::span(block.chosen).first(block.chosen_count),
                  .runs = router_.runs().of_block(first / kBlock),
                  .keys = router_.runs().keys().data() + first,
                  .slots = router_.slots().data() + first,
                  .gradients = gradients.of_rows.data() + first,
                  .column_of_slot = column_of_slot_.data(),
                  .columns = columns_},
                 worker.table.data());
}

void NodeSums::work(Worker& worker, const Gradients& gradients, std::atomic<std::size_t>& next,
                    const Context& context) {
  const std::size_t rows = samples_.size();
  const bool all_in_one_table = router_.all_at_root() && columns_ == 1;
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
    worker.table.clear_to(router_.keys().size() * columns_);
    worker.lists.resize(wanted.size());
    for (auto& list : worker.lists) list.clear();
    work(worker, gradients, next, context);
  });
  router_.rows_moved();
  parallel_for(context, groups_.size() * kTripleParts, 1, [&](std::size_t task, std::size_t) {
    const std::size_t group = task / kTripleParts;
    const auto part = static_cast<TriplePart>(task % kTripleParts);
    if (groups_[group].listed)
      merge_lists(group, part);
    else
      merge_tables(group, part);
  });
}

void NodeSums::merge_lists(std::size_t group, TriplePart part) {
  const std::size_t i = groups_[group].nodes[0];
  Merged& merged = merged_[group][static_cast<std::size_t>(part)];
  std::size_t rows = 0;
  for (const Worker& worker : workers_) rows += worker.lists[i].size();
  merged.clear(rows, 1);
  for (const Worker& worker : workers_) {
    for (const ListedRow& row : worker.lists[i]) {
      merged.ids[merged.count] = row.ids[static_cast<std::size_t>(part)];
      merged.sums.data()[merged.count++] = {row.gradient.gradient, row.gradient.hessian};
    }
  }
}

void NodeSums::merge_tables(std::size_t group, TriplePart part) {
  Merged& merged = merged_[group][static_cast<std::size_t>(part)];
  const std::size_t count = groups_[group].nodes.size();
  const std::size_t first = group * kMostWidth;
  if (width_of(count) == 1)
    merge_columns<1>(first, count, part, merged);
  else
    merge_columns<2>(first, count, part, merged);
}

// Without the ids that have no rows.
template <std::size_t kWidth>
void NodeSums::merge_columns(std::size_t first_column, std::size_t count, TriplePart part,
                             Merged& merged) const {
  const std::size_t first_key = router_.keys().first(part);
  const std::size_t ids = router_.keys().count(part);
  merged.clear(ids, kWidth);
  for (std::size_t id = 0; id < ids; ++id) {
    std::array<simd::GradientSums, kWidth> sums = {};
    for (const Worker& worker : workers_) {
      const simd::GradientSums* const of_worker =
          worker.table.data() + (first_key + id) * columns_ + first_column;
      for (std::size_t i = 0; i < count; ++i) sums[i] += of_worker[i];
    }
    std::int64_t hessians = 0;
    for (const simd::GradientSums& sum : sums) hessians |= sum.hessian;
    std::ranges::copy(sums, merged.sums.data() + merged.count * kWidth);
    merged.ids[merged.count] = static_cast<std::uint32_t>(id);
    merged.count += hessians != 0 ? 1 : 0;
  }
}

simd::SumEntries NodeSums::entries(std::size_t group, TriplePart part) const {
  const Merged& merged = merged_[group][static_cast<std::size_t>(part)];
  return {{merged.ids.data(), merged.count}, merged.sums.data(), width_of(groups_[group].nodes.size())};
}

}  // namespace greenkgc::trees
