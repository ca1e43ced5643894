#include "graph/io/delimited.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/huge_pages.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/text.h"
#include "graph/io/line_blocks.h"
#include "greenkgc/error.h"
#include "simd/text/separators.h"

namespace greenkgc::graph {
namespace {

constexpr std::size_t kMostColumns = 4;
constexpr std::size_t kBlocksPerThread = 4;

// Some lines on their way from bytes to ids.
struct Block final : PipelineItem {
  std::vector<char> text;
  std::uint64_t position = 0;  // in the file, for progress

  // Made by parse(), behind the lines that take_line() took. Tokens or ids, by Naming; entities have two per
  // row, head then tail.
  std::vector<Vocabulary::Token> entity_tokens;
  std::vector<Vocabulary::Token> relation_tokens;
  std::vector<std::uint32_t> entity_ids;
  std::vector<std::uint32_t> relation_ids;
  std::vector<float> weights;
  std::uint64_t lines = 0;
  std::uint64_t blank_lines = 0;
  struct Fault {
    std::uint64_t line;  // within the block, from 1
    std::string what;
  };
  std::optional<Fault> fault;  // of the first wrong line; rows before it are good
};

std::string columns_expected(const DelimitedFormat& format) {
  const auto& c = format.columns;
  const std::string_view order = c.head == 0 && c.tail == 1 ? "head, tail, relation"
                                 : c.head == 0              ? "head, relation, tail"
                                                            : "the columns of the first line";
  const std::string_view separator = format.separator == '\t'  ? "tabs"
                                     : format.separator == ' ' ? "spaces"
                                     : format.separator == ',' ? "commas"
                                                               : "semicolons";
  return fmt::format("{} ({}{}) separated by {}", c.weight ? 4 : 3, order, c.weight ? ", weight" : "",
                     separator);
}

class BlockParser {
 public:
  BlockParser(const DelimitedFormat& format, Naming naming, const Vocabulary& entities,
              const Vocabulary& relations)
      : format_(format), naming_(naming), entities_(entities), relations_(relations) {}

  void parse(Block& block) const {
    if (format_.separator == '\t') {
      parse_tabs(block);
    } else {
      parse_lines(block);
    }
  }

 private:
  std::size_t column_count() const { return format_.columns.weight ? 4 : 3; }
  bool quotes() const { return format_.separator == ',' || format_.separator == ';'; }
  static bool has_tab(std::string_view label) { return label.find('\t') != std::string_view::npos; }

  // The fast way: all tabs and line feeds of the block at once, then rows by counting them.
  void parse_tabs(Block& block) const {
    std::vector<std::uint32_t> positions;
    positions.reserve(block.text.size() / 4);
    if (simd::find_separators(block.text, '\t', positions)) {
      parse_lines(block);  // finds the line of the NUL byte
      return;
    }
    const std::size_t columns = column_count();
    const char* text = block.text.data();
    std::uint32_t begin = 0;
    for (std::size_t i = 0; i < positions.size() && !block.fault;) {
      std::size_t separators = 0;
      while (text[positions[i + separators]] == '\t') ++separators;  // the block ends in a line feed
      const std::uint32_t end = positions[i + separators];
      ++block.lines;
      if (separators + 1 == columns) {
        std::array<std::string_view, kMostColumns> fields;
        std::uint32_t at = begin;
        for (std::size_t c = 0; c < columns; ++c) {
          fields[c] = {text + at, positions[i + c] - at};
          at = positions[i + c] + 1;
        }
        if (fields[columns - 1].ends_with('\r')) fields[columns - 1].remove_suffix(1);
        add_row(block, fields);
      } else if (separators == 0 && (end == begin || (end == begin + 1 && text[begin] == '\r'))) {
        ++block.blank_lines;
      } else {
        wrong_columns(block, separators + 1);
      }
      begin = end + 1;
      i += separators + 1;
    }
  }

