// No include guard of the usual kind: Highway compiles this once for each instruction set.
#if defined(GREENKGC_TABLE_VALUES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GREENKGC_TABLE_VALUES_INL
#undef GREENKGC_TABLE_VALUES_INL
#else
#define GREENKGC_TABLE_VALUES_INL
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <span>

HWY_BEFORE_NAMESPACE();
namespace greenkgc::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_AVX3_DL

// 256 floats as four planes of bytes, which stay in 16 registers: 64 values take 8 permutations of bytes and
// 8 interleavings, where gathering them takes 64 loads.
class TablePlanes {
 public:
  explicit TablePlanes(const float* table) {
    // From 16 floats: the first bytes of all, the second ones, ...
    alignas(64) std::uint8_t apart[64];
    for (int i = 0; i < 64; ++i) apart[i] = static_cast<std::uint8_t>(4 * (i % 16) + i / 16);
    const __m512i by_byte = _mm512_load_si512(apart);
    for (int quarter = 0; quarter < 4; ++quarter) {
      __m512i rows[4];
      for (int i = 0; i < 4; ++i)
        rows[i] = _mm512_permutexvar_epi8(by_byte, _mm512_loadu_si512(table + 64 * quarter + 16 * i));
      const __m512i low01 = _mm512_shuffle_i32x4(rows[0], rows[1], 0x44);
      const __m512i high01 = _mm512_shuffle_i32x4(rows[0], rows[1], 0xEE);
      const __m512i low23 = _mm512_shuffle_i32x4(rows[2], rows[3], 0x44);
      const __m512i high23 = _mm512_shuffle_i32x4(rows[2], rows[3], 0xEE);
      planes_[0][quarter] = _mm512_shuffle_i32x4(low01, low23, 0x88);
      planes_[1][quarter] = _mm512_shuffle_i32x4(low01, low23, 0xDD);
      planes_[2][quarter] = _mm512_shuffle_i32x4(high01, high23, 0x88);
      planes_[3][quarter] = _mm512_shuffle_i32x4(high01, high23, 0xDD);
    }
  }

  // Calls use(i, values) with the values of places i to i + 15, for 64 places.
  template <class Use>
  HWY_INLINE void look_up(__m512i places, const Use& use) const {
    const __mmask64 is_high = _mm512_movepi8_mask(places);
    __m512i bytes[4];
    for (int p = 0; p < 4; ++p) {
      const auto& plane = planes_[p];
      bytes[p] = _mm512_mask_mov_epi8(_mm512_permutex2var_epi8(plane[0], places, plane[1]), is_high,
                                      _mm512_permutex2var_epi8(plane[2], places, plane[3]));
    }
    const __m512i low01 = _mm512_unpacklo_epi8(bytes[0], bytes[1]);
    const __m512i high01 = _mm512_unpackhi_epi8(bytes[0], bytes[1]);
    const __m512i low23 = _mm512_unpacklo_epi8(bytes[2], bytes[3]);
    const __m512i high23 = _mm512_unpackhi_epi8(bytes[2], bytes[3]);
    use(0, hn::Vec512<float>{_mm512_castsi512_ps(_mm512_unpacklo_epi16(low01, low23))});
    use(16, hn::Vec512<float>{_mm512_castsi512_ps(_mm512_unpackhi_epi16(low01, low23))});
    use(32, hn::Vec512<float>{_mm512_castsi512_ps(_mm512_unpacklo_epi16(high01, high23))});
    use(48, hn::Vec512<float>{_mm512_castsi512_ps(_mm512_unpackhi_epi16(high01, high23))});
  }

 private:
  __m512i planes_[4][4];
};

// Interleaving works within lanes of 16 bytes, so places are put in the order that it undoes.
inline __m512i order_of_places() {
  alignas(64) std::uint8_t order[64];
  for (int lane = 0; lane < 4; ++lane) {
    for (int i = 0; i < 16; ++i)
      order[16 * lane + i] = static_cast<std::uint8_t>(16 * (i / 4) + 4 * lane + i % 4);
  }
  return _mm512_load_si512(order);
}

#endif

// Calls use(i, values of places[i], places[i + 1], ...) for whole vectors, in order; returns how many places
// that were. The table has 256 floats.
template <class Use>
HWY_INLINE std::size_t for_table_values(const float* table, std::span<const std::uint8_t> places,
                                        const Use& use) {
  std::size_t i = 0;
#if HWY_TARGET == HWY_AVX3_DL
  const TablePlanes planes(table);
  const __m512i order = order_of_places();
  for (; i + 64 <= places.size(); i += 64) {
    const __m512i own = _mm512_permutexvar_epi8(order, _mm512_loadu_si512(places.data() + i));
    planes.look_up(own, [&](std::size_t from, auto values) { use(i + from, values); });
  }
#endif
  const hn::ScalableTag<float> d;
  const hn::Rebind<std::int32_t, decltype(d)> wide;
  const hn::Rebind<std::uint8_t, decltype(d)> narrow;
  for (const std::size_t lanes = hn::Lanes(d); i + lanes <= places.size(); i += lanes)
    use(i, hn::GatherIndex(d, table, hn::PromoteTo(wide, hn::LoadU(narrow, places.data() + i))));
  return i;
}

}  // namespace greenkgc::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
