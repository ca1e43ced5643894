#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace greenkgc {

// Settings of each stage as in train/run/settings.h. The automatic recipe has what `embed` leaves open,
// defaults have what the other stages do.
struct Preset {
  std::string_view name;
  std::string_view embed;
  std::int64_t most_dims;  // where `embed` leaves them open
  std::string_view prune;
  std::string_view decide;
  bool second_stage;
  std::string_view rerank;
  std::vector<std::string> protocols;  // its own first
};

const std::vector<Preset>& presets();  // the default first

}  // namespace greenkgc