  void parse_lines(Block& block) const {
    std::span<char> rest(block.text);
    while (!rest.empty() && !block.fault) {
      const auto* newline = static_cast<const char*>(std::memchr(rest.data(), '\n', rest.size()));
      std::span<char> line = rest.first(static_cast<std::size_t>(newline - rest.data()));
      rest = rest.subspan(line.size() + 1);
      if (!line.empty() && line.back() == '\r') line = line.first(line.size() - 1);
      ++block.lines;
      parse_line(block, line);
    }
  }

  void parse_line(Block& block, std::span<char> line) const {
    if (const auto nul = std::find(line.begin(), line.end(), '\0'); nul != line.end()) {
      block.fault = {block.lines, nul_byte_message(static_cast<std::size_t>(nul - line.begin()))};
      return;
    }
    std::array<std::string_view, kMostColumns> fields;
    const int found = split_line(line, format_.separator, fields);
    if (found < 0) {
      block.fault = {block.lines,
                     "a quoted field is not closed on its line, or has text after its closing quote"};
    } else if (found == 0) {
      ++block.blank_lines;
    } else if (static_cast<std::size_t>(found) != column_count()) {
      wrong_columns(block, static_cast<std::size_t>(found));
    } else {
      add_row(block, fields);
    }
  }

  void wrong_columns(Block& block, std::size_t found) const {
    block.fault = {block.lines,
                   fmt::format("has {}{}, expected {}", found > kMostColumns ? "more than " : "",
                               count_of(std::min(found, kMostColumns), "column"), columns_expected(format_))};
  }

  void add_row(Block& block, std::span<const std::string_view, kMostColumns> fields) const {
    const std::string_view head = fields[format_.columns.head];
    const std::string_view relation = fields[format_.columns.relation];
    const std::string_view tail = fields[format_.columns.tail];
    if (head.empty() || relation.empty() || tail.empty()) {
      block.fault = {block.lines, fmt::format("the {} is empty", head.empty()       ? "head"
                                                                 : relation.empty() ? "relation"
                                                                                    : "tail")};
      return;
    }
    if (quotes() && (has_tab(head) || has_tab(relation) || has_tab(tail))) {
      block.fault = {block.lines, "labels must not contain a tab"};
      return;
    }
    if (format_.columns.weight) {
      double weight = 0;
      if (!parse_double(fields[3], weight)) {
        block.fault = {block.lines,
                       fmt::format("column 4 must be a weight (a number), not {}", in_quotes(fields[3]))};
        return;
      }
      if (std::abs(weight) > std::numeric_limits<float>::max()) {
        block.fault = {block.lines,
                       fmt::format("the weight {} is too large for single precision", fields[3])};
        return;
      }
      block.weights.push_back(static_cast<float>(weight));
    }
    if (naming_ == Naming::kNewLabels) {
      block.entity_tokens.push_back(token(block, head));
      block.entity_tokens.push_back(token(block, tail));
      block.relation_tokens.push_back(token(block, relation));
    } else {
      add_ids(block, head, relation, tail);
    }
  }

  static Vocabulary::Token token(const Block& block, std::string_view label) {
    return {static_cast<std::uint32_t>(label.data() - block.text.data()),
            static_cast<std::uint32_t>(label.size()), Vocabulary::hash(label)};
  }

