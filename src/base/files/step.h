#pragma once

#include <chrono>
#include <filesystem>
#include <string_view>

namespace greenkgc {

// What stages have in common.

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Throws kUsage if `out` is a folder, or the stage's own input ("the file of features").
void check_output(const std::filesystem::path& out, const std::filesystem::path& input,
                  std::string_view what_input_is);

}  // namespace greenkgc
