#include "simd/text/find_bytes.h"

// Highway compiles this file once per instruction set, each in a namespace of its own (HWY_NAMESPACE).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/text/find_bytes.cc"
#include <hwy/foreach_target.h>  // must come before highway.h

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace greenkgc::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

std::size_t find_bytes(const std::uint8_t* text, std::size_t begin, std::size_t end, const ByteTest& a,
                       const ByteTest& b) {
  const hn::ScalableTag<std::uint8_t> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto a_either = hn::Set(d, a.either);
  const auto a_other = hn::Set(d, a.other);
  const auto b_either = hn::Set(d, b.either);
  const auto b_other = hn::Set(d, b.other);

  std::size_t at = begin;
  for (; end - at >= lanes; at += lanes) {
    const auto at_a = hn::LoadU(d, text + at + a.offset);
    const auto at_b = hn::LoadU(d, text + at + b.offset);
    const auto found = hn::And(hn::Or(hn::Eq(at_a, a_either), hn::Eq(at_a, a_other)),
                               hn::Or(hn::Eq(at_b, b_either), hn::Eq(at_b, b_other)));
    const std::intptr_t first = hn::FindFirstTrue(d, found);
    if (first >= 0) return at + static_cast<std::size_t>(first);
  }
  for (; at < end; ++at) {
    const std::uint8_t byte_a = text[at + a.offset];
    const std::uint8_t byte_b = text[at + b.offset];
    if ((byte_a == a.either || byte_a == a.other) && (byte_b == b.either || byte_b == b.other)) return at;
  }
  return kNowhere;
}

}  // namespace greenkgc::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greenkgc::simd {

HWY_EXPORT(find_bytes);

std::size_t find_bytes(std::string_view text, std::size_t begin, std::size_t end, const ByteTest& a,
                       const ByteTest& b) {
  return HWY_DYNAMIC_DISPATCH(find_bytes)(reinterpret_cast<const std::uint8_t*>(text.data()), begin, end, a,
                                          b);
}

}  // namespace greenkgc::simd
#endif
