#include "simd/text/separators.h"

// Highway compiles this file once per instruction set, each in a namespace of its own (HWY_NAMESPACE).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/text/separators.cc"
#include <hwy/foreach_target.h>  // must come before highway.h

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace greenkgc::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

bool find_separators(const std::uint8_t* text, std::size_t size, std::uint8_t separator,
                     std::vector<std::uint32_t>& positions) {
  const hn::ScalableTag<std::uint8_t> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto separators = hn::Set(d, separator);
  const auto newlines = hn::Set(d, std::uint8_t{'\n'});
  auto smallest = hn::Set(d, std::uint8_t{0xFF});

  std::size_t at = 0;
  for (; at + lanes <= size; at += lanes) {
    const auto bytes = hn::LoadU(d, text + at);
    smallest = hn::Min(smallest, bytes);
    const auto found = hn::Or(hn::Eq(bytes, separators), hn::Eq(bytes, newlines));
    // One bit per byte; at most 64 bytes in any instruction set that we build for.
    std::uint64_t bits = 0;
    hn::StoreMaskBits(d, found, reinterpret_cast<std::uint8_t*>(&bits));
    for (; bits != 0; bits &= bits - 1) {
      positions.push_back(static_cast<std::uint32_t>(at + static_cast<std::size_t>(__builtin_ctzll(bits))));
    }
  }
  bool has_nul = !hn::AllTrue(d, hn::Ne(smallest, hn::Zero(d)));
  for (; at < size; ++at) {
    if (text[at] == separator || text[at] == '\n') positions.push_back(static_cast<std::uint32_t>(at));
    has_nul |= text[at] == 0;
  }
  return has_nul;
}

}  // namespace greenkgc::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greenkgc::simd {

HWY_EXPORT(find_separators);

bool find_separators(std::span<const char> text, char separator, std::vector<std::uint32_t>& positions) {
  return HWY_DYNAMIC_DISPATCH(find_separators)(reinterpret_cast<const std::uint8_t*>(text.data()),
                                               text.size(), static_cast<std::uint8_t>(separator), positions);
}

}  // namespace greenkgc::simd
#endif
