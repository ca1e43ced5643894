#include "simd/trees/row_classes.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/trees/row_classes.cc"
#include <hwy/foreach_target.h>  // must come before highway.h

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace greenkgc::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;
using Ints = hn::RebindToSigned<Floats>;
using Unsigned = hn::RebindToUnsigned<Floats>;
using Bytes = hn::ScalableTag<std::uint8_t>;
using FewBytes = hn::Rebind<std::uint8_t, Floats>;  // as many as there are floats in a vector
using Vector = hn::Vec<Floats>;

// A table where it is looked up: in two registers of AVX-512, elsewhere in memory. (Four registers of AVX2,
// permuted and blended, gained no more than a tenth over gathering.)
class Table {
 public:
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  explicit Table(const float* table)
      : low_(hn::LoadU(Floats{}, table)), high_(hn::LoadU(Floats{}, table + 16)) {}
  Vector operator[](hn::Vec<Unsigned> classes) const {
    return Vector{_mm512_permutex2var_ps(low_.raw, classes.raw, high_.raw)};
  }
  // The class is in the five low bits; others may be set.
  Vector at_low_bits(hn::Vec<Unsigned> classes) const {
    return (*this)[classes];
  }

 private:
  Vector low_;
  Vector high_;
#else
  explicit Table(const float* table) : table_(table) {}
  Vector operator[](hn::Vec<Unsigned> classes) const {
    return hn::GatherIndex(Floats{}, table_, hn::BitCast(Ints{}, classes));
  }
  Vector at_low_bits(hn::Vec<Unsigned> classes) const {
    return (*this)[hn::And(classes, hn::Set(Unsigned{}, kMostClasses - 1))];
  }

 private:
  const float* table_;
#endif
};

// Rows that go through a step at once. Which form a step has is hard to predict: with 512 rows, whose columns
// would stay in the first cache, a lone query takes a third longer.
constexpr std::size_t kRunRows = 2048;

struct Slots {
  alignas(64) std::uint8_t rows[ClassStep::kSlots][kRunRows];

  Slots() {
    std::fill_n(rows[ClassStep::kZeros], kRunRows, std::uint8_t{0});
    std::fill_n(rows[ClassStep::kOnes], kRunRows, std::uint8_t{1});
  }
};

// One of the forms of a step: a constant slot need not be read.
template <bool kLowZero, bool kHighZero>
HWY_INLINE void select_rows(const ClassStep& step, BinColumns columns, Slots& slots) {
  const Bytes d;
  const std::uint8_t* HWY_RESTRICT bins = columns.data + step.column * columns.stride;
  const std::uint8_t* low = slots.rows[step.low];
  const std::uint8_t* high = slots.rows[step.high];
  std::uint8_t* out = slots.rows[step.out];
  const auto bin = hn::Set(d, step.bin);
  const auto add = hn::Set(d, step.add);
  for (std::size_t row = 0; row < columns.rows; row += hn::Lanes(d)) {
    const auto goes_high = hn::Gt(hn::LoadU(d, bins + row), bin);
    auto if_high = add;
    if constexpr (!kHighZero) if_high = hn::Add(hn::Load(d, high + row), add);
    if constexpr (kLowZero) {
      hn::Store(hn::IfThenElseZero(goes_high, if_high), d, out + row);
    } else {
      hn::Store(hn::IfThenElse(goes_high, if_high, hn::Load(d, low + row)), d, out + row);
    }
  }
}

HWY_INLINE void add_rows(const ClassStep& step, std::size_t rows, Slots& slots) {
  const Bytes d;
  const std::uint8_t* low = slots.rows[step.low];
  const std::uint8_t* high = slots.rows[step.high];
  std::uint8_t* out = slots.rows[step.out];
  for (std::size_t row = 0; row < rows; row += hn::Lanes(d))
    hn::Store(hn::Add(hn::Load(d, low + row), hn::Load(d, high + row)), d, out + row);
}

