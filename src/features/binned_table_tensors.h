#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "features/binned_table.h"
#include "tensors/safetensors.h"

namespace greenkgc::features {

// A table as tensors WHAT.bins, WHAT.bin_ends, WHAT.cuts and WHAT.levels: the last three have those of the
// columns one after another.
class BinnedTableTensors {
 public:
  explicit BinnedTableTensors(const BinnedTable& table);
  // The tensors live as long as this and the table.
  void add_to(tensors::SafetensorsWriter& writer, const std::string& what) const;

 private:
  const BinnedTable& table_;
  std::vector<float> cuts_;
  std::vector<float> levels_;
  std::vector<std::uint64_t> bin_ends_;  // of levels; a column has one cut less than levels
};

// Bins stay in the file. Throws kCorrupt, saying where, for what does not fit.
BinnedTable read_binned_table(const std::shared_ptr<const tensors::SafetensorsFile>& file,
                              const std::string& what);

}  // namespace greenkgc::features
