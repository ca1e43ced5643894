#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "train/run/run_record.h"

namespace greenkgc {

struct StageOutcome {
  double seconds = 0;    // of the run that finished it
  bool earlier = false;  // an earlier run finished it
};

// Writes `out` by `run`, unless the record says that it was written from the same before. `run` is told
// whether there is something to go on from; what was left beside `out` by a run from other options is removed
// first.
StageOutcome run_recorded(RunRecord& record, const std::string& name, const std::filesystem::path& out,
                          const graph::Identity& identity, const std::function<void(bool resume)>& run);

}  // namespace greenkgc
