#include "graph/io/rdf_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"

namespace greenkgc::graph {
namespace {

constexpr std::size_t kRdfBlockBytes = 64 << 10;
constexpr std::size_t kLongestCharacter = 4;

}  // namespace

bool RdfText::next_block() {
  const std::string_view done(text_.data(), text_.size());
  if (const std::size_t line_feed = done.rfind('\n'); line_feed != std::string_view::npos) {
    lines_before_ += static_cast<std::uint64_t>(std::count(done.begin(), done.end(), '\n'));
    column_before_ = done.size() - line_feed - 1;
  } else {
    column_before_ += done.size();
  }
  given_before_ += done.size();
  if (!done.empty()) last_of_previous_ = done.back();

  at_ = 0;
  const bool more = blocks_ == Blocks::kWholeLines ? lines_.next(text_) : read_anywhere();
  const std::string_view text(text_.data(), text_.size());
  end_ = valid_utf8_prefix(text);
  if (more && blocks_ == Blocks::kAnywhere && text.size() - end_ < kLongestCharacter) {
    carry_.assign(text.begin() + end_, text.end());
    text_.resize(end_);
  }
  end_ = std::min(end_, std::string_view(text_.data(), end_).find('\0'));
  return !text_.empty();
}

// False if that was the last of the text.
bool RdfText::read_anywhere() {
  text_ = std::move(carry_);
  carry_.clear();
  const std::size_t carried = text_.size();
  text_.resize(carried + kRdfBlockBytes);
  const std::size_t got = read_fully(source_, std::span(text_).subspan(carried));
  text_.resize(carried + got);
  if (given_before_ == 0 && std::string_view(text_.data(), text_.size()).starts_with(kByteOrderMark)) {
    text_.erase(text_.begin(), text_.begin() + kByteOrderMark.size());
  }
  return got == kRdfBlockBytes;
}

void RdfText::check_block_end() const {
  if (at_ < end_ || end_ == text_.size()) return;
  throw error_at(end_, text_[end_] == '\0'
                           ? std::string("a NUL byte; this does not look like a text file")
                           : fmt::format("byte 0x{:02X} is not valid UTF-8, which RDF requires",
                                         static_cast<unsigned char>(text_[end_])));
}

char RdfText::given_byte(std::size_t back) const {
  return back < at_ ? text_[at_ - 1 - back] : last_of_previous_;
}

Error RdfText::error_here(std::string_view what) const {
  return error_at(at_ == 0 ? 0 : at_ - 1, what);
}

Error RdfText::error_at(std::size_t offset, std::string_view what) const {
  const std::string_view before(text_.data(), offset);
  const auto lines =
      lines_before_ + static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t line_feed = before.rfind('\n');
  const std::uint64_t column =
      line_feed == std::string_view::npos ? column_before_ + offset : offset - line_feed - 1;
  return Error(ErrorCode::kBadInput, fmt::format("{}: line {}, column {}: {}", source_.name(),
                                                 with_commas(lines + 1), with_commas(column + 1), what));
}

}  // namespace greenkgc::graph
