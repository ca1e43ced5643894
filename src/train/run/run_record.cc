#include "train/run/run_record.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/files/output_file.h"
#include "greenkgc/error.h"

namespace greenkgc {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kFormat = "greenkgc.run 1";

}  // namespace

RunRecord::RunRecord(fs::path path, bool resume) : path_(std::move(path)) {
  if (resume && fs::exists(path_)) read();
}

bool RunRecord::finished(const std::string& stage, const graph::Identity& identity,
                         const fs::path& output) const {
  const auto found = stages_.find(stage);
  if (found == stages_.end() || !found->second.finished || found->second.identity != identity) return false;
  return fs::is_regular_file(output) && graph::file_hash(output) == found->second.output_hash;
}

bool RunRecord::interrupted(const std::string& stage, const graph::Identity& identity) const {
  const auto found = stages_.find(stage);
  return found != stages_.end() && !found->second.finished && found->second.identity == identity;
}

void RunRecord::begin(const std::string& stage, const graph::Identity& identity) {
  stages_[stage] = {.identity = identity};
  write();
}

void RunRecord::finish(const std::string& stage, const fs::path& output, double seconds) {
  Stage& record = stages_.at(stage);
  record.finished = true;
  record.output_hash = graph::file_hash(output);
  record.seconds = seconds;
  write();
}

void RunRecord::forget(const std::string& stage) {
  if (stages_.erase(stage) > 0) write();
}

void RunRecord::read() {
  std::ifstream file(path_, std::ios::binary);
  try {
    const auto json = ordered_json::parse(file);
    if (json.at("format") != kFormat)
      throw Error(ErrorCode::kUnsupported,
                  fmt::format("{}: does not have the format \"{}\"", path_.string(), kFormat));
    for (const auto& [name, stage] : json.at("stages").items()) {
      stages_[name] = {.identity = stage.at("identity").get<graph::Identity>(),
                       .finished = stage.at("finished").get<bool>(),
                       .output_hash = stage.at("output").get<std::string>(),
                       .seconds = stage.at("seconds").get<double>()};
    }
  } catch (const ordered_json::exception& error) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("{}: is not the record of a run ({})", path_.string(), error.what()));
  }
}

void RunRecord::write() const {
  ordered_json stages = ordered_json::object();
  for (const auto& [name, stage] : stages_) {
    stages[name] = {{"identity", stage.identity},
                    {"finished", stage.finished},
                    {"output", stage.output_hash},
                    {"seconds", stage.seconds}};
  }
  write_file(path_, ordered_json{{"format", kFormat}, {"stages", stages}}.dump(
                        2, ' ', false, ordered_json::error_handler_t::replace) +
                        "\n");
}

}  // namespace greenkgc
