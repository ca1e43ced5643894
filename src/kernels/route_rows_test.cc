#include "kernels/route_rows.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "kernels/targets.h"

namespace greenkgc {
namespace {

class RouteRowsKernel : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_kernel_target(GetParam()); }
  void TearDown() override { force_kernel_target(""); }
};

// Nodes 0 to 3 are split, by the first, second, third and first id; 4 stays. Children are those of plain
// rules.
TEST_P(RouteRowsKernel, MovesRowsAsThePlainRulesDo) {
  constexpr std::uint32_t kIds = 37;
  const auto rule = [](std::uint32_t node, std::uint32_t id) {
    return 10 + 2 * node + (id * 7 % 5 > 2 ? 1 : 0);
  };
  std::vector<std::uint8_t> bytes;
  for (std::uint32_t node = 0; node < 4; ++node) {
    for (std::uint32_t id = 0; id < kIds; ++id) bytes.push_back(static_cast<std::uint8_t>(rule(node, id)));
  }
  std::vector<std::uint32_t> words((bytes.size() + 3) / 4);
  for (std::size_t i = 0; i < bytes.size(); ++i) words[i / 4] |= std::uint32_t{bytes[i]} << (i % 4 * 8);

  RowRoutes routes;
  routes.codes.fill(RowRoutes::kStays);
  routes.children = words;
  const std::vector<std::int32_t> parts = {0, 1, 2, 0};
  for (std::int32_t node = 0; node < 4; ++node)
    routes.codes[static_cast<std::size_t>(node)] =
        4 * node * static_cast<std::int32_t>(kIds) + parts[static_cast<std::size_t>(node)];
  std::array<std::int32_t, 256> chosen = {};
  for (const std::size_t node : {4U, 11U, 14U}) chosen[node] = 1;

  std::mt19937 random(1);
  for (const std::size_t n : {0U, 1U, 5U, 16U, 33U, 1000U}) {
    std::vector<std::vector<std::uint32_t>> ids(3, std::vector<std::uint32_t>(n));
    std::vector<std::uint8_t> nodes(n);
    for (std::size_t row = 0; row < n; ++row) {
      for (auto& column : ids) column[row] = random() % kIds;
      nodes[row] = static_cast<std::uint8_t>(random() % 5);
    }
    std::vector<std::uint8_t> moved = nodes;
    std::vector<std::uint32_t> rows(n + kRouteRoom);
    rows.resize(
        route_rows(routes, {ids[0].data(), ids[1].data(), ids[2].data()}, chosen, moved, rows.data()));
    std::vector<std::uint32_t> expected_rows;
    for (std::size_t row = 0; row < n; ++row) {
      const std::uint32_t expected =
          nodes[row] == 4 ? 4 : rule(nodes[row], ids[static_cast<std::size_t>(parts[nodes[row]])][row]);
      ASSERT_EQ(moved[row], expected) << row;
      if (expected == 4 || expected == 11 || expected == 14)
        expected_rows.push_back(static_cast<std::uint32_t>(row));
    }
    EXPECT_EQ(rows, expected_rows);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, RouteRowsKernel, testing::ValuesIn(available_kernel_targets()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace greenkgc
