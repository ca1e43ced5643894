#include "report/run_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>

#include "greenkgc/error.h"
#include "rank/evaluate/completion_json.h"

namespace greenkgc::report {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct StageOutput {
  const char* stage;
  const char* output;
};
constexpr std::array kStages = {StageOutput{"embed", "embeddings.safetensors"},
                                StageOutput{"prune", "features.safetensors"},
                                StageOutput{"decide", "first_stage.gkgc"},
                                StageOutput{"rerank", "model.gkgc"},
                                StageOutput{"final", "model.gkgc"},
                                StageOutput{"evaluate", "metrics.json"}};

// Calls `read` with the file's JSON; whatever is not as we wrote it becomes one error.
template <class Read>
void with_json(const fs::path& path, const Read& read) {
  std::ifstream file(path, std::ios::binary);
  try {
    read(Json::parse(file));
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("{}: was not written by a run ({})", path.string(), error.what()));
  }
}

std::uint64_t size_or_0(const fs::path& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  return error ? 0 : size;
}

void read_stages(RunHistory& run) {
  with_json(run.folder / "run.json", [&](const Json& json) {
    const Json& stages = json.at("stages");
    for (auto [stage, output] : kStages) {
      if (!stages.contains(stage)) continue;
      if (!stages.contains("rerank") && std::string_view(stage) == "decide") output = "model.gkgc";
      if (stages.contains("final") && std::string_view(stage) != "final" &&
          std::string_view(output) == "model.gkgc")
        output = "measured.gkgc";
      const Json& recorded = stages.at(stage);
      run.stages.push_back(
          {stage, recorded.at("finished"), recorded.at("seconds"), output, size_or_0(run.folder / output)});
    }
  });
}

void read_metrics(RunHistory& run) {
  const fs::path path = run.folder / "metrics.json";
  if (run.stages.empty() || run.stages.back().name != "evaluate" || !run.stages.back().finished) return;
  with_json(path, [&](const Json& json) {
    run.preset = json.at("preset");
    run.data = json.at("data");
    for (const Json& entry : json.at("metrics"))
      run.metrics.push_back({entry.at("of"), entry.at("bytes"), rank::read_evaluation(entry)});
    if (json.contains("completion")) run.completion = read_completion(json.at("completion"));
  });
}

// Lines as options_as_toml writes them: no value goes over the end of its line.
void read_options(RunHistory& run) {
  std::ifstream file(run.folder / "config.toml", std::ios::binary);
  run.options.push_back({"", {}});
  std::string line;
  while (std::getline(file, line)) {
    constexpr std::string_view kFirst = "# greenkgc ";
    if (line.starts_with(kFirst))
      run.version = line.substr(kFirst.size(), line.find(' ', kFirst.size()) - kFirst.size());
    constexpr std::string_view kHash = "# data hash ";
    if (line.starts_with(kHash)) run.data_hash = line.substr(kHash.size());
    const std::size_t equals = line.find(" = ");
    if (line.starts_with('[') && line.ends_with(']')) {
      run.options.push_back({line.substr(1, line.size() - 2), {}});
    } else if (!line.starts_with('#') && equals != std::string::npos) {
      run.options.back().second.emplace_back(line.substr(0, equals), line.substr(equals + 3));
    }
  }
}

}  // namespace

double RunHistory::seconds() const {
  double sum = 0;
  for (const RunStage& stage : stages) sum += stage.seconds;
  return sum;
}

bool RunHistory::finished() const {
  return !stages.empty() && stages.back().name == "evaluate" &&
         std::all_of(stages.begin(), stages.end(), [](const RunStage& stage) { return stage.finished; });
}

bool RunHistory::two_stages() const {
  return std::any_of(stages.begin(), stages.end(),
                     [](const RunStage& stage) { return stage.name == "rerank"; });
}

const RunStage* RunHistory::model_stage() const {
  for (const RunStage& stage : stages) {
    if (stage.output == "model.gkgc") return &stage;
  }
  return nullptr;
}

const MeasuredOutput* RunHistory::test_of_model(std::string_view protocol) const {
  for (const MeasuredOutput& output : metrics) {
    const Evaluation& evaluation = output.measured.evaluation;
    if (output.of == "model.gkgc" && evaluation.split == "test" && evaluation.protocol == protocol)
      return &output;
  }
  return nullptr;
}

RunHistory read_run(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::is_regular_file(folder / "run.json", ignored))
    throw Error(ErrorCode::kUsage,
                fmt::format("{} is not a run folder: it has no run.json, which `greenkgc train` writes",
                            folder.string()));
  RunHistory run;
  run.folder = folder;
  run.name = fs::absolute(folder / "x").lexically_normal().parent_path().filename().string();
  read_stages(run);
  read_metrics(run);
  read_options(run);
  run.log = read_stage_log(folder);
  return run;
}

}  // namespace greenkgc::report
