#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/chart/chart.h"

namespace greenkgc::report {

std::string page_style();

// A table of an HTML page. Cells are any bytes.
class HtmlTable {
 public:
  enum class Kind {
    kNumber,  // to the right
    kText,    // to the left
    kWords,   // to the left, broken into lines
    kLong,    // the same for long lists
  };
  struct Column {
    std::string title;
    Kind kind = Kind::kNumber;
  };

  explicit HtmlTable(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  // On narrow screens each row becomes a line of its cells, with long ones below, without headings.
  void stack_if_narrow() { stacks_ = true; }
  bool empty() const { return rows_.empty(); }
  std::string html() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
  bool stacks_ = false;
};

// One page in one file: no script, and nothing is fetched from anywhere. All text is escaped here.
class Page {
 public:
  Page(std::string_view title, std::string_view subtitle);

  void section(std::string_view heading);
  void subsection(std::string_view heading);
  void words(std::string_view text);  // of ours: what stands between backticks is code
  void note(std::string_view text);   // smaller
  void tiles(const std::vector<std::pair<std::string, std::string>>& figures_and_names);
  struct Stage {
    std::string name;
    std::vector<std::string> lines;
  };
  void stages(const std::vector<Stage>& stages);
  void table(const HtmlTable& table);
  // Opens on a click, and is printed closed.
  void folded_table(std::string_view summary, const HtmlTable& table);

  // Charts between these stand side by side where there is room.
  void begin_charts() { body_ += "<div class=\"charts\">\n"; }
  template <class Chart>
  void chart(const Chart& chart, std::string_view protocol = {}) {
    figure(chart.title, protocol, svg_of(chart));
  }
  void end_charts() { body_ += "</div>\n"; }

  std::string html(std::string_view footer) const;

 private:
  void figure(std::string_view title, std::string_view detail, const std::string& svg);
  void element(std::string_view open, std::string_view text, std::string_view close);

  std::string title_;
  std::string body_;
};

}  // namespace greenkgc::report