  void add_ids(Block& block, std::string_view head, std::string_view relation, std::string_view tail) const {
    const auto id = [&](const Vocabulary& vocabulary, std::string_view field, std::string_view what) {
      std::uint64_t value = 0;
      if (naming_ == Naming::kKnownLabels) {
        if (const auto known = vocabulary.find(field)) return *known;
        block.fault = {block.lines, fmt::format("{} {} is not in the dictionary", what, in_quotes(field))};
      } else if (!parse_u64(field, value)) {
        block.fault = {block.lines,
                       fmt::format("{} must be an id (a whole number), not {}", what, in_quotes(field))};
      } else if (value >= vocabulary.size()) {
        block.fault = {block.lines, fmt::format("{} id {} is out of range: the dictionary has {}", what,
                                                value, count_of(vocabulary.size(), what))};
      }
      return static_cast<std::uint32_t>(value);
    };
    const std::uint32_t h = id(entities_, head, "entity");
    const std::uint32_t r = block.fault ? 0 : id(relations_, relation, "relation");
    const std::uint32_t t = block.fault ? 0 : id(entities_, tail, "entity");
    if (block.fault) {
      if (format_.columns.weight) block.weights.pop_back();
      return;
    }
    block.entity_ids.push_back(h);
    block.entity_ids.push_back(t);
    block.relation_ids.push_back(r);
  }

  const DelimitedFormat& format_;
  const Naming naming_;
  const Vocabulary& entities_;
  const Vocabulary& relations_;
};

// The part of the pipeline that must see blocks in order: ids, and the counts that lines are numbered by.
class BlockCollector {
 public:
  BlockCollector(const ByteSource& source, Naming naming, Vocabulary& entities, Vocabulary& relations,
                 Facts& out)
      : source_(source), naming_(naming), entities_(entities), relations_(relations), out_(out) {}

  void collect(Block& block) {
    if (naming_ == Naming::kNewLabels) {
      block.entity_ids.resize(block.entity_tokens.size());
      entities_.intern(block.text.data(), block.entity_tokens, block.entity_ids.data());
      block.relation_ids.resize(block.relation_tokens.size());
      relations_.intern(block.text.data(), block.relation_tokens, block.relation_ids.data());
    }
    const std::size_t rows = block.relation_ids.size();
    reserve(rows, block.position);
    for (std::size_t i = 0; i < rows; ++i) {
      out_.triples.push_back({EntityId{block.entity_ids[2 * i]}, RelationId{block.relation_ids[i]},
                              EntityId{block.entity_ids[2 * i + 1]}});
    }
    out_.weights.insert(out_.weights.end(), block.weights.begin(), block.weights.end());
    if (block.fault) fail_at_line(source_, lines_ + block.fault->line, block.fault->what);
    lines_ += block.lines;
    report_.triples += rows;
    report_.blank_lines += block.blank_lines;
  }

  const DelimitedReport& report() const { return report_; }

 private:
  // Room for what the rest of the file will probably hold, so that the vector does not double at the end.
  // Never more than four times what is there, whatever a compressed file pretends.
  void reserve(std::size_t rows, std::uint64_t position) {
    const std::size_t needed = out_.triples.size() + rows;
    if (needed <= out_.triples.capacity()) return;
    double expected = static_cast<double>(needed) * 2;
    if (position > 0 && source_.size() > 0) {
      expected = static_cast<double>(needed) * 1.02 * static_cast<double>(source_.size()) /
                 static_cast<double>(position);
    }
    const double most = static_cast<double>(needed) * 4 + 1024;
    out_.triples.reserve(std::max(needed, static_cast<std::size_t>(std::min(expected, most))));
    prefer_huge_pages(out_.triples);
  }

