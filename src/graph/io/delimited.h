#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/files/byte_source.h"
#include "graph/dataset.h"
#include "greenkgc/context.h"

namespace greenkgc::graph {

// How a table of triples is written: one fact per line.
struct DelimitedFormat {
  char separator = '\t';  // '\t'; ',' or ';' with RFC 4180 quotes; ' ' for runs of spaces and tabs
  // The first line that is not blank:
  bool header = false;      // names the columns
  bool count_line = false;  // is the number of the lines that follow (OpenKE)
  struct Columns {
    std::uint8_t head = 0;
    std::uint8_t relation = 1;
    std::uint8_t tail = 2;
    bool weight = false;  // a fourth column with a number
  } columns;
};

// What stands in the columns, and what may happen to the vocabularies.
enum class Naming {
  kNewLabels,    // labels; unknown ones get new ids
  kKnownLabels,  // labels that must be in the vocabularies
  kIds,          // decimal ids below the sizes of the vocabularies
};

struct DelimitedReport {
  std::uint64_t triples = 0;
  std::uint64_t blank_lines = 0;  // skipped
};

// Appends the facts of `source` to `out`. Blocks of lines are parsed in parallel and get ids in order, so the
// result is that of reading line by line. Memory beyond the result is a few blocks. Throws kBadInput with
// name and line.
DelimitedReport read_delimited(ByteSource& source, const DelimitedFormat& format, Naming naming,
                               Vocabulary& entities, Vocabulary& relations, Facts& out,
                               const Context& context);

// Splits one line; quotes are undone in place, so that all fields point into the line. Returns the number of
// fields, at most fields.size() + 1 (which then says "more"), 0 for a blank line, -1 if a quote is wrong.
int split_line(std::span<char> line, char separator, std::span<std::string_view> fields);

}  // namespace greenkgc::graph
