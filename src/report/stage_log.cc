#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <tuple>

#include "greenkgc/error.h"
#include "report/run_history.h"

namespace greenkgc::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMaxLoggedGroups =
    1'000'000;  // no run has so many: what a damaged log may make us allocate

double number(const Json& json, const char* name) {
  return json.contains(name) && json.at(name).is_number() ? json.at(name).get<double>() : -1;
}

// JSON has no infinity: it was written as null.
std::vector<double> numbers(const Json& json) {
  std::vector<double> out;
  for (const Json& value : json)
    out.push_back(value.is_null() ? std::numeric_limits<double>::infinity() : value.get<double>());
  return out;
}

CostHistogram histogram(const Json& json) {
  return {json.at("dim"),  json.at("cost"),     json.at("low"),
          json.at("high"), json.at("observed"), json.at("corrupted")};
}

using Discriminant = DiscriminantHistory;

Discriminant::Rows rows_of(const Json& json) {
  return {json.at("questions"), json.at("answers"), json.at("false_candidates")};
}

std::vector<Discriminant::Feature> features(const Json& json) {
  std::vector<Discriminant::Feature> out;
  for (const Json& feature : json) out.push_back({feature.at("name"), feature.at("cost")});
  return out;
}

template <class Read>
auto by_kind(const Json& json, const Read& read) {
  return Discriminant::ByKind<decltype(read(json))>{read(json.at("graph")), read(json.at("first_stage")),
                                                    read(json.at("embedding"))};
}

class LogReader {
 public:
  void take(const Json& line) {
    const std::string event = line.at("event");
    if (event == "embed.start") start_embed(line);
    if (event == "embed.epoch") add_epoch(line);
    if (event == "prune.group") add_pruned_group(line);
    if (event == "prune.done") finish_prune(line);
    if (event == "decide.point") add_point(line);
    if (event == "decide.group") finish_decided_group(line);
    if (event == "rerank.discriminant") start_discriminant(line);
    if (event == "rerank.discriminant.relation") add_tested_relation(line);
    if (event == "decide.done")
      log_.decide.groups.resize(std::min(log_.decide.groups.size(), last_group_ + 1));
  }
  StageLog finish() { return std::move(log_); }

 private:
  void start_embed(const Json& line) {
    const double kept = number(line, "resumed_epochs");
    std::erase_if(log_.embed, [&](const EmbedPoint& point) { return point.epoch > kept; });
  }

  void add_epoch(const Json& line) {
    log_.embed.push_back({line.at("epoch"), number(line, "loss"), number(line, "valid_mrr")});
  }

  static std::size_t group_of(const Json& line) {
    const std::uint64_t group = line.at("group");
    if (group >= kMaxLoggedGroups)
      throw Error(ErrorCode::kCorrupt, fmt::format("there is no group {}", group));
    return group;
  }

  void add_pruned_group(const Json& line) {
    const std::size_t group = group_of(line);
    if (group == 0) log_.prune.groups.clear();
    log_.prune.groups.resize(std::max(log_.prune.groups.size(), group + 1));
    log_.prune.groups[group] = {line.at("relations"),
                                line.at("facts"),
                                line.at("kept").size(),
                                numbers(line.at("costs")),
                                numbers(line.at("sorted_selection")),
                                histogram(line.at("best")),
                                histogram(line.at("worst"))};
  }

  void finish_prune(const Json& line) {
    log_.prune.selector = line.at("selector");
    log_.prune.mean_costs = numbers(line.at("mean_cost_by_groups"));
    log_.prune.keep_dims = line.at("keep_dims");
    log_.prune.union_dims = line.at("union_dims");
  }

  using Setting = std::tuple<std::size_t, double, double>;  // group, depth, rate

  static Setting setting_of(const Json& line) {
    return {group_of(line), number(line, "depth"), number(line, "rate")};
  }

  // A point that does not come behind the last one of its setting begins a new curve. The point without trees
  // says nothing of depth and rate: it waits for the first that does.
  void add_point(const Json& line) {
    const DecidePoint point = {line.at("trees"),
                               number(line, "loss"),
                               number(line, "auc_pr"),
                               number(line, "held_out_loss"),
                               number(line, "held_out_auc_pr"),
                               number(line, "valid_mrr")};
    if (point.trees == 0) {
      without_trees_[group_of(line)] = point;
      return;
    }
    std::vector<DecidePoint>& curve = curves_[setting_of(line)];
    if (!curve.empty() && curve.back().trees >= point.trees) curve.clear();
    const auto first = without_trees_.find(group_of(line));
    if (curve.empty() && first != without_trees_.end()) curve.push_back(first->second);
    curve.push_back(point);
  }

  // A group that an interrupted run learned is only ranked again by the one that goes on: it has no facts
  // here, and no new curve.
  void finish_decided_group(const Json& line) {
    last_group_ = group_of(line);
    auto& groups = log_.decide.groups;
    groups.resize(std::max(groups.size(), last_group_ + 1));
    DecideHistory::Group& group = groups[last_group_];
    const bool again = line.at("facts") == 0 && group.trees == line.at("trees");
    group.valid_mrr = number(line, "valid_mrr");
    if (!again) {
      group.facts = line.at("facts");
      group.samples = line.at("samples");
      group.trees = line.at("trees");
      group.seconds = number(line, "seconds");
      group.curve = std::move(curves_[setting_of(line)]);
    }
    without_trees_.erase(last_group_);
    std::erase_if(curves_, [&](const auto& curve) { return std::get<0>(curve.first) == last_group_; });
  }

  void start_discriminant(const Json& line) {
    log_.discriminant = {rows_of(line), line.at("relations"), {}, by_kind(line.at("costs"), numbers), {}};
    for (const Json& feature : line.at("best"))
      log_.discriminant.best.push_back({feature.at("kind"), {feature.at("name"), feature.at("cost")}});
  }

  void add_tested_relation(const Json& line) {
    log_.discriminant.relations.push_back(
        {line.at("relation"), rows_of(line), by_kind(line.at("best"), features)});
  }

  StageLog log_;
  std::map<Setting, std::vector<DecidePoint>> curves_;
  std::map<std::size_t, DecidePoint> without_trees_;
  std::size_t last_group_ = 0;
};

}  // namespace

StageLog read_stage_log(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "log.jsonl";
  std::ifstream file(path, std::ios::binary);
  LogReader reader;
  std::string text;
  for (std::uint64_t number = 1; std::getline(file, text); ++number) {
    if (file.eof()) break;  // no newline: it was cut off
    try {
      reader.take(Json::parse(text));
    } catch (const std::exception& error) {
      throw Error(ErrorCode::kCorrupt, fmt::format("{} line {}: is not a line of a run's log ({})",
                                                   path.string(), number, error.what()));
    }
  }
  return reader.finish();
}

}  // namespace greenkgc::report
