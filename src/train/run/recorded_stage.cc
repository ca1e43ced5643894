#include "train/run/recorded_stage.h"

#include <array>

#include "base/files/step.h"

namespace greenkgc {
namespace {

namespace fs = std::filesystem;

// What an interrupted stage leaves beside its output.
std::array<fs::path, 2> leftovers_of(const fs::path& output) {
  return {output.string() + ".checkpoint", output.string() + ".search.jsonl"};
}

bool begin(RunRecord& record, const std::string& name, const fs::path& out, const graph::Identity& identity) {
  const bool same = record.interrupted(name, identity);
  bool resume = false;
  std::error_code ignored;
  for (const fs::path& path : leftovers_of(out)) {
    if (same) resume |= fs::exists(path, ignored);
    if (!same) fs::remove(path, ignored);
  }
  record.begin(name, identity);
  return resume;
}

}  // namespace

StageOutcome run_recorded(RunRecord& record, const std::string& name, const fs::path& out,
                          const graph::Identity& identity, const std::function<void(bool resume)>& run) {
  const bool earlier = record.finished(name, identity, out);
  if (!earlier) {
    const bool resume = begin(record, name, out, identity);
    const auto began = Clock::now();
    run(resume);
    record.finish(name, out, seconds_since(began));
  }
  return {record.seconds(name), earlier};
}

}  // namespace greenkgc
