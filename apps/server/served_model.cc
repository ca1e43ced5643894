#include "server/served_model.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <fstream>

#include "greenkgc/facts.h"
#include "greenkgc/model_info.h"
#include "greenkgc/version.h"

namespace greenkgc::server {
namespace {

constexpr std::uintmax_t kMostMetricsBytes = std::uintmax_t{16} << 20;
constexpr std::size_t kMostRemembered = 1000;  // lists of new facts

// Asked for anew at each reload: a folder may have taken the place of a file.
std::filesystem::path model_file(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored) ? path / "model.gkgc" : path;
}

// What `train` leaves beside its model, without what is long; null if it is not there or is something else.
Json metrics_beside(const std::filesystem::path& model) {
  const std::filesystem::path path = model.parent_path() / "metrics.json";
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path, error);
  if (error || bytes > kMostMetricsBytes) return nullptr;
  std::ifstream file(path);
  Json metrics = Json::parse(file, nullptr, false);
  if (!metrics.is_object() || !metrics.contains("metrics") || !metrics["metrics"].is_array()) return nullptr;
  for (Json& result : metrics["metrics"]) {
    if (!result.is_object()) return nullptr;
    for (const char* name : {"relations", "categories", "calibration"}) result.erase(name);
  }
  return metrics;
}

Json card_of(const Model& model, const std::filesystem::path& path, std::uint64_t generation) {
  const ModelInfo info = model_info(model);
  Json second = nullptr;
  if (info.stages == 2)
    second = {{"labels", info.labels},
              {"links", info.links},
              {"trees", info.second_stage_trees},
              {"rules", info.rules}};
  Json provenance = Json::object();
  for (const auto& [key, value] : info.provenance) provenance[key] = value;
  return {{"file", path.filename().string()},
          {"bytes", std::filesystem::file_size(path)},
          {"format_version", info.format_version},
          {"generation", generation},
          {"loaded", fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr)))},
          {"server_version", build_info().version},
          {"entities", info.entities},
          {"relations", info.relations},
          {"facts", info.facts},
          {"embedding", info.embedding},
          {"groups", info.groups},
          {"dims", info.dims},
          {"trees", info.trees},
          {"stages", info.stages},
          {"second_stage", std::move(second)},
          {"provenance", std::move(provenance)},
          {"metrics", metrics_beside(path)}};
}

}  // namespace

ServedModel::ServedModel(const std::filesystem::path& path, std::uint64_t generation, const Context& context)
    : model_(Model::open(path)), card_(card_of(model_, path, generation)) {
  if (model_.entity_count() == 0 || model_.relation_count() == 0) return;
  // Makes the indexes that are otherwise made by the first question.
  const Triple any{EntityId{0}, RelationId{0}, EntityId{0}};
  holds_fact(model_, any, context);
  model_.score({&any, 1}, context);
}

std::shared_ptr<const NewFacts> ServedModel::remembered(const std::string& asked) const {
  const std::lock_guard lock(mutex_);
  const auto found = new_facts_.find(asked);
  return found == new_facts_.end() ? nullptr : found->second;
}

void ServedModel::remember(const std::string& asked, std::shared_ptr<const NewFacts> found) const {
  const std::lock_guard lock(mutex_);
  if (new_facts_.size() >= kMostRemembered) new_facts_.clear();
  new_facts_[asked] = std::move(found);
}

ModelHolder::ModelHolder(std::filesystem::path path, const Context& context)
    : path_(std::move(path)),
      current_(std::make_shared<ServedModel>(model_file(path_), generation_, context)) {}

std::shared_ptr<const ServedModel> ModelHolder::current() const {
  const std::lock_guard lock(mutex_);
  return current_;
}

std::shared_ptr<const ServedModel> ModelHolder::reload(const Context& context) {
  const std::lock_guard one_at_a_time(reloading_);
  auto fresh = std::make_shared<const ServedModel>(model_file(path_), generation_ + 1, context);
  const std::lock_guard lock(mutex_);
  ++generation_;
  current_.swap(fresh);  // the old one ends with its last request, or here, after the lock
  return current_;
}

}  // namespace greenkgc::server
