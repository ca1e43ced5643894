#include "tensors/word2vec.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "base/progress.h"
#include "base/text.h"
#include "graph/io/line_blocks.h"
#include "greenkgc/error.h"

namespace greenkgc::tensors {
namespace {

constexpr std::string_view kSeparators = " \t";
constexpr std::uint64_t kRowsPerStep = 1024;

struct Shape {
  std::uint64_t rows;
  std::uint64_t columns;
};

std::string_view without_end(std::string_view text, std::string_view characters) {
  return text.substr(0, text.find_last_not_of(characters) + 1);
}

std::optional<Shape> parse_shape(std::string_view line) {
  line = without_end(line, kSeparators);
  const std::size_t cut = line.find_first_of(kSeparators);
  Shape shape{};
  if (cut == std::string_view::npos || !parse_u64(line.substr(0, cut), shape.rows) ||
      !parse_u64(line.substr(cut + 1), shape.columns)) {
    return std::nullopt;
  }
  return shape;
}

// The nearest float, also to a number that is too small for one.
bool parse_float(std::string_view text, float& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return false;
  if (double precise = 0; error == std::errc::result_out_of_range && parse_double(text, precise))
    value = static_cast<float>(precise);
  else if (error != std::errc{})
    return false;
  return std::isfinite(value);
}

// Takes the numbers off the end of the line, the last one first, and returns the label.
std::string_view parse_row(const graph::Lines& lines, std::string_view line, std::span<float> row) {
  for (std::size_t column = row.size(); column-- > 0;) {
    line = without_end(line, kSeparators);
    const std::size_t cut = line.find_last_of(kSeparators);
    if (cut == std::string_view::npos) {
      lines.fail(fmt::format("has {} after its label, but {} were expected",
                             count_of(row.size() - column - 1, "number"), row.size()));
    }
    const std::string_view number = line.substr(cut + 1);
    if (!parse_float(number, row[column])) {
      lines.fail(fmt::format("column {} of {} must be a finite number, not {}", column + 1, row.size(),
                             in_quotes(number)));
    }
    line = line.substr(0, column == 0 ? cut : cut + 1);  // spaces at the end of the label are a part of it
  }
  if (line.empty()) lines.fail("the label is empty");
  if (line.find('\t') != std::string_view::npos)
    lines.fail(fmt::format("the label {} contains a tab", in_quotes(line)));
  return line;
}

Shape read_shape(graph::Lines& lines, const ByteSource& source) {
  std::string_view line;
  if (!lines.next(line)) throw Error(ErrorCode::kBadInput, fmt::format("{}: is empty", source.name()));
  const auto shape = parse_shape(line);
  if (!shape) {
    lines.fail(fmt::format("must be 'COUNT DIM', the number of rows and of numbers per row, not {}",
                           in_quotes(line)));
  }
  if (shape->rows == 0 || shape->columns == 0) lines.fail("declares a table without numbers");
  if (shape->columns > graph::kMaxLineBytes / 2)
    lines.fail(fmt::format("declares {} numbers per row, more than a line can contain",
                           with_commas(shape->columns)));
  return *shape;
}

void check_label(const OutputFile& file, std::string_view label) {
  if (label.empty() || label.find_first_of(std::string_view("\t\n\0", 3)) != std::string_view::npos) {
    throw Error(ErrorCode::kBadInput, fmt::format("{}: the label {} is empty or contains a tab, line feed or "
                                                  "NUL, which this format cannot store; use safetensors",
                                                  file.path().string(), in_quotes(label)));
  }
}

}  // namespace

bool looks_like_word2vec(std::string_view head) {
  const std::size_t end = head.find('\n');
  if (end == std::string_view::npos) return false;
  const auto shape = parse_shape(without_end(head.substr(0, end), "\r"));
  return shape && shape->columns > 0;
}

LabelledTable read_word2vec(ByteSource& source, const Context& context) {
  ProgressTask progress(context, fmt::format("reading {}", source.name()), source.size(), "bytes");
  graph::Lines lines(source);
  const Shape shape = read_shape(lines, source);
  LabelledTable read;
  FloatTable& table = read.table;
  table.columns = shape.columns;
  std::string_view line;
  while (lines.next(line)) {
    if (line.empty()) continue;
    if (table.rows == shape.rows)
      lines.fail(fmt::format("is one more than the {} that line 1 declares", count_of(shape.rows, "row")));
    table.values.resize(table.values.size() + table.columns);
    const std::string_view label = parse_row(lines, line, std::span(table.values).last(table.columns));
    if (read.labels.intern(label) != table.rows)
      lines.fail(fmt::format("the label {} is already on an earlier line", in_quotes(label)));
    if (++table.rows % kRowsPerStep == 0) progress.set(source.position());
  }
  if (table.rows != shape.rows) {
    graph::fail_at_line(
        source, 1,
        fmt::format("declares {}, but {} follow", count_of(shape.rows, "row"), with_commas(table.rows)));
  }
  return read;
}

void write_word2vec(OutputFile& file, std::span<const std::string> labels, std::span<const float> values,
                    const Context& context) {
  const std::size_t columns = values.size() / labels.size();
  ProgressTask progress(context, fmt::format("writing {}", file.path().string()), labels.size(), "rows");
  file.write(fmt::format("{} {}\n", labels.size(), columns));
  fmt::memory_buffer line;
  for (std::size_t row = 0; row < labels.size(); ++row) {
    check_label(file, labels[row]);
    line.clear();
    fmt::format_to(std::back_inserter(line), "{}", labels[row]);
    for (const float value : values.subspan(row * columns, columns))
      fmt::format_to(std::back_inserter(line), " {}", value);
    if (line.size() > graph::kMaxLineBytes) {
      throw Error(
          ErrorCode::kBadInput,
          fmt::format(
              "{}: the row of {} would take {} bytes, more than the limit for a line; use npy or safetensors",
              file.path().string(), in_quotes(labels[row]), with_commas(line.size())));
    }
    line.push_back('\n');
    file.write({line.data(), line.size()});
    if (row % kRowsPerStep == 0) progress.set(row);
  }
}

}  // namespace greenkgc::tensors
