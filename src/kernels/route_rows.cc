#include "kernels/route_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/route_rows.cc"
#include <hwy/foreach_target.h>  // must come before highway.h

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace greenkgc::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Ints = hn::ScalableTag<std::int32_t>;
using Unsigned = hn::RebindToUnsigned<Ints>;
using Bytes = hn::Rebind<std::uint8_t, Ints>;  // as many bytes as there are ints in a vector

std::uint8_t route_row(const RowRoutes& routes, const std::array<const std::uint32_t*, 3>& ids,
                       std::size_t row, std::uint8_t node) {
  const std::int32_t code = routes.codes[node];
  const auto part = static_cast<std::size_t>(code & 3);
  if (part == RowRoutes::kStays) return node;
  const std::size_t at = static_cast<std::size_t>(code >> 2) + ids[part][row];
  return static_cast<std::uint8_t>(routes.children[at / 4] >> (at % 4 * 8));
}

std::size_t route_rows(const RowRoutes& routes, const std::array<const std::uint32_t*, 3>& ids,
                       const std::array<std::int32_t, 256>& chosen_nodes, std::uint8_t* nodes, std::size_t n,
                       std::uint32_t* chosen_rows) {
  const Ints d;
  const Unsigned du;
  const std::size_t lanes = hn::Lanes(d);
  const auto* const children = reinterpret_cast<const std::int32_t*>(routes.children.data());
  const auto ids_at = [&](std::size_t part, std::size_t row) {
    return hn::BitCast(d, hn::LoadU(du, ids[part] + row));
  };
  const auto first_rows = hn::Iota(du, 0);
  std::size_t count = 0;
  std::size_t row = 0;
  for (; row + lanes <= n; row += lanes) {
    const auto node = hn::PromoteTo(d, hn::LoadU(Bytes{}, nodes + row));
    const auto code = hn::GatherIndex(d, routes.codes.data(), node);
    const auto part = hn::And(code, hn::Set(d, 3));
    const auto stays = hn::Eq(part, hn::Set(d, RowRoutes::kStays));
    const auto id =
        hn::IfThenElse(hn::Eq(part, hn::Set(d, 1)), ids_at(1, row),
                       hn::IfThenElse(hn::Eq(part, hn::Set(d, 2)), ids_at(2, row), ids_at(0, row)));
    const auto at = hn::IfThenZeroElse(stays, hn::Add(hn::ShiftRight<2>(code), id));
    const auto word = hn::BitCast(du, hn::GatherIndex(d, children, hn::ShiftRight<2>(at)));
    const auto shift = hn::BitCast(du, hn::ShiftLeft<3>(hn::And(at, hn::Set(d, 3))));
    const auto child = hn::BitCast(d, hn::And(hn::Shr(word, shift), hn::Set(du, 0xFF)));
    const auto next = hn::IfThenElse(stays, node, child);
    hn::StoreU(hn::DemoteTo(Bytes{}, next), Bytes{}, nodes + row);
    const auto chosen = hn::Ne(hn::GatherIndex(d, chosen_nodes.data(), next), hn::Zero(d));
    const auto rows = hn::Add(first_rows, hn::Set(du, static_cast<std::uint32_t>(row)));
    // Whole vectors are stored, hence the room: cheaper than storing a part.
    hn::StoreU(hn::Compress(rows, hn::RebindMask(du, chosen)), du, chosen_rows + count);
    count += hn::CountTrue(d, chosen);
  }
  for (; row < n; ++row) {
    nodes[row] = route_row(routes, ids, row, nodes[row]);
    chosen_rows[count] = static_cast<std::uint32_t>(row);
    count += chosen_nodes[nodes[row]] != 0 ? 1 : 0;
  }
  return count;
}

}  // namespace greenkgc::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greenkgc {

HWY_EXPORT(route_rows);

std::size_t route_rows(const RowRoutes& routes, const std::array<const std::uint32_t*, 3>& ids,
                       const std::array<std::int32_t, 256>& chosen_nodes, std::span<std::uint8_t> nodes,
                       std::uint32_t* chosen_rows) {
  return HWY_DYNAMIC_DISPATCH(route_rows)(routes, ids, chosen_nodes, nodes.data(), nodes.size(), chosen_rows);
}

}  // namespace greenkgc
#endif
