#include "report/chart/page.h"

#include <fmt/format.h>

#include "report/chart/text.h"

namespace greenkgc::report {
namespace {

const char* class_of(HtmlTable::Kind kind) {
  switch (kind) {
    case HtmlTable::Kind::kText:
      return " class=\"t\"";
    case HtmlTable::Kind::kWords:
      return " class=\"t w\"";
    case HtmlTable::Kind::kLong:
      return " class=\"t w long\"";
    default:
      return "";
  }
}

std::string with_code(std::string text) {
  bool open = true;
  for (std::size_t at = text.find('`'); at != std::string::npos; at = text.find('`', at)) {
    text.replace(at, 1, open ? "<code>" : "</code>");
    open = !open;
  }
  return text;
}

}  // namespace

std::string HtmlTable::html() const {
  std::string out =
      fmt::format("<div class=\"wide\"><table{}><thead><tr>", stacks_ ? " class=\"stack\"" : "");
  for (const Column& column : columns_)
    out += fmt::format("<th{}>{}</th>", class_of(column.kind), escaped(column.title));
  out += "</tr></thead><tbody>\n";
  for (const auto& row : rows_) {
    out += "<tr>";
    for (std::size_t c = 0; c < columns_.size() && c < row.size(); ++c)
      out += fmt::format("<td{}><bdi>{}</bdi></td>", class_of(columns_[c].kind), escaped(row[c]));
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

Page::Page(std::string_view title, std::string_view subtitle) : title_(title) {
  element("<h1>", title, "</h1>\n");
  element("<p class=\"soft\">", subtitle, "</p>\n");
}

void Page::element(std::string_view open, std::string_view text, std::string_view close) {
  body_ += open;
  body_ += escaped(text);
  body_ += close;
}

void Page::section(std::string_view heading) {
  element("<h2>", heading, "</h2>\n");
}

void Page::subsection(std::string_view heading) {
  element("<h3>", heading, "</h3>\n");
}

void Page::words(std::string_view text) {
  body_ += fmt::format("<p>{}</p>\n", with_code(escaped(text)));
}

void Page::note(std::string_view text) {
  element("<p class=\"soft\">", text, "</p>\n");
}

void Page::tiles(const std::vector<std::pair<std::string, std::string>>& figures_and_names) {
  body_ += "<div class=\"tiles\">";
  for (const auto& [figure, name] : figures_and_names)
    body_ +=
        fmt::format("<div class=\"tile\"><b>{}</b><span>{}</span></div>", escaped(figure), escaped(name));
  body_ += "</div>\n";
}

void Page::stages(const std::vector<Stage>& stages) {
  body_ += "<div class=\"stages\">";
  for (const Stage& stage : stages) {
    body_ += fmt::format("<div class=\"stage\"><b>{}</b>", escaped(stage.name));
    for (const std::string& line : stage.lines) body_ += fmt::format("<span>{}</span>", escaped(line));
    body_ += "</div>";
  }
  body_ += "</div>\n";
}

void Page::table(const HtmlTable& table) {
  body_ += table.html();
}

void Page::folded_table(std::string_view summary, const HtmlTable& table) {
  body_ += fmt::format("<details><summary>{}</summary>{}</details>\n", escaped(summary), table.html());
}

void Page::figure(std::string_view title, std::string_view detail, const std::string& svg) {
  body_ += fmt::format("<figure><figcaption>{} <small>{}</small></figcaption>{}</figure>\n", escaped(title),
                       escaped(detail), svg);
}

std::string Page::html(std::string_view footer) const {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>{}</title>\n<style>{}</style></head>\n<body><main>\n{}<footer class=\"soft\">{}</footer>\n"
      "</main></body></html>\n",
      escaped(title_), page_style(), body_, escaped(footer));
}

}  // namespace greenkgc::report
