#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace greenkgc::graph {

// Labels with dense ids by first appearance. Labels are arbitrary bytes without tab, line feed or NUL
// (the readers see to that), stored once, one after another. A label costs its bytes and about 24 more. Const
// calls may run in several threads.
class Vocabulary {
 public:
  std::uint32_t size() const { return static_cast<std::uint32_t>(ends_.size() - 1); }
  std::string_view label(std::uint32_t id) const {
    return {arena_.data() + ends_[id], static_cast<std::size_t>(ends_[id + 1] - ends_[id])};
  }
  std::optional<std::uint32_t> find(std::string_view label) const;
  // The label's id, a new one if it has none. Throws kBadInput when ids run out.
  std::uint32_t intern(std::string_view label);

  // A label somewhere in a block of text, with hash() of it.
  struct Token {
    std::uint32_t begin;
    std::uint32_t size;
    std::uint64_t hash;
  };
  static std::uint64_t hash(std::string_view label);
  // Interns tokens[0], tokens[1], ... of `text` in order and writes their ids. Several times as fast as one
  // by one on large vocabularies: the memory that a token will touch is fetched while those before it are
  // looked up.
  void intern(const char* text, std::span<const Token> tokens, std::uint32_t* ids);

  std::size_t bytes() const;  // memory held

 private:
  // An open-addressing table, at most two thirds full; its size is a power of two.
  struct Slot {
    std::uint32_t hash;         // the low half of hash(): also where the search starts
    std::uint32_t id_plus_one;  // 0: free
  };
  // The id, plus one, of the first label whose hash agrees; 0: none, or it is not known yet.
  std::uint32_t likely_id(std::uint64_t hash) const;
  std::uint32_t intern_hashed(std::string_view label, std::uint64_t hash);
  void grow();

  std::vector<char> arena_;
  std::vector<std::uint64_t> ends_ = {0};  // label i is arena_[ends_[i] .. ends_[i+1])
  std::vector<Slot> slots_ = std::vector<Slot>(16);
};

}  // namespace greenkgc::graph
