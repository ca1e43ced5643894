#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace greenkgc::simd {

// Sums of table look-ups, where rows (entities, triples) that agree in some comparisons share a class, and a
// table has a number per class. What rank makes of decision trees; see trees/classed_trees.h.

inline constexpr std::size_t kMostClasses = 32;  // floats in two registers of AVX-512

// One instruction over a run of rows, a byte per row. Slots are such bytes too; the first two are constant.
//   column != kSum:  out = (bin of the row in column > bin) ? high + add : low
//   column == kSum:  out = low + high
struct ClassStep {
  static constexpr std::uint32_t kSum = 0xFFFFFFFF;
  static constexpr std::uint8_t kZeros = 0;
  static constexpr std::uint8_t kOnes = 1;
  static constexpr std::size_t kSlots = 16;

  std::uint32_t column;
  std::uint8_t bin;
  std::uint8_t add;
  std::uint8_t low;
  std::uint8_t high;
  std::uint8_t out;
};

// steps[first_step .. first_step + steps) leave the class of each row in slot `result`.
struct Classifier {
  std::uint32_t first_step;
  std::uint16_t steps;
  std::uint8_t result;
};

struct ClassifierList {
  std::span<const Classifier> classifiers;
  std::span<const ClassStep> steps;
};

// Bins of rows, column by column. There are kRowGranule * k rows to read; padding may hold anything.
inline constexpr std::size_t kRowGranule = 128;
struct BinColumns {
  const std::uint8_t* data;
  std::size_t stride;  // from column to column
  std::size_t rows;
};

// The class of each row by each classifier: for each granule of rows in turn, for each classifier, a number
// per row of the granule.
void classify_rows(ClassifierList list, BinColumns columns, std::uint32_t* classes);

using ClassTable = std::array<float, kMostClasses>;

// A term of a row's sum: the number that a table has for the class of the row by `classifier`. The table is
// made from `source` for whoever asks: `keep` is what its answers leave of the values.
struct ClassLookup {
  std::uint32_t classifier;
  std::uint32_t source;
  std::uint32_t keep;
};
// Class c may get the values whose bits are set in masks[c]. Any `keep` leaves one of them.
struct TableSource {
  std::array<std::uint32_t, kMostClasses> masks;
  ClassTable values;
};
// tables[i][c] = the value whose bit is set in masks[c] & keep, of lookups[i].
void make_tables(std::span<const ClassLookup> lookups, std::span<const TableSource> sources,
                 ClassTable* tables);

// sums[row] += tables[i][class of row by lookups[i].classifier], for i in order. Floats are added one by one,
// so sums are the same bits on every instruction set.
//
// For a granule of rows whose classes are known, by classify_rows:
void add_lookups(std::span<const ClassLookup> lookups, const ClassTable* tables, const std::uint32_t* classes,
                 float* sums);
// For all rows, each classifier being run when it is looked up:
void classify_and_add(ClassifierList list, std::span<const ClassLookup> lookups, const ClassTable* tables,
                      BinColumns columns, float* sums);

}  // namespace greenkgc::simd
