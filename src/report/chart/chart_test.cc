#include "report/chart/chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "report/chart/page.h"
#include "report/chart/text.h"

namespace greenkgc::report {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Escaped, NothingCanBecomeMarkup) {
  EXPECT_EQ(escaped("<script>\"a\" & 'b'</script>"),
            "&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;&lt;/script&gt;");
  EXPECT_EQ(escaped("caf\xE9 \x01 \xC3\xA9\n"), "caf\xEF\xBF\xBD \xEF\xBF\xBD \xC3\xA9\n");
  EXPECT_EQ(escaped("\xEF\xBF\xBF"), "\xEF\xBF\xBD");
  EXPECT_EQ(markdown_text("a|b\n<c>_d_ e's"), "a\\|b &lt;c&gt;\\_d\\_ e's");
}

TEST(ShortNumber, ThreeDigitsAndAUnit) {
  EXPECT_EQ(short_number(0.043214), "0.0432");
  EXPECT_EQ(short_number(1234567), "1.23 M");
  EXPECT_EQ(bytes_text(999), "999 bytes");
  EXPECT_EQ(bytes_text(2'912'000), "2.91 MB");
  EXPECT_EQ(seconds_text(0.02), "20 ms");
  EXPECT_EQ(seconds_text(125), "2 min 05 s");
  EXPECT_EQ(seconds_text(3600 * 3 + 605), "3 h 10 min");
}

TEST(LineChart, PointsStandWhereTheAxesSay) {
  const LineChart chart{.title = "t",
                        .x = {.label = "x", .from = 0, .to = 10},
                        .y = {.label = "y", .from = 0, .to = 1},
                        .series = {{"s", {{0, 0}, {5, 0.5}, {10, 1}}, 2}}};
  const std::string svg = svg_of(chart);
  // Right edge 468 of 480, bottom 256 of 300, top 12; the left edge depends on the labels' width.
  EXPECT_THAT(svg, HasSubstr("L468.0 12.0\""));
  EXPECT_THAT(svg, HasSubstr(" 256.0L"));
  EXPECT_THAT(svg, HasSubstr(" 134.0L468.0"));
  EXPECT_EQ(count(svg, "<circle"), 3U);
  EXPECT_EQ(count(svg, "class=\"line c2\""), 1U);
}

TEST(LineChart, WhatCannotBeShownIsLeftOut) {
  const LineChart chart{
      .title = "t",
      .x = {.label = "x", .scale = Scale::kLog},
      .y = {.label = "y"},
      .series = {{"s", {{0, 1}, {1, std::nan("")}, {10, 2}, {100, INFINITY}, {1000, 3}}, 0}}};
  const std::string svg = svg_of(chart);
  EXPECT_EQ(count(svg, "<circle"), 2U);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
}

TEST(LineChart, SeriesOfPointsHaveShapesOfTheirOwn) {
  const LineChart chart{.title = "t",
                        .x = {.label = "x"},
                        .y = {.label = "y"},
                        .series = {{"a", {{1, 1}, {2, 2}}, 0, Series::Form::kDots},
                                   {"<b>", {{1, 2}, {2, 1}}, 1, Series::Form::kSquares},
                                   {"c", {{3, 1}}, 2, Series::Form::kTriangles}}};
  const std::string svg = svg_of(chart);
  // One more of each in the legend.
  EXPECT_EQ(count(svg, "<circle class=\"dot c0\""), 3U);
  EXPECT_EQ(count(svg, "<path class=\"dot c1\""), 3U);
  EXPECT_EQ(count(svg, "<path class=\"dot c2\""), 2U);
  EXPECT_THAT(svg, HasSubstr("h7.0v7.0h-7.0z\"><title>&lt;b&gt;: 1, 2</title></path>"));
  EXPECT_THAT(svg, HasSubstr("l4.5 7.7h-9.1z\"><title>c: 3, 1</title></path>"));
  EXPECT_EQ(count(svg, "class=\"line"), 0U);
}

TEST(LineChart, NothingToDrawSaysSo) {
  EXPECT_THAT(svg_of(LineChart{}), HasSubstr("no data"));
}

TEST(LineChart, LongSeriesAreThinnedButKeepTheirEnds) {
  LineChart chart{.title = "t", .x = {.label = "x"}, .y = {.label = "y"}, .series = {{"s", {}, 0}}};
  for (int i = 0; i <= 100'000; ++i) chart.series[0].points.push_back({i * 1.0, i * 1.0});
  const std::string svg = svg_of(chart);
  EXPECT_LT(svg.size(), 12'000U);
  EXPECT_THAT(svg, HasSubstr("L468.0 12.0\""));
}

TEST(LineChart, TextIsEscaped) {
  const LineChart chart{.title = "<b>",
                        .x = {.label = "<x>"},
                        .y = {.label = "<y>"},
                        .series = {{"<s>", {{1, 1}}, 0}, {"<u>", {{2, 2}}, 1}},
                        .markers = {{1.5, "<m>"}}};
  for (const std::string& svg : {svg_of(chart), svg_file(chart)}) {
    for (const char* tag : {"<b>", "<x>", "<y>", "<s>", "<u>", "<m>"}) EXPECT_THAT(svg, Not(HasSubstr(tag)));
    EXPECT_THAT(svg, HasSubstr("&lt;m&gt;"));
  }
}

TEST(LineChart, ALongTitleOfAFileIsBroken) {
  LineChart chart;
  chart.title = "short";
  EXPECT_EQ(count(svg_file(chart), "class=\"title\""), 1U);
  chart.title = "a title that is far too long for one line of a chart of such a width, as labels may be";
  EXPECT_EQ(count(svg_file(chart), "class=\"title\""), 2U);
  chart.title = std::string(500, 'x');
  EXPECT_EQ(count(svg_file(chart), "class=\"title\""), 1U);
}

TEST(BarChart, OneBarForEachValue) {
  BarChart chart;
  chart.categories = {"a", "b"};
  chart.bars = {{"one", {1, 2}, 0}, {"two", {std::nan(""), 0.5}, 1}, {"short", {1}, 2}};
  const std::string svg = svg_of(chart);
  EXPECT_EQ(count(svg, "<path class=\"bar"), 4U);
  EXPECT_THAT(svg, HasSubstr("<title>b, two: 0.5</title>"));
}

TEST(BarChart, WithoutCategoriesThereIsAFrame) {
  EXPECT_THAT(svg_of(BarChart{}), HasSubstr("</svg>"));
}

TEST(Page, FetchesNothingAndEscapesAll) {
  Page page("<run>", "<sub>");
  page.section("<h>");
  page.words("<w> `code`");
  page.note("<n>");
  page.tiles({{"<f>", "<g>"}});
  page.stages({{"<stage>", {"<line>"}}});
  HtmlTable table({{"<t>", HtmlTable::Kind::kText}});
  table.add({"<img src=x onerror=alert(1)>"});
  page.table(table);
  page.folded_table("<sum>", table);
  const std::string html = page.html("<foot>");
  for (const char* tag : {"<run>", "<sub>", "<h>", "<w>", "<n>", "<f>", "<g>", "<stage>", "<line>", "<t>",
                          "<img", "<sum>", "<foot>", "<script"})
    EXPECT_THAT(html, Not(HasSubstr(tag)));
  EXPECT_THAT(html, HasSubstr("<code>code</code>"));
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
}

}  // namespace
}  // namespace greenkgc::report
