#include "tensors/check_tensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace greenkgc::tensors {

void expect_shape(const SafetensorsFile& file, const std::string& tensor,
                  const std::vector<std::uint64_t>& shape, const std::vector<std::uint64_t>& expected) {
  if (shape != expected)
    file.fail(fmt::format("tensor {} has shape [{}]; the others require [{}]", in_quotes(tensor),
                          fmt::join(shape, ", "), fmt::join(expected, ", ")));
}

void check_finite(const SafetensorsFile& file, std::span<const float> values, std::size_t width,
                  std::string_view what) {
  const auto wrong = std::find_if_not(values.begin(), values.end(), [](float x) { return std::isfinite(x); });
  if (wrong == values.end()) return;
  const auto at = static_cast<std::size_t>(wrong - values.begin());
  file.fail(fmt::format("row {} of {}, column {}, is not a finite number", at / width, what, at % width));
}

void check_below(const SafetensorsFile& file, const std::string& tensor,
                 std::span<const std::uint32_t> values, std::uint64_t bound) {
  const auto wrong =
      std::find_if(values.begin(), values.end(), [&](std::uint32_t id) { return id >= bound; });
  if (wrong != values.end())
    file.fail(fmt::format("tensor {}, number {}: {} must be below {}", tensor, wrong - values.begin(), *wrong,
                          bound));
}

}  // namespace greenkgc::tensors
