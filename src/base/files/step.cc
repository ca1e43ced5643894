#include "base/files/step.h"

#include <fmt/format.h>

#include "greenkgc/error.h"

namespace greenkgc {

void check_output(const std::filesystem::path& out, const std::filesystem::path& input,
                  std::string_view what_input_is) {
  std::error_code ignored;
  if (std::filesystem::is_directory(out, ignored))
    throw Error(ErrorCode::kUsage,
                fmt::format("{} is a folder, but the output must be a file", out.string()));
  if (std::filesystem::equivalent(input, out, ignored))
    throw Error(ErrorCode::kUsage, fmt::format("--out {} is {}", out.string(), what_input_is));
}

}  // namespace greenkgc
