#include "tensors/quantise.h"

#include <algorithm>

#include "base/parallel.h"

namespace greenkgc::tensors {
namespace {

constexpr std::size_t kColumnsPerPiece = 16;
constexpr std::size_t kRowsPerPiece = 4096;

// Means of equal shares of sorted values; a share without values repeats the one before it.
void fill_levels(std::span<const float> sorted, std::span<float> levels) {
  for (std::size_t b = 0; b < levels.size(); ++b) {
    const std::size_t begin = b * sorted.size() / levels.size();
    const std::size_t end = (b + 1) * sorted.size() / levels.size();
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += static_cast<double>(sorted[i]);
    levels[b] = end > begin ? static_cast<float>(sum / static_cast<double>(end - begin))
                            : (b > 0 ? levels[b - 1] : sorted.front());
  }
}

std::uint8_t nearest(std::span<const float> levels, float value) {
  const auto above = std::lower_bound(levels.begin(), levels.end(), value);
  auto chosen = above;
  if (above == levels.end() ||
      (above != levels.begin() && static_cast<double>(value) - static_cast<double>(*(above - 1)) <=
                                      static_cast<double>(*above) - static_cast<double>(value))) {
    chosen = std::lower_bound(levels.begin(), above, *(above - 1));  // the first of equal levels
  }
  return static_cast<std::uint8_t>(chosen - levels.begin());
}

void put(std::span<std::uint8_t> row, std::size_t column, unsigned bits, std::uint8_t code) {
  const std::size_t bit = column * bits;
  const unsigned shifted = static_cast<unsigned>(code) << (bit % 8);
  row[bit / 8] = static_cast<std::uint8_t>(row[bit / 8] | (shifted & 0xFF));
  if (shifted > 0xFF) row[bit / 8 + 1] = static_cast<std::uint8_t>(row[bit / 8 + 1] | (shifted >> 8));
}

std::uint8_t get(std::span<const std::uint8_t> row, std::size_t column, unsigned bits) {
  const std::size_t bit = column * bits;
  const unsigned high = bit / 8 + 1 < row.size() ? row[bit / 8 + 1] : 0U;
  const unsigned both = row[bit / 8] | (high << 8);
  return static_cast<std::uint8_t>((both >> (bit % 8)) & ((1U << bits) - 1));
}

}  // namespace

QuantisedTable quantise(std::span<const float> table, std::size_t columns, unsigned bits,
                        const Context& context) {
  QuantisedTable result;
  const std::size_t rows = columns == 0 ? 0 : table.size() / columns;
  const std::size_t count = std::size_t{1} << bits;
  result.levels.resize(columns * count);
  if (rows == 0) return result;
  parallel_for(context, columns, kColumnsPerPiece, [&](std::size_t begin, std::size_t end) {
    std::vector<float> values(rows);
    for (std::size_t column = begin; column < end; ++column) {
      for (std::size_t row = 0; row < rows; ++row) values[row] = table[row * columns + column];
      std::sort(values.begin(), values.end());
      fill_levels(values, std::span(result.levels).subspan(column * count, count));
    }
  });
  const std::size_t row_bytes = QuantisedTable::row_bytes(columns, bits);
  result.codes.resize(rows * row_bytes);
  parallel_for(context, rows, kRowsPerPiece, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const std::span<std::uint8_t> codes(result.codes.data() + row * row_bytes, row_bytes);
      for (std::size_t column = 0; column < columns; ++column) {
        const std::span<const float> levels(result.levels.data() + column * count, count);
        put(codes, column, bits, nearest(levels, table[row * columns + column]));
      }
    }
  });
  return result;
}

std::vector<float> restored(std::span<const std::uint8_t> codes, std::span<const float> levels,
                            std::size_t rows, std::size_t columns, unsigned bits) {
  const std::size_t row_bytes = QuantisedTable::row_bytes(columns, bits);
  const std::size_t count = std::size_t{1} << bits;
  std::vector<float> table(rows * columns);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      table[row * columns + column] =
          levels[column * count + get(codes.subspan(row * row_bytes, row_bytes), column, bits)];
    }
  }
  return table;
}

}  // namespace greenkgc::tensors
