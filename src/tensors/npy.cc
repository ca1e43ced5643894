#include "tensors/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string>

#include "base/progress.h"
#include "base/text.h"
#include "greenkgc/error.h"

namespace greenkgc::tensors {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are read as they are in memory");

constexpr std::size_t kMaxNpyHeaderBytes = 64 << 10;  // numpy itself refuses more than 10,000
constexpr std::size_t kBlockBytes = 256 << 10;        // a multiple of every type's size
constexpr std::size_t kPreambleBytes = 8;             // magic and version
constexpr std::size_t kHeaderAlignment = 64;

[[noreturn]] void fail(const ByteSource& source, std::uint64_t byte, std::string_view what) {
  throw Error(ErrorCode::kCorrupt, fmt::format("{}: byte {}: {}", source.name(), with_commas(byte), what));
}

[[noreturn]] void refuse(const ByteSource& source, std::string_view what) {
  throw Error(ErrorCode::kBadInput, fmt::format("{}: {}", source.name(), what));
}

struct Header {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

// The dictionary literal of a header, of which only what numpy writes is understood.
class HeaderParser {
 public:
  HeaderParser(const ByteSource& source, std::string_view text, std::uint64_t begin)
      : source_(source), text_(text), begin_(begin) {}

  Header parse() {
    std::optional<std::string> descr;
    std::optional<bool> fortran_order;
    std::optional<std::vector<std::uint64_t>> shape;
    expect('{');
    while (!accept('}')) {
      const std::size_t key_at = at_;
      const std::string key = text_literal();
      expect(':');
      if (key == "descr" && !descr) {
        if (next() == '[')
          refuse(source_, "contains records with several fields; save a plain array of float32");
        descr = text_literal();
      } else if (key == "fortran_order" && !fortran_order) {
        fortran_order = truth_literal();
      } else if (key == "shape" && !shape) {
        shape = tuple_literal();
      } else {
        fail(source_, begin_ + key_at,
             fmt::format("the header's key {} is unknown or occurs twice", in_quotes(key)));
      }
      if (!accept(',') && next() != '}') wrong("',' or '}'");
    }
    if (next() != '\0') wrong("nothing but white space");
    if (!descr || !fortran_order || !shape)
      fail(source_, begin_, "the header needs descr, fortran_order and shape");
    return {*descr, *fortran_order, *shape};
  }

 private:
  [[noreturn]] void wrong(std::string_view expected) const {
    fail(source_, begin_ + at_,
         fmt::format("the header has {} where {} was expected", in_quotes(text_.substr(at_, 12)), expected));
  }
  // The next character that is not white space; NUL at the end.
  char next() {
    at_ = std::min(text_.find_first_not_of(" \n\t\r", at_), text_.size());
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    if (next() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) wrong(fmt::format("'{}'", c));
  }
  std::string text_literal() {
    const char quote = next();
    if (quote != '\'' && quote != '"') wrong("a quoted string");
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) wrong("a string with both quotes");
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    if (inside.find('\\') != std::string_view::npos) wrong("a string without escapes");
    at_ = end + 1;
    return std::string(inside);
  }
  bool truth_literal() {
    next();
    for (const std::string_view word : {"True", "False"}) {
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      return word == "True";
    }
    wrong("True or False");
  }
  // "(3, 4)", "(3,)"; Python 2 wrote "(3L, 4L)".
  std::vector<std::uint64_t> tuple_literal() {
    std::vector<std::uint64_t> values;
    expect('(');
    while (!accept(')')) {
      next();
      const std::size_t end = std::min(text_.find_first_not_of("0123456789", at_), text_.size());
      if (!parse_u64(text_.substr(at_, end - at_), values.emplace_back())) wrong("a whole number");
      at_ = end;
      accept('L');
      if (!accept(',') && next() != ')') wrong("',' or ')'");
    }
    return values;
  }

