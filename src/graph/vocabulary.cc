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

// How far ahead of the look-up memory is fetched, in tokens. A look-up waits for two fetches in a row, the
// slot and the label; 32 tokens of work (about 300 ns) hide one from DRAM.
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
    throw Error(ErrorCode::kBadInput, "more than 4,294,967,293 different labels: ids are 32 bits wide");
  }
  slots_[at] = {wanted, id + 1};
  arena_.insert(arena_.end(), text.begin(), text.end());
  ends_.push_back(arena_.size());
  if (ends_.size() * 3 > slots_.size() * 2) grow();
  return id;
}

void Vocabulary::intern(const char* text, std::span<const Token> tokens, std::uint32_t* ids) {
  const std::size_t n = tokens.size();
  const auto slot_of = [this](const Token& token) {
    return &slots_[static_cast<std::uint32_t>(token.hash) & (slots_.size() - 1)];
  };
  for (std::size_t i = 0; i < n; ++i) {
    if (i + 2 * kAhead < n) __builtin_prefetch(slot_of(tokens[i + 2 * kAhead]));
    if (i + kAhead < n) {
      const Slot* slot = slot_of(tokens[i + kAhead]);
      if (slot->id_plus_one != 0) __builtin_prefetch(&ends_[slot->id_plus_one - 1]);
    }
    if (i + kAhead / 2 < n) {
      const Slot* slot = slot_of(tokens[i + kAhead / 2]);
      if (slot->id_plus_one != 0) __builtin_prefetch(arena_.data() + ends_[slot->id_plus_one - 1]);
    }
    ids[i] = intern_hashed({text + tokens[i].begin, tokens[i].size}, tokens[i].hash);
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
