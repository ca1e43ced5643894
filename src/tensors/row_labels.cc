#include "tensors/row_labels.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/progress.h"
#include "base/text.h"
#include "graph/io/dictionary.h"
#include "graph/io/line_blocks.h"
#include "greenkgc/error.h"

namespace greenkgc::tensors {
namespace {

// Whether a column can be the ids: whole numbers without leading zeros, none beyond the number of lines.
class IdColumn {
 public:
  void see(std::string_view field) {
    std::uint64_t id = 0;
    const bool is_id = parse_u64(field, id) && (field.size() == 1 || field[0] != '0');
    numbers_ = numbers_ && is_id;
    largest_ = std::max(largest_, id);
  }
  bool numbers() const { return numbers_; }
  bool ids_of(std::uint64_t lines) const { return numbers_ && largest_ < lines; }

 private:
  bool numbers_ = true;
  std::uint64_t largest_ = 0;
};

struct Survey {
  std::uint64_t lines = 0;  // with a tab
  bool count_line = false;
  bool columns_differ = false;
  IdColumn first;
  IdColumn second;
};

Survey survey(ByteSource& source) {
  Survey seen;
  graph::Lines lines(source);
  std::string_view line;
  bool at_start = true;
  while (lines.next(line)) {
    if (line.empty()) continue;
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) {
      std::uint64_t count = 0;
      if (at_start) seen.count_line = parse_u64(line, count);
    } else {
      ++seen.lines;
      seen.first.see(line.substr(0, tab));
      seen.second.see(line.substr(tab + 1));
      seen.columns_differ |= line.substr(0, tab) != line.substr(tab + 1);
    }
    at_start = false;
  }
  return seen;
}

graph::DictionaryColumns columns_of(const Survey& seen, const std::string& name) {
  const bool first = seen.first.ids_of(seen.lines);
  const bool second = seen.second.ids_of(seen.lines);
  if (first && second && seen.columns_differ) {
    throw Error(ErrorCode::kBadInput, fmt::format("{}: either column could contain the ids; write one label "
                                                  "per line instead, in the order of the rows",
                                                  name));
  }
  // Where neither will do, the reader of dictionaries says on which line.
  if (first || second) return first ? graph::DictionaryColumns::kIdLabel : graph::DictionaryColumns::kLabelId;
  if (seen.second.numbers() && !seen.first.numbers()) return graph::DictionaryColumns::kLabelId;
  return graph::DictionaryColumns::kIdLabel;
}

}  // namespace

void read_label_lines(ByteSource& source, graph::Vocabulary& vocabulary, const Context& context) {
  ProgressTask progress(context, fmt::format("reading {}", source.name()), source.size(), "bytes");
  graph::Lines lines(source);
  std::string_view line;
  while (lines.next(line)) {
    if (lines.number() % 4096 == 0) progress.set(source.position());
    if (line.empty()) lines.fail("is empty; each line must be the label of a row");
    if (line.find('\t') != std::string_view::npos)
      lines.fail(fmt::format("{} contains a tab; each line must be one label", in_quotes(line)));
    if (vocabulary.intern(line) + 1 != lines.number())
      lines.fail(fmt::format("the label {} is already on an earlier line", in_quotes(line)));
  }
  if (vocabulary.size() == 0)
    throw Error(ErrorCode::kBadInput, fmt::format("{}: contains no labels", source.name()));
}

std::string read_row_labels(const std::filesystem::path& path, graph::Vocabulary& vocabulary,
                            const Context& context) {
  const Survey seen = survey(*open_source(path));
  const auto source = open_source(path);
  if (seen.lines == 0) {
    read_label_lines(*source, vocabulary, context);
    return "one label per line";
  }
  const graph::DictionaryColumns columns = columns_of(seen, source->name());
  graph::read_dictionary(*source, {.columns = columns, .count_line = seen.count_line}, vocabulary, context);
  return columns == graph::DictionaryColumns::kIdLabel ? "id and label" : "label and id";
}

}  // namespace greenkgc::tensors
