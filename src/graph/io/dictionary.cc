#include "graph/io/dictionary.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/text.h"
#include "graph/io/line_blocks.h"
#include "greenkgc/error.h"

namespace greenkgc::graph {
namespace {

struct Entry {
  std::uint64_t id;
  std::string_view label;
};

// Labels may hold spaces where the separator is a tab; with a space as separator, the id is the first or last
// word.
Entry parse_entry(const Lines& lines, std::string_view line, DictionaryColumns columns) {
  const bool id_first = columns == DictionaryColumns::kIdLabel;
  const std::size_t tab = line.find('\t');
  const std::size_t cut = tab != std::string_view::npos ? tab : id_first ? line.find(' ') : line.rfind(' ');
  if (cut == std::string_view::npos || line.find('\t', cut + 1) != std::string_view::npos) {
    lines.fail(fmt::format("expected 2 columns, {}", id_first ? "id and label" : "label and id"));
  }
  const std::string_view first = line.substr(0, cut);
  const std::string_view second = line.substr(cut + 1);
  Entry entry{0, id_first ? second : first};
  const std::string_view id_text = id_first ? first : second;
  if (!parse_u64(id_text, entry.id))
    lines.fail(fmt::format("the id must be a whole number, not {}", in_quotes(id_text)));
  if (entry.label.empty()) lines.fail("the label is empty");
  return entry;
}

// Labels by the order of lines, until all ids are known.
class EntryTable {
 public:
  void add(const Lines& lines, const Entry& entry) {
    if (labels_.find(entry.label))
      lines.fail(fmt::format("the label {} is already on an earlier line", in_quotes(entry.label)));
    labels_.intern(entry.label);
    ids_.push_back(entry.id);
    line_of_.push_back(lines.number());
  }

  std::uint64_t size() const { return ids_.size(); }

  void fill(const ByteSource& source, Vocabulary& vocabulary) {
    if (std::is_sorted(ids_.begin(), ids_.end()) && !ids_.empty() && ids_.front() == 0 &&
        ids_.back() + 1 == ids_.size() && std::adjacent_find(ids_.begin(), ids_.end()) == ids_.end()) {
      vocabulary = std::move(labels_);
      return;
    }
    constexpr std::uint32_t kFree = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> entry_of(ids_.size(), kFree);
    for (std::uint32_t entry = 0; entry < ids_.size(); ++entry) {
      const std::uint64_t id = ids_[entry];
      if (id >= ids_.size()) {
        fail_at_line(
            source, line_of_[entry],
            fmt::format("id {} is out of range: this file has {}, and ids must run from 0 without gaps", id,
                        count_of(ids_.size(), "label")));
      }
      if (entry_of[id] != kFree) {
        fail_at_line(source, line_of_[entry],
                     fmt::format("id {} is already on line {}", id, with_commas(line_of_[entry_of[id]])));
      }
      entry_of[id] = entry;
    }
    for (const std::uint32_t entry : entry_of) vocabulary.intern(labels_.label(entry));
  }

 private:
  Vocabulary labels_;
  std::vector<std::uint64_t> ids_;
  std::vector<std::uint64_t> line_of_;
};

}  // namespace

void read_dictionary(ByteSource& source, DictionaryFormat format, Vocabulary& vocabulary,
                     const Context& context) {
  ProgressTask progress(context, fmt::format("reading {}", source.name()), source.size(), "bytes");
  Lines lines(source);
  EntryTable entries;
  std::optional<CountLine> promised;
  std::string_view line;
  while (lines.next(line)) {
    if (lines.number() % 4096 == 0) progress.set(source.position());
    if (line.empty()) continue;
    if (format.count_line && !promised) {
      promised = parse_count_line(source, line, lines.number());
      continue;
    }
    entries.add(lines, parse_entry(lines, line, format.columns));
  }
  if (format.count_line) check_count_line(source, promised.value_or(CountLine{}), entries.size());
  if (entries.size() == 0)
    throw Error(ErrorCode::kBadInput, fmt::format("{}: contains no labels", source.name()));
  entries.fill(source, vocabulary);
}

}  // namespace greenkgc::graph