HWY_INLINE void run_step(const ClassStep& step, BinColumns columns, Slots& slots) {
  if (step.column == ClassStep::kSum) return add_rows(step, columns.rows, slots);
  if (step.low == ClassStep::kZeros) {
    if (step.high == ClassStep::kZeros) return select_rows<true, true>(step, columns, slots);
    return select_rows<true, false>(step, columns, slots);
  }
  if (step.high == ClassStep::kZeros) return select_rows<false, true>(step, columns, slots);
  select_rows<false, false>(step, columns, slots);
}

// Calls use(first row of the run, that run's columns) for each run of rows.
template <class Use>
HWY_INLINE void for_each_run(BinColumns columns, const Use& use) {
  for (std::size_t begin = 0; begin < columns.rows; begin += kRunRows)
    use(begin, BinColumns{columns.data + begin, columns.stride, std::min(kRunRows, columns.rows - begin)});
}

// The classes of the rows of a run.
HWY_INLINE const std::uint8_t* classify(const ClassifierList& list, std::size_t i, BinColumns run,
                                        Slots& slots) {
  const Classifier& classifier = list.classifiers[i];
  for (const ClassStep& step : list.steps.subspan(classifier.first_step, classifier.steps))
    run_step(step, run, slots);
  return slots.rows[classifier.result];
}

HWY_INLINE hn::Vec<Unsigned> load_classes(const std::uint8_t* classes) {
  return hn::PromoteTo(Unsigned{}, hn::LoadU(FewBytes{}, classes));
}

void classify_rows(ClassifierList list, BinColumns columns, std::uint32_t* classes) {
  const Unsigned d;
  Slots slots;
  for_each_run(columns, [&](std::size_t begin, BinColumns run) {
    for (std::size_t i = 0; i < list.classifiers.size(); ++i) {
      const std::uint8_t* own = classify(list, i, run, slots);
      for (std::size_t granule = 0; granule < run.rows; granule += kRowGranule) {
        std::uint32_t* out = classes + (begin + granule) * list.classifiers.size() + i * kRowGranule;
        for (std::size_t row = 0; row < kRowGranule; row += hn::Lanes(d))
          hn::StoreU(load_classes(own + granule + row), d, out + row);
      }
    }
  });
}

// Sums of the rows of a run while classes are looked up: those of rows 4 j + i of a vector of bytes in the
// i-th vector of floats, so that shifts take the classes out of their bytes.
class RunSums {
 public:
  static constexpr std::size_t kBytesPerInt = 4;

  void load(const float* sums, std::size_t rows) {
    for (std::size_t row = 0; row < rows; ++row) sums_[place(row)] = sums[row];
  }
  void store(float* sums, std::size_t rows) const {
    for (std::size_t row = 0; row < rows; ++row) sums[row] = sums_[place(row)];
  }

  HWY_INLINE void add(const Table& table, const std::uint8_t* classes, std::size_t rows) {
    const Unsigned d;
    for (std::size_t row = 0; row < rows; row += kBytesPerInt * hn::Lanes(d)) {
      const auto bytes = hn::Load(d, reinterpret_cast<const std::uint32_t*>(classes + row));
      add_vector<0>(table, bytes, sums_ + row);
      add_vector<1>(table, bytes, sums_ + row);
      add_vector<2>(table, bytes, sums_ + row);
      add_vector<3>(table, bytes, sums_ + row);
    }
  }

 private:
  static std::size_t place(std::size_t row) {
    const std::size_t lanes = hn::Lanes(Floats{});
    const std::size_t in_vector = row % (kBytesPerInt * lanes);
    return row - in_vector + in_vector % kBytesPerInt * lanes + in_vector / kBytesPerInt;
  }
  template <int kByte>
  HWY_INLINE static void add_vector(const Table& table, hn::Vec<Unsigned> bytes, float* sums) {
    const Floats d;
    float* own = sums + kByte * hn::Lanes(d);
    hn::Store(hn::Add(hn::Load(d, own), table.at_low_bits(hn::ShiftRight<8 * kByte>(bytes))), d, own);
  }

  alignas(64) float sums_[kRunRows];
};

