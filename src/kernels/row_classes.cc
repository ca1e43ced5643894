#include "kernels/row_classes.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/row_classes.cc"
#include <hwy/foreach_target.h>  // must come before highway.h

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace greenkgc::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;
using Ints = hn::RebindToSigned<Floats>;
using Unsigned = hn::RebindToUnsigned<Floats>;
using Bytes = hn::ScalableTag<std::uint8_t>;
using FewBytes = hn::Rebind<std::uint8_t, Floats>;  // as many as there are floats in a vector
using Vector = hn::Vec<Floats>;

// A table where it is looked up. Two registers where they hold it; elsewhere memory.
class Table {
 public:
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  explicit Table(const float* table)
      : low_(hn::LoadU(Floats{}, table)), high_(hn::LoadU(Floats{}, table + 16)) {}
  Vector operator[](hn::Vec<Unsigned> classes) const {
    return Vector{_mm512_permutex2var_ps(low_.raw, classes.raw, high_.raw)};
  }

 private:
  Vector low_;
  Vector high_;
#else
  explicit Table(const float* table) : table_(table) {}
  Vector operator[](hn::Vec<Unsigned> classes) const {
    return hn::GatherIndex(Floats{}, table_, hn::BitCast(Ints{}, classes));
  }

 private:
  const float* table_;
#endif
};

// Rows that go through all steps at once: slots and the columns of 64 variables stay in the first cache.
constexpr std::size_t kRunRows = 512;

struct Slots {
  alignas(64) std::uint8_t rows[ClassStep::kSlots][kRunRows];

  Slots() {
    std::fill_n(rows[ClassStep::kZeros], kRunRows, std::uint8_t{0});
    std::fill_n(rows[ClassStep::kOnes], kRunRows, std::uint8_t{1});
  }
};

void run_step(const ClassStep& step, BinColumns columns, Slots& slots) {
  const Bytes d;
  const std::uint8_t* low = slots.rows[step.low];
  const std::uint8_t* high = slots.rows[step.high];
  std::uint8_t* out = slots.rows[step.out];
  const std::size_t lanes = hn::Lanes(d);
  if (step.column == ClassStep::kSum) {
    for (std::size_t row = 0; row < columns.rows; row += lanes)
      hn::Store(hn::Add(hn::Load(d, low + row), hn::Load(d, high + row)), d, out + row);
    return;
  }
  const std::uint8_t* bins = columns.data + step.column * columns.stride;
  const auto bin = hn::Set(d, step.bin);
  const auto add = hn::Set(d, step.add);
  for (std::size_t row = 0; row < columns.rows; row += lanes) {
    const auto goes_high = hn::Gt(hn::LoadU(d, bins + row), bin);
    const auto if_high = hn::Add(hn::Load(d, high + row), add);
    hn::Store(hn::IfThenElse(goes_high, if_high, hn::Load(d, low + row)), d, out + row);
  }
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

void classify_and_add(ClassifierList list, std::span<const ClassLookup> lookups, const ClassTable* tables,
                      BinColumns columns, float* sums) {
  const Floats d;
  Slots slots;
  for_each_run(columns, [&](std::size_t begin, BinColumns run) {
    float* out = sums + begin;
    for (std::size_t i = 0; i < lookups.size(); ++i) {
      const std::uint8_t* own = classify(list, lookups[i].classifier, run, slots);
      const Table table(tables[i].data());
      for (std::size_t row = 0; row < run.rows; row += hn::Lanes(d))
        hn::StoreU(hn::Add(hn::LoadU(d, out + row), table[load_classes(own + row)]), d, out + row);
    }
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

}  // namespace greenkgc::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace greenkgc {

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

}  // namespace greenkgc
#endif
