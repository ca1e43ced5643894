#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/files/byte_source.h"
#include "graph/io/line_blocks.h"
#include "greenkgc/error.h"

namespace greenkgc::graph {

// The text of an RDF file byte by byte, in blocks, and the place in it for messages. NUL and bytes that are
// not UTF-8 are found here, since serd takes some of them for text. A byte order mark at the start is
// dropped.
class RdfText {
 public:
  enum class Blocks { kAnywhere, kWholeLines };
  RdfText(ByteSource& source, Blocks blocks) : source_(source), blocks_(blocks), lines_(source) {}

  // Goes on to the next block; false at the end of the text. Throws kBadInput for a line of more than
  // kMaxLineBytes in blocks of whole lines.
  bool next_block();
  // The next byte of the block; false at its end. At a byte that cannot be text the block ends, and
  // check_block_end() throws kBadInput.
  bool next_byte(char& byte) {
    if (at_ == end_) return false;
    byte = text_[at_++];
    return true;
  }
  void check_block_end() const;
  void stop() { end_ = at_; }  // no more bytes from this block

  std::uint64_t given() const { return given_before_ + at_; }  // bytes so far
  char given_byte(std::size_t back) const;                     // 0: the last one, 1: the one before
  Error error_here(std::string_view what) const;               // kBadInput at the last byte given

 private:
  bool read_anywhere();
  Error error_at(std::size_t offset, std::string_view what) const;

  ByteSource& source_;
  Blocks blocks_;
  LineBlocks lines_;
  std::vector<char> text_;   // the block
  std::size_t at_ = 0;       // bytes of the block given
  std::size_t end_ = 0;      // bytes of the block that are text; all of them, if the file is in order
  std::vector<char> carry_;  // the start of a character that the last block cut
  char last_of_previous_ = '\0';
  std::uint64_t given_before_ = 0;   // bytes in the blocks before
  std::uint64_t lines_before_ = 0;   // line feeds in them
  std::uint64_t column_before_ = 0;  // bytes after the last of those
};

}  // namespace greenkgc::graph
