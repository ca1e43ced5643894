#pragma once

#include <cstddef>
#include <span>

namespace greenkgc::evidence {

// At most `most` of the items, evenly spread: the same ones each time, in their order. What bounds the work
// at hubs.
template <class Item>
class Sampled {
 public:
  Sampled(std::span<const Item> items, std::size_t most)
      : items_(items), size_(items.size() < most ? items.size() : most) {}

  std::size_t size() const { return size_; }
  std::size_t place(std::size_t i) const { return size_ == items_.size() ? i : i * items_.size() / size_; }
  // Whether the item in that place is one of them.
  bool takes(std::size_t place_of_item) const {
    if (size_ == items_.size()) return true;
    if (size_ == 0) return false;
    return place((place_of_item * size_ + items_.size() - 1) / items_.size()) == place_of_item;
  }
  const Item& operator[](std::size_t i) const { return items_[place(i)]; }

 private:
  std::span<const Item> items_;
  std::size_t size_;
};

}  // namespace greenkgc::evidence
