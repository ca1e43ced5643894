#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace greenkgc {

std::string with_commas(std::uint64_t n);  // 272115 -> "272,115"
// 1 -> "1 triple"; 2 -> "2 triples", "2 entities"
std::string count_of(std::uint64_t n, std::string_view noun);

std::string lower_case(std::string_view text);  // ASCII letters

// Text from a file or a user as it may stand in an error message: quoted, control characters and invalid
// UTF-8 escaped, long text cut with "...".
std::string in_quotes(std::string_view text);

// The whole text as a decimal number without spaces or plus sign. False, and `value` stays as it was, if it
// is anything else or out of range.
bool parse_u64(std::string_view text, std::uint64_t& value);
bool parse_i64(std::string_view text, std::int64_t& value);
bool parse_double(std::string_view text, double& value);  // finite

}  // namespace greenkgc
