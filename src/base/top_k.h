#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace greenkgc {

// Keeps the k best of the items that are added, whatever their order: is_better(a, b) is a strict total
// order, so the result does not depend on how the items were divided among several collectors either.
//
// Items that may be among the best gather until there are 2 k of them (at least kLeastRoom), and are then cut
// to the best k (as faiss does in ReservoirTopN). An item costs a comparison if it is worse than the
// threshold, and O(1) on average otherwise, where a heap takes O(log k). Memory is that of 2 k items.
template <class T, class IsBetter>
class TopK {
 public:
  explicit TopK(std::size_t k, IsBetter is_better = {})
      : k_(k), room_(std::max(2 * k, kLeastRoom)), is_better_(is_better) {}

  void add(const T& item) {
    if (k_ == 0 || (has_threshold_ && !is_better_(item, threshold_))) return;
    items_.push_back(item);
    if (items_.size() >= room_) cut();
  }
  void merge(const TopK& other) {
    for (const T& item : other.items_) add(item);
  }

  // No item that is not better than this one can be among the k best. Null: nothing is known yet, because too
  // few items have come.
  const T* threshold() const { return has_threshold_ ? &threshold_ : nullptr; }

  // The k best, best first; fewer if fewer have come. More may be added afterwards.
  const std::vector<T>& sorted() & {
    if (items_.size() > k_) cut();
    std::sort(items_.begin(), items_.end(), is_better_);
    return items_;
  }
  std::vector<T> sorted() && {
    static_cast<TopK&>(*this).sorted();
    return std::move(items_);
  }

  // Forgets all items; the memory stays.
  void clear() {
    items_.clear();
    has_threshold_ = false;
  }

 private:
  static constexpr std::size_t kLeastRoom = 64;

  // Leaves the k best of more than k.
  void cut() {
    const auto worst = items_.begin() + static_cast<std::ptrdiff_t>(k_ - 1);
    std::nth_element(items_.begin(), worst, items_.end(), is_better_);
    threshold_ = *worst;
    has_threshold_ = true;
    items_.erase(worst + 1, items_.end());
  }

  std::size_t k_;
  std::size_t room_;
  IsBetter is_better_;
  std::vector<T> items_;
  T threshold_{};  // the worst of the k best when they were last cut
  bool has_threshold_ = false;
};

}  // namespace greenkgc
