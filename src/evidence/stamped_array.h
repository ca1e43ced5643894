#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace greenkgc::evidence {

// One value for each of n places, all of which are forgotten at once in constant time; knows which places
// were used since. For a question that touches few of many places.
template <class Value>
class StampedArray {
 public:
  explicit StampedArray(std::size_t n = 0) : cells_(n) {}

  void clear() {
    touched_.clear();
    if (++now_ != 0) return;
    for (Cell& cell : cells_) cell.stamp = 0;
    now_ = 1;
  }

  // As new where it was not used since the last clear().
  Value& operator[](std::uint32_t place) {
    Cell& cell = cells_[place];
    if (cell.stamp != now_) {
      cell = {now_, Value{}};
      touched_.push_back(place);
    }
    return cell.value;
  }
  // Null where it was not used.
  const Value* find(std::uint32_t place) const {
    const Cell& cell = cells_[place];
    return cell.stamp == now_ ? &cell.value : nullptr;
  }
  bool contains(std::uint32_t place) const { return cells_[place].stamp == now_; }

  std::span<const std::uint32_t> touched() const { return touched_; }  // in order of first use

 private:
  struct Cell {
    std::uint32_t stamp = 0;
    Value value{};
  };
  std::vector<Cell> cells_;
  std::vector<std::uint32_t> touched_;
  std::uint32_t now_ = 1;
};

}  // namespace greenkgc::evidence
