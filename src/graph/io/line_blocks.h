#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/byte_source.h"

namespace greenkgc::graph {

// Longest line that readers accept: labels are names, not documents, and memory stays bounded whatever the
// file holds.
inline constexpr std::size_t kMaxLineBytes = 1 << 20;

// Cuts a stream into blocks of whole lines. A byte order mark at the start is dropped; a last line without
// line feed gets one. Throws kBadInput for a line of more than kMaxLineBytes.
class LineBlocks {
 public:
  explicit LineBlocks(ByteSource& source) : source_(source) {}
  // Fills `text` with the next lines, each with its line feed; false at the end.
  bool next(std::vector<char>& text);

 private:
  ByteSource& source_;
  std::vector<char> carry_;  // the start of a line that the last block cut
  std::uint64_t lines_ = 0;  // handed out so far
  bool at_start_ = true;
};

// The lines of a small or sequential file one by one, without line feed and carriage return. Line numbers
// start at 1.
class Lines {
 public:
  explicit Lines(ByteSource& source) : source_(source), blocks_(source) {}
  // False at the end. Throws kBadInput for a NUL byte, and as LineBlocks does. `line` is valid until the next
  // call.
  bool next(std::string_view& line);
  std::uint64_t number() const { return number_; }      // of the line that next() gave last
  [[noreturn]] void fail(std::string_view what) const;  // kBadInput: "NAME: line N: what"

 private:
  ByteSource& source_;
  LineBlocks blocks_;
  std::vector<char> text_;
  std::size_t at_ = 0;
  std::uint64_t number_ = 0;
};

std::string nul_byte_message(std::size_t offset);

// The first line of OpenKE's files is the number of lines that follow.
struct CountLine {
  std::uint64_t count = 0;
  std::uint64_t number = 1;  // of the line itself
};
// Both throw kBadInput.
CountLine parse_count_line(const ByteSource& source, std::string_view line, std::uint64_t number);
void check_count_line(const ByteSource& source, const CountLine& promised, std::uint64_t found);

// The error of a reader: "NAME: line 1,234: what".
[[noreturn]] void fail_at_line(const ByteSource& source, std::uint64_t line, std::string_view what);

}  // namespace greenkgc::graph
