#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace greenkgc::report {

// Any bytes as text of HTML or XML, attributes included: markup characters become entities, what is not UTF-8
// and control characters that XML does not have become U+FFFD.
std::string escaped(std::string_view text);

// The same for a line or a table's cell of Markdown.
std::string markdown_text(std::string_view text);

std::string short_number(double x);                // 1234567 -> "1.23 M", 0.04321 -> "0.0432"
std::string bytes_text(double n);                  // "2.9 MB"
std::string seconds_text(double s);                // "0.8 s", "2 min 05 s", "3 h 10 min"
std::size_t characters_of(std::string_view text);  // of well-formed UTF-8

}  // namespace greenkgc::report
