#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace greenkgc::cli {

// Text and numbers as people read them on a terminal.

// Columns of the terminal behind this file descriptor; 0 if there is none.
std::size_t terminal_columns(int descriptor);

// Columns that UTF-8 text takes: marks that combine take none, wide characters two. Needs LC_CTYPE to be
// UTF-8, as main sets it.
std::size_t display_width(std::string_view text);

// Text from a file or a user, safe to show: one line, bytes that are no character or control the terminal
// escaped as \xNN, cut with an ellipsis to at most `columns`.
std::string printable(std::string_view text, std::size_t columns = std::string_view::npos);

// The same, cut in its middle: long labels often differ at their end.
std::string printable_label(std::string_view text, std::size_t columns);

// Words broken into lines of at most `columns`, without the last newline; all but the first begin with
// `indent` spaces.
std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent);

std::string commas(std::uint64_t n);                                                 // 272115 -> "272,115"
std::string count_of(std::uint64_t n, std::string_view one, std::string_view many);  // "1 entity"
std::string percent(std::uint64_t part, std::uint64_t whole);                        // "12.5%", "<0.01%"
std::string percent(double share);
std::string short_amount(double amount, std::string_view unit);  // "1.2 M triples", "310 MB"
std::string figure(double x, int digits = 4);                    // "0.3361"; "" below 0: not measured
std::string short_protocol(const std::string& protocol);         // "paper, answer exempt"
std::string short_seconds(double seconds);                       // "0.8 s", "2 min 05 s", "3 h 10 min"

// A bar of `columns`, filled to `share` in eighths of a column.
std::string bar(double share, std::size_t columns);

}  // namespace greenkgc::cli