  const ByteSource& source_;
  const Naming naming_;
  Vocabulary& entities_;
  Vocabulary& relations_;
  Facts& out_;
  std::uint64_t lines_ = 0;
  DelimitedReport report_;
};

// Takes the first line that is not blank off the block, with the blank ones before it; nothing if all are.
std::optional<std::string> take_line(Block& block, char separator) {
  std::optional<std::string> taken;
  auto at = block.text.begin();
  while (!taken && at != block.text.end()) {
    const auto end = std::find(at, block.text.end(), '\n');
    std::string line(at, end);
    at = end + 1;
    if (line.ends_with('\r')) line.pop_back();
    std::array<std::string_view, 1> first;
    std::string scratch = line;
    ++block.lines;
    if (split_line(scratch, separator, first) == 0) {
      ++block.blank_lines;
    } else {
      taken = std::move(line);
    }
  }
  block.text.erase(block.text.begin(), at);
  return taken;
}

}  // namespace

DelimitedReport read_delimited(ByteSource& source, const DelimitedFormat& format, Naming naming,
                               Vocabulary& entities, Vocabulary& relations, Facts& out,
                               const Context& context) {
  ProgressTask progress(context, fmt::format("reading {}", source.name()), source.size(), "bytes");
  const std::size_t before = out.triples.size();
  LineBlocks lines(source);
  const BlockParser parser(format, naming, entities, relations);
  BlockCollector collector(source, naming, entities, relations, out);
  std::optional<CountLine> promised;
  std::uint64_t lines_before = 0;  // in the blocks before; counted until the first line is found
  bool first_line_ahead = format.header || format.count_line;

  const PipelineStages stages{
      .produce = [&]() -> std::unique_ptr<PipelineItem> {
        auto block = std::make_unique<Block>();
        if (!lines.next(block->text)) return nullptr;
        block->position = source.position();
        if (!first_line_ahead) return block;
        if (const auto line = take_line(*block, format.separator)) {
          first_line_ahead = false;
          if (format.count_line) promised = parse_count_line(source, *line, lines_before + block->lines);
        }
        lines_before += block->lines;
        return block;
      },
      .transform = [&](PipelineItem& item) { parser.parse(static_cast<Block&>(item)); },
      .consume =
          [&](PipelineItem& item) {
            auto& block = static_cast<Block&>(item);
            collector.collect(block);
            progress.set(block.position);
          },
  };
  ordered_pipeline(context, kBlocksPerThread * static_cast<std::size_t>(context.thread_count()), stages);

  if (promised) check_count_line(source, *promised, out.triples.size() - before);
  return collector.report();
}

namespace {

// One field of a line with quotes, from `at` on; leaves `at` behind the separator that ends it, or at size
// + 1.
std::optional<std::string_view> quoted_field(std::span<char> line, char separator, std::size_t& at) {
  const std::size_t begin = at;
  if (at == line.size() || line[at] != '"') {
    while (at < line.size() && line[at] != separator) ++at;
    return std::string_view(line.data() + begin, at++ - begin);
  }
  std::size_t write = begin;
  for (++at; at < line.size(); ++at) {
    if (line[at] == '"') {
      if (at + 1 == line.size() || line[at + 1] != '"') break;
      ++at;  // "" stands for one quote
    }
    line[write++] = line[at];
  }
  const bool closed = at < line.size();
  const bool clean_end = at + 1 >= line.size() || line[at + 1] == separator;
  if (!closed || !clean_end) return std::nullopt;
  at += 2;
  return std::string_view(line.data() + begin, write - begin);
}

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

int split_blanks(std::string_view line, std::span<std::string_view> fields) {
  int found = 0;
  for (std::size_t at = 0; at < line.size();) {
    if (is_blank(line[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < line.size() && !is_blank(line[at])) ++at;
    if (static_cast<std::size_t>(found) == fields.size()) return found + 1;
    fields[static_cast<std::size_t>(found++)] = line.substr(begin, at - begin);
  }
  return found;
}

}  // namespace

int split_line(std::span<char> line, char separator, std::span<std::string_view> fields) {
  const std::string_view text(line.data(), line.size());
  if (separator == ' ') return split_blanks(text, fields);
  if (text.empty()) return 0;
  int found = 0;
  for (std::size_t at = 0; at <= line.size();) {
    std::string_view field;
    if (separator == '\t') {
      field = text.substr(at, text.find('\t', at) - at);
      at += field.size() + 1;
    } else if (const auto taken = quoted_field(line, separator, at)) {
      field = *taken;
    } else {
      return -1;
    }
    if (static_cast<std::size_t>(found) == fields.size()) return found + 1;
    fields[static_cast<std::size_t>(found++)] = field;
  }
  return found;
}

}  // namespace greenkgc::graph
