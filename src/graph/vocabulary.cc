#include "graph/vocabulary.h"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "base/huge_pages.h"
#include "greenkgc/error.h"
#include "greenkgc/ids.h"

namespace greenkgc::graph {
namespace {

// How far ahead memory is fetched, in tokens: the work on 32 (about 400 ns) hides a fetch from DRAM.
constexpr std::size_t kAhead = 32;

// Differs from run to run, so that no file can be made whose labels all collide. Ids do not depend on it.
std::uint64_t hash_seed() {
  static const std::uint64_t seed = std::random_device{}() | std::uint64_t{std::random_device{}()} << 32;
  return seed;
}

}  // namespace

std::uint64_t Vocabulary::hash(std::string_view label) {
  return XXH3_64bits_withSeed(label.data(), label.size(), hash_seed());
}

std::optional<std::uint32_t> Vocabulary::find(std::string_view text) const {
  const auto wanted = static_cast<std::uint32_t>(hash(text));
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = wanted & mask;; at = (at + 1) & mask) {
    const Slot slot = slots_[at];
    if (slot.id_plus_one == 0) return std::nullopt;
    if (slot.hash == wanted && label(slot.id_plus_one - 1) == text) return slot.id_plus_one - 1;
  }
}

std::uint32_t Vocabulary::intern(std::string_view text) {
  return intern_hashed(text, hash(text));
}

std::uint32_t Vocabulary::intern_hashed(std::string_view text, std::uint64_t full_hash) {
  const auto wanted = static_cast<std::uint32_t>(full_hash);
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = wanted & mask;
  for (;; at = (at + 1) & mask) {
    const Slot slot = slots_[at];
    if (slot.id_plus_one == 0) break;
    if (slot.hash == wanted && label(slot.id_plus_one - 1) == text) return slot.id_plus_one - 1;
  }
  const std::uint32_t id = size();
  if (id + std::uint64_t{1} >= kMaxIds) {
    throw Error(ErrorCode::kBadInput, "more than 4,294,967,293 different labels, the limit for 32-bit ids");
  }
  slots_[at] = {wanted, id + 1};
  arena_.insert(arena_.end(), text.begin(), text.end());
  ends_.push_back(arena_.size());
  if (ends_.size() * 3 > slots_.size() * 2) grow();
  return id;
}

std::uint32_t Vocabulary::likely_id(std::uint64_t full_hash) const {
  const auto wanted = static_cast<std::uint32_t>(full_hash);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = wanted & mask;; at = (at + 1) & mask) {
    if (slots_[at].id_plus_one == 0 || slots_[at].hash == wanted) return slots_[at].id_plus_one;
  }
}

// Four steps, each so far ahead of the next that what it fetches is there by then: the slot; the id whose
// hash agrees, and where its label is; the label; the comparison.
void Vocabulary::intern(const char* text, std::span<const Token> tokens, std::uint32_t* ids) {
  const std::size_t n = tokens.size();
  for (std::size_t step = 0; step < n + 3 * kAhead; ++step) {
    if (step < n) {
      __builtin_prefetch(&slots_[static_cast<std::uint32_t>(tokens[step].hash) & (slots_.size() - 1)]);
    }
    if (const std::size_t i = step - kAhead; i < n) {
      ids[i] = likely_id(tokens[i].hash);
      if (ids[i] != 0) __builtin_prefetch(&ends_[ids[i] - 1]);
    }
    if (const std::size_t i = step - 2 * kAhead; i < n && ids[i] != 0) {
      __builtin_prefetch(arena_.data() + ends_[ids[i] - 1]);
    }
    if (const std::size_t i = step - 3 * kAhead; i < n) {
      const std::string_view wanted(text + tokens[i].begin, tokens[i].size);
      const bool right = ids[i] != 0 && label(ids[i] - 1) == wanted;
      ids[i] = right ? ids[i] - 1 : intern_hashed(wanted, tokens[i].hash);
    }
  }
}

void Vocabulary::grow() {
  std::vector<Slot> larger;
  larger.reserve(slots_.size() * 2);
  prefer_huge_pages(larger);  // before its pages are touched
  larger.resize(slots_.size() * 2);
  const std::size_t mask = larger.size() - 1;
  for (const Slot slot : slots_) {
    if (slot.id_plus_one == 0) continue;
    std::size_t at = slot.hash & mask;
    while (larger[at].id_plus_one != 0) at = (at + 1) & mask;
    larger[at] = slot;
  }
  slots_ = std::move(larger);
  // Room for the labels until the next time, so that these do not move and fault in between.
  ends_.reserve(slots_.size() * 2 / 3 + 2);
  arena_.reserve(arena_.size() * 2);
  prefer_huge_pages(ends_);
  prefer_huge_pages(arena_);
}

std::size_t Vocabulary::bytes() const {
  return arena_.capacity() + ends_.capacity() * sizeof(ends_[0]) + slots_.capacity() * sizeof(Slot);
}

}  // namespace greenkgc::graph
