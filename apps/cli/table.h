#pragma once

#include <string>
#include <vector>

namespace greenkgc::cli {

struct Column {
  std::string title;
  enum class Kind {
    kText,      // to the left
    kLabel,     // to the left; the first to give way where the terminal is narrow
    kNumber,    // to the right
    kOptional,  // a number that is left out where the terminal is narrow, the leftmost first
  } kind = Kind::kNumber;
};

// Rows for people: aligned, indented by two spaces, as wide as the terminal allows.
class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // One cell per column. Labels may be any bytes; all other cells are ours.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  // `available` is the terminal's columns; 0: no limit, labels are cut only where they are absurdly long.
  std::string text(std::size_t available) const;

 private:
  std::vector<std::size_t> fitted_widths(std::size_t available) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace greenkgc::cli
