#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace greenkgc {

// The characters of a text, each with its other cases: all byte strings that may stand in its place, sorted,
// each once. Bytes that are no UTF-8 stand for themselves. Any text whose characters are taken from these
// lists, one of each, is the same text but for case.
std::vector<std::vector<std::string>> letter_cases(std::string_view text);

}  // namespace greenkgc
