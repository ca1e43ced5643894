#include "decide/row_router.h"

#include <algorithm>
#include <array>

#include "kernels/parallel.h"

namespace greenkgc::decide {
namespace {

constexpr std::size_t kRowsPerPiece = 4096;
constexpr std::size_t kCountedAtOnce = 16;
constexpr std::size_t kCountedRows = 1 << 15;  // of 35 million, about one in a thousand

// The child of each id, four to a word. Bound by reading the bins: sixteen at once.
void fill_children(const NodeRoute& route, std::uint32_t* words) {
  auto* const children = reinterpret_cast<std::uint8_t*>(words);
  for (std::size_t id = 0; id < route.bins.size(); ++id)
    children[id] = static_cast<std::uint8_t>(route.left + (route.bins[id] > route.bin ? 1 : 0));
}

std::size_t words_of(const NodeRoute& route) {
  return (route.bins.size() + 3) / 4;
}

}  // namespace

void RowRouter::start() {
  std::ranges::fill(nodes_, std::uint8_t{0});
  all_at_root_ = true;
  clear_routes();
}

void RowRouter::clear_routes() {
  routes_.codes.fill(RowRoutes::kStays);
  children_.assign(1, 0);
  routes_.children = children_;
}

void RowRouter::set_routes(std::span<const NodeRoute> routes, const Context& context) {
  clear_routes();
  all_at_root_ = all_at_root_ && routes.empty();
  std::size_t count = 0;
  std::size_t words = 0;
  std::vector<std::size_t> starts;
  while (count < routes.size() && 4 * (words + words_of(routes[count])) <= RowRoutes::kMostTableBytes) {
    starts.push_back(words);
    words += words_of(routes[count++]);
  }
  children_.resize(std::max<std::size_t>(1, words));
  routes_.children = children_;
  parallel_for(context, count, 1,
               [&](std::size_t i, std::size_t) { fill_children(routes[i], children_.data() + starts[i]); });
  for (std::size_t i = 0; i < count; ++i)
    routes_.codes[routes[i].node] =
        static_cast<std::int32_t>(16 * starts[i]) + static_cast<std::int32_t>(routes[i].part);
  if (count == routes.size()) return;
  move_all(context);
  set_routes(routes.subspan(count), context);
}

std::array<const std::uint32_t*, 3> RowRouter::ids_from(std::size_t first) const {
  return {samples_.ids[0].data() + first, samples_.ids[1].data() + first, samples_.ids[2].data() + first};
}

std::size_t RowRouter::move(std::size_t first, std::size_t count,
                            const std::array<std::int32_t, 256>& chosen_nodes, std::uint32_t* rows) {
  return route_rows(routes_, ids_from(first), chosen_nodes, std::span(nodes_).subspan(first, count), rows);
}

std::array<double, 256> RowRouter::expected_rows() const {
  const std::array<std::int32_t, 256> none = {};
  std::array<double, 256> expected = {};
  std::array<std::uint8_t, kCountedAtOnce> nodes;
  std::array<std::uint32_t, kCountedAtOnce + kRouteRoom> unused;
  const std::size_t one_in = std::max<std::size_t>(1, nodes_.size() / kCountedRows);
  const std::size_t step = kCountedAtOnce * one_in;
  for (std::size_t first = 0; first < nodes_.size(); first += step) {
    const std::size_t count = std::min(kCountedAtOnce, nodes_.size() - first);
    std::copy_n(nodes_.data() + first, count, nodes.data());
    route_rows(routes_, ids_from(first), none, std::span(nodes).first(count), unused.data());
    for (std::size_t i = 0; i < count; ++i) expected[nodes[i]] += static_cast<double>(one_in);
  }
  return expected;
}

void RowRouter::move_all(const Context& context) {
  const std::array<std::int32_t, 256> none = {};
  parallel_for(context, nodes_.size(), kRowsPerPiece, [&](std::size_t begin, std::size_t end) {
    std::array<std::uint32_t, kRowsPerPiece + kRouteRoom> rows;
    move(begin, end - begin, none, rows.data());
  });
}

}  // namespace greenkgc::decide
