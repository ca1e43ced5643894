#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "greenkgc/context.h"
#include "greenkgc/export.h"
#include "greenkgc/train.h"

namespace greenkgc {

struct RunStageFigures {
  std::string name;    // "embed", "prune", "decide", "evaluate"
  std::string output;  // its file in the folder
  std::uint64_t bytes = 0;
  double seconds = 0;
  bool finished = false;
};

// What the folder of a run (`greenkgc train`) says of it.
struct RunFigures {
  std::string name;    // of the folder
  std::string data;    // that it was trained on
  std::string preset;  // "" in a run that did not come to its end
  bool finished = false;
  std::vector<RunStageFigures> stages;  // that began
  std::vector<TrainMetrics> metrics;    // of model.gkgc
  std::uint64_t model_bytes = 0;
  std::uint64_t parameters = 0;  // as the paper counts; 0: not known
  double ms_per_query = 0;       // 0: not measured
  double seconds = 0;            // of all stages
};

// What a file of a run is, in words for people: "model, both stages" for model.gkgc of a run with a second
// stage; the name itself for other files.
GREENKGC_API std::string output_title(std::string_view file, bool two_stages);

// Throws kUsage if the folder holds no run, kCorrupt for files in it that are none of ours.
GREENKGC_API RunFigures run_figures(const std::filesystem::path& folder);

// Writes the page that train() writes as report.html: from the files of the folder, and by asking its model.
// Throws as run_figures does.
GREENKGC_API void write_run_report(const std::filesystem::path& folder, const std::filesystem::path& out,
                                   const Context& context);

// Writes a page that holds runs against each other: figures, sizes, times, learning curves, and the options
// in which they differ.
GREENKGC_API void write_run_comparison(std::span<const std::filesystem::path> folders,
                                       const std::filesystem::path& out, const Context& context);

}  // namespace greenkgc