void classify_and_add(ClassifierList list, std::span<const ClassLookup> lookups, const ClassTable* tables,
                      BinColumns columns, float* sums) {
  Slots slots;
  RunSums run_sums;
  for_each_run(columns, [&](std::size_t begin, BinColumns run) {
    run_sums.load(sums + begin, run.rows);
    for (std::size_t i = 0; i < lookups.size(); ++i)
      run_sums.add(Table(tables[i].data()), classify(list, lookups[i].classifier, run, slots), run.rows);
    run_sums.store(sums + begin, run.rows);
  });
}

void make_tables(std::span<const ClassLookup> lookups, std::span<const TableSource> sources,
                 ClassTable* tables) {
  const Floats d;
  const Ints di;
  const Unsigned du;
  for (std::size_t i = 0; i < lookups.size(); ++i) {
    const TableSource& source = sources[lookups[i].source];
    const auto keep = hn::Set(du, lookups[i].keep);
    const Table values(source.values.data());
    for (std::size_t c = 0; c < kMostClasses; c += hn::Lanes(d)) {
      const auto bit = hn::And(hn::LoadU(du, source.masks.data() + c), keep);
      // The exponent of a power of two as a float is the number of its bit; bit 31 makes it negative.
      const auto power = hn::BitCast(du, hn::ConvertTo(d, hn::BitCast(di, bit)));
      const auto exponent = hn::And(hn::ShiftRight<23>(power), hn::Set(du, 0xFF));
      hn::StoreU(values[hn::Sub(exponent, hn::Set(du, 127))], d, tables[i].data() + c);
    }
  }
}

// Vectors of sums that stay in registers while all tables are looked up: enough to hide the latency of an
// addition.
constexpr std::size_t kSums = 8;

HWY_INLINE void add_to_vectors(std::span<const ClassLookup> lookups, const ClassTable* tables,
                               const std::uint32_t* classes, float* sums) {
  const Floats d;
  const Unsigned du;
  const std::size_t lanes = hn::Lanes(d);
  Vector totals[kSums];
  for (std::size_t v = 0; v < kSums; ++v) totals[v] = hn::LoadU(d, sums + v * lanes);
  for (std::size_t i = 0; i < lookups.size(); ++i) {
    const Table table(tables[i].data());
    const std::uint32_t* own = classes + std::size_t{lookups[i].classifier} * kRowGranule;
    for (std::size_t v = 0; v < kSums; ++v)
      totals[v] = hn::Add(totals[v], table[hn::LoadU(du, own + v * lanes)]);
  }
  for (std::size_t v = 0; v < kSums; ++v) hn::StoreU(totals[v], d, sums + v * lanes);
}

void add_lookups(std::span<const ClassLookup> lookups, const ClassTable* tables, const std::uint32_t* classes,
                 float* sums) {
  for (std::size_t row = 0; row < kRowGranule; row += kSums * hn::Lanes(Floats{}))
    add_to_vectors(lookups, tables, classes + row, sums + row);
}

}  // namespace greenkgc::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greenkgc::simd {

HWY_EXPORT(classify_rows);
HWY_EXPORT(classify_and_add);
HWY_EXPORT(make_tables);
HWY_EXPORT(add_lookups);

void classify_rows(ClassifierList list, BinColumns columns, std::uint32_t* classes) {
  HWY_DYNAMIC_DISPATCH(classify_rows)(list, columns, classes);
}

void classify_and_add(ClassifierList list, std::span<const ClassLookup> lookups, const ClassTable* tables,
                      BinColumns columns, float* sums) {
  HWY_DYNAMIC_DISPATCH(classify_and_add)(list, lookups, tables, columns, sums);
}

void make_tables(std::span<const ClassLookup> lookups, std::span<const TableSource> sources,
                 ClassTable* tables) {
  HWY_DYNAMIC_DISPATCH(make_tables)(lookups, sources, tables);
}

void add_lookups(std::span<const ClassLookup> lookups, const ClassTable* tables, const std::uint32_t* classes,
                 float* sums) {
  HWY_DYNAMIC_DISPATCH(add_lookups)(lookups, tables, classes, sums);
}

}  // namespace greenkgc::simd
#endif
