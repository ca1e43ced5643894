#include "graph/io/line_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/text.h"
#include "base/utf8.h"
#include "greenkgc/error.h"

namespace greenkgc::graph {
namespace {

// Half of a usual L2 cache, so that a block is still there when it is looked at for the second time.
constexpr std::size_t kBlockBytes = 256 << 10;

}  // namespace

void fail_at_line(const ByteSource& source, std::uint64_t line, std::string_view what) {
  throw Error(ErrorCode::kBadInput, fmt::format("{}: line {}: {}", source.name(), with_commas(line), what));
}

std::string nul_byte_message(std::size_t offset) {
  return fmt::format("byte {} of the line is NUL; this does not look like a text file",
                     with_commas(offset + 1));
}

CountLine parse_count_line(const ByteSource& source, std::string_view line, std::uint64_t number) {
  while (line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
  CountLine parsed{.number = number};
  if (!parse_u64(line, parsed.count)) {
    fail_at_line(source, number,
                 fmt::format("must be the number of lines that follow, not {}", in_quotes(line)));
  }
  return parsed;
}

void check_count_line(const ByteSource& source, const CountLine& promised, std::uint64_t found) {
  if (promised.count == found) return;
  fail_at_line(
      source, promised.number,
      fmt::format("declares {}, but {} follow", count_of(promised.count, "line"), with_commas(found)));
}

bool LineBlocks::next(std::vector<char>& text) {
  text = std::move(carry_);
  carry_.clear();
  std::size_t searched = 0;
  for (;;) {
    const std::size_t old_size = text.size();
    text.resize(old_size + kBlockBytes);
    const std::size_t got = read_fully(source_, std::span(text).subspan(old_size));
    text.resize(old_size + got);
    if (at_start_) {
      at_start_ = false;
      if (std::string_view(text.data(), text.size()).starts_with(kByteOrderMark)) {
        text.erase(text.begin(), text.begin() + kByteOrderMark.size());
      }
    }
    if (got < kBlockBytes) {  // the end of the stream
      if (!text.empty() && text.back() != '\n') text.push_back('\n');
      break;
    }
    const void* last = ::memrchr(text.data() + searched, '\n', text.size() - searched);
    if (last != nullptr) {
      const auto end = static_cast<const char*>(last) + 1;
      carry_.assign(end, static_cast<const char*>(text.data() + text.size()));
      text.resize(static_cast<std::size_t>(end - text.data()));
      break;
    }
    searched = text.size();
    if (text.size() > kMaxLineBytes) break;  // reported below
  }
  std::size_t begin = 0;
  if (text.size() > kMaxLineBytes) {  // only then can a line be that long
    for (std::uint64_t line = 1; begin < text.size(); ++line) {
      const void* found = std::memchr(text.data() + begin, '\n', text.size() - begin);
      const std::size_t end = found == nullptr
                                  ? text.size()
                                  : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
      if (end - begin > kMaxLineBytes) {
        fail_at_line(source_, lines_ + line,
                     fmt::format("is longer than {} bytes", with_commas(kMaxLineBytes)));
      }
      begin = end + 1;
    }
  }
  lines_ += static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
  return !text.empty();
}

bool Lines::next(std::string_view& line) {
  if (at_ == text_.size()) {
    at_ = 0;
    if (!blocks_.next(text_)) return false;
  }
  ++number_;
  const char* begin = text_.data() + at_;
  const auto* end = static_cast<const char*>(std::memchr(begin, '\n', text_.size() - at_));
  at_ = static_cast<std::size_t>(end - text_.data()) + 1;
  line = {begin, static_cast<std::size_t>(end - begin)};
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (const std::size_t nul = line.find('\0'); nul != std::string_view::npos) {
    fail(nul_byte_message(nul));
  }
  return true;
}

void Lines::fail(std::string_view what) const {
  fail_at_line(source_, number_, what);
}

}  // namespace greenkgc::graph