  const ByteSource& source_;
  std::string_view text_;
  std::uint64_t begin_;  // of the header in the file
  std::size_t at_ = 0;
};

struct Preamble {
  Header header;
  std::uint64_t data_begin;
};

Preamble read_preamble(ByteSource& source) {
  std::array<char, kPreambleBytes> start{};
  const std::size_t got = read_fully(source, start);
  if (!std::string_view(start.data(), got).starts_with(kNpyMagic))
    fail(source, 0, "does not start with \\x93NUMPY, so it was not written by numpy.save");
  const auto version = static_cast<unsigned char>(start[6]);
  if (got < kPreambleBytes || version < 1 || version > 3 || start[7] != 0) {
    fail(source, 6,
         got < kPreambleBytes ? "the file ends within its first bytes"
                              : "a version other than 1.0, 2.0 and 3.0");
  }
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  std::uint32_t length = 0;
  std::array<char, 4> length_text{};
  if (read_fully(source, std::span(length_text).first(length_bytes)) < length_bytes)
    fail(source, kPreambleBytes, "the file ends within the length of its header");
  std::memcpy(&length, length_text.data(), length_text.size());
  if (length > kMaxNpyHeaderBytes) {
    fail(source, kPreambleBytes,
         fmt::format("declares a header of {}; the limit is {}", count_of(length, "byte"),
                     with_commas(kMaxNpyHeaderBytes)));
  }
  std::string text(length, '\0');
  const std::uint64_t begin = kPreambleBytes + length_bytes;
  if (const std::size_t read = read_fully(source, text); read < length)
    fail(source, begin + read,
         fmt::format("the file ends within its header of {}", count_of(length, "byte")));
  if (const std::size_t nul = text.find('\0'); nul != std::string::npos)
    fail(source, begin + nul, "a NUL in the header");
  return {HeaderParser(source, text, begin).parse(), begin + length};
}

float from_half(std::uint16_t half) {
  const int exponent = (half >> 10) & 31;
  const int fraction = half & 1023;
  float magnitude = 0;
  if (exponent == 31) {
    magnitude =
        fraction == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
  } else if (exponent == 0) {
    magnitude = std::ldexp(static_cast<float>(fraction), -24);
  } else {
    magnitude = std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
  }
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

template <class Stored>
void append(std::span<const char> bytes, std::vector<float>& values) {
  for (std::size_t at = 0; at + sizeof(Stored) <= bytes.size(); at += sizeof(Stored)) {
    Stored stored;
    std::memcpy(&stored, bytes.data() + at, sizeof(Stored));
    if constexpr (std::is_same_v<Stored, std::uint16_t>) {
      values.push_back(from_half(stored));
    } else {
      values.push_back(static_cast<float>(stored));
    }
  }
}

struct NumberType {
  std::string_view descr;
  std::uint64_t bytes;
  void (*append)(std::span<const char>, std::vector<float>&);
};
constexpr std::array<NumberType, 3> kNumberTypes = {
    {{"<f2", 2, append<std::uint16_t>}, {"<f4", 4, append<float>}, {"<f8", 8, append<double>}}};

const NumberType& number_type(const ByteSource& source, const std::string& descr) {
  for (const NumberType& type : kNumberTypes) {
    if (type.descr == descr) return type;
  }
  refuse(source, fmt::format("contains numbers of type {}; save it as float32 (numpy: array.astype('<f4'))",
                             in_quotes(descr)));
}

FloatTable shape_of(const ByteSource& source, const Header& header, std::uint64_t number_bytes) {
  const auto& shape = header.shape;
  if (shape.empty() || shape.size() > 2)
    refuse(source, fmt::format("has {}; a table must have two", count_of(shape.size(), "dimension")));
  FloatTable table{.rows = shape[0], .columns = shape.size() == 2 ? shape[1] : 1, .values = {}};
  if (table.rows == 0 || table.columns == 0)
    refuse(source, fmt::format("is empty: {} rows of {} numbers", table.rows, table.columns));
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(table.rows, table.columns, &bytes) ||
      __builtin_mul_overflow(bytes, number_bytes, &bytes)) {
    fail(source, kPreambleBytes,
         fmt::format("the shape {} x {} is too large for any file", table.rows, table.columns));
  }
  return table;
}

void read_numbers(ByteSource& source, std::uint64_t begin, const NumberType& type, FloatTable& table,
                  const Context& context) {
  const std::uint64_t total = table.rows * table.columns * type.bytes;
  ProgressTask progress(context, fmt::format("reading {}", source.name()), total, "bytes");
  table.values.reserve(std::min(total, source.size()) / type.bytes);
  std::vector<char> block(kBlockBytes);
  for (std::uint64_t done = 0; done < total;) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(kBlockBytes, total - done));
    const std::size_t got = read_fully(source, std::span(block).first(wanted));
    if (got < wanted) {
      fail(source, begin + done + got,
           fmt::format("the file ends here, but its header declares {} rows of {} numbers",
                       with_commas(table.rows), with_commas(table.columns)));
    }
    type.append(std::span(block).first(got), table.values);
    done += got;
    progress.set(done);
  }
  if (read_fully(source, std::span(block).first(1)) > 0)
    fail(source, begin + total, "the file continues after the numbers that its header declares");
}

// From column by column to row by row.
void transpose(FloatTable& table) {
  std::vector<float> by_rows(table.values.size());
  for (std::uint64_t column = 0; column < table.columns; ++column) {
    for (std::uint64_t row = 0; row < table.rows; ++row)
      by_rows[row * table.columns + column] = table.values[column * table.rows + row];
  }
  table.values = std::move(by_rows);
}

}  // namespace

FloatTable read_npy(ByteSource& source, const Context& context) {
  const auto [header, data_begin] = read_preamble(source);
  const NumberType& type = number_type(source, header.descr);
  FloatTable table = shape_of(source, header, type.bytes);
  read_numbers(source, data_begin, type, table, context);
  if (header.fortran_order) transpose(table);
  return table;
}

void write_npy(OutputFile& file, std::uint64_t rows, std::uint64_t columns, std::span<const float> values) {
  std::string header =
      fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", rows, columns);
  const std::size_t before = kPreambleBytes + sizeof(std::uint16_t);
  const std::size_t whole =
      (before + header.size() + 1 + kHeaderAlignment - 1) / kHeaderAlignment * kHeaderAlignment;
  header.resize(whole - before - 1, ' ');
  header += '\n';
  const auto length = static_cast<std::uint16_t>(header.size());
  file.write(kNpyMagic);
  file.write(std::string_view("\x01\x00", 2));
  file.write({reinterpret_cast<const char*>(&length), sizeof(length)});
  file.write(header);
  file.write({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

}  // namespace greenkgc::tensors
