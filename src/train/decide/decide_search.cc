#include "train/decide/decide_search.h"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/files/event_log.h"
#include "base/text.h"
#include "greenkgc/error.h"

namespace greenkgc {
namespace {

using nlohmann::ordered_json;

constexpr std::array<std::int64_t, 3> kDepths = {3, 5, 7};
constexpr std::array<double, 3> kRates = {0.2, 0.1, 0.05};

std::string text_of(const graph::Identity& identity) {
  return ordered_json(identity).dump();
}

// Where the highest MRR of the settings is; trees 0 if there is none.
struct Best {
  std::size_t setting = 0;
  std::int64_t trees = 0;
  double mrr = -1;
};

Best best_of(const std::vector<SearchedSetting>& settings) {
  Best best;
  for (std::size_t s = 0; s < settings.size(); ++s) {
    for (std::size_t i = 0; i < settings[s].mrr.size(); ++i) {
      if (settings[s].mrr[i] > best.mrr) best = {s, settings[s].trees[i], settings[s].mrr[i]};
    }
  }
  return best;
}

SearchedSetting setting_of(const ordered_json& json) {
  SearchedSetting setting{json.at("depth"), json.at("rate"), {}, {}, json.at("abandoned")};
  for (const auto& [trees, mrr] : json.at("curve").get<std::vector<std::pair<std::int64_t, double>>>()) {
    setting.trees.push_back(trees);
    setting.mrr.push_back(mrr);
  }
  return setting;
}

ordered_json curve_of(const SearchedSetting& setting) {
  ordered_json curve = ordered_json::array();
  for (std::size_t i = 0; i < setting.mrr.size(); ++i) curve.push_back({setting.trees[i], setting.mrr[i]});
  return curve;
}

bool hopeless(const SearchedSetting& setting, double best) {
  if (setting.mrr.size() < 2) return false;
  const double pace = setting.mrr.back() - setting.mrr[setting.mrr.size() - 2];
  const std::int64_t steps_left = (kSearchTrees - setting.trees.back()) / kSearchStep;
  return setting.mrr.back() + std::max(0.0, pace) * static_cast<double>(steps_left) < best;
}

}  // namespace

SearchRecord::SearchRecord(std::filesystem::path path, const graph::Identity& identity, bool resume)
    : path_(std::move(path)) {
  const std::string text = text_of(identity);
  if (resume && std::filesystem::exists(path_)) {
    read(text);
  } else {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
    EventLog(path_).add("search.start", {{"identity", text}});
  }
}

void SearchRecord::read(const std::string& identity) {
  std::ifstream file(path_);
  std::uintmax_t whole_bytes = 0;
  std::size_t number = 0;
  for (std::string line; std::getline(file, line) && !file.eof(); whole_bytes += line.size() + 1) {
    ++number;
    try {
      const auto json = ordered_json::parse(line);
      if (number == 1 && json.at("identity") != identity)
        throw Error(
            ErrorCode::kUsage,
            fmt::format("{} is from another run (options, data or features differ); leave out --resume",
                        path_.string()));
      if (number > 1) settings_.push_back({json.at("group"), setting_of(json)});
    } catch (const nlohmann::json::exception&) {
      throw Error(ErrorCode::kCorrupt,
                  fmt::format("{} line {}: expected the record of a tried setting", path_.string(), number));
    }
  }
  std::filesystem::resize_file(path_, whole_bytes);
}

const SearchedSetting* SearchRecord::find(std::uint32_t group, std::int64_t depth, double rate) const {
  for (const Entry& entry : settings_) {
    if (entry.group == group && entry.setting.depth == depth && entry.setting.rate == rate)
      return &entry.setting;
  }
  return nullptr;
}

void SearchRecord::add(std::uint32_t group, const SearchedSetting& setting) {
  EventLog(path_).add("search.setting", {{"group", group},
                                         {"depth", setting.depth},
                                         {"rate", setting.rate},
                                         {"curve", curve_of(setting)},
                                         {"abandoned", setting.abandoned}});
  settings_.push_back({group, setting});
}

void SearchRecord::remove_file() const {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

SearchedTrees search_grid(const SearchInput& input, SearchRecord& record) {
  SearchedTrees result{{}, 0, 0, {}};
  const auto learn = [&](SearchedSetting& setting, std::int64_t trees, double best) {
    trees::LearnerOptions options = input.options;
    options.depth = static_cast<std::size_t>(setting.depth);
    options.rate = setting.rate;
    options.trees = static_cast<std::size_t>(trees);
    return input.learn(options, [&](std::size_t grown, double mrr) {
      setting.trees.push_back(static_cast<std::int64_t>(grown));
      setting.mrr.push_back(mrr);
      setting.abandoned = hopeless(setting, best);
      return !setting.abandoned;
    });
  };
  const auto keep = [&](trees::LearnedTrees learned, const Best& best) {
    learned.ensemble.trees.resize(
        std::min<std::size_t>(learned.ensemble.trees.size(), static_cast<std::size_t>(best.trees)));
    std::erase_if(learned.curve,
                  [&](const auto& point) { return point.trees > learned.ensemble.trees.size(); });
    result.learned = std::move(learned);
    result.depth = result.settings[best.setting].depth;
    result.rate = result.settings[best.setting].rate;
  };
  bool have_best = false;  // its trees were grown here, not in an interrupted run
  for (const std::int64_t depth : kDepths) {
    for (const double rate : kRates) {
      const double best_before = best_of(result.settings).mrr;
      if (const SearchedSetting* tried = record.find(input.group, depth, rate)) {
        result.settings.push_back(*tried);
        if (best_of(result.settings).mrr > best_before) have_best = false;
        continue;
      }
      SearchedSetting setting{depth, rate, {}, {}, false};
      trees::LearnedTrees learned = learn(setting, kSearchTrees, best_before);
      record.add(input.group, setting);
      result.settings.push_back(std::move(setting));
      const Best best = best_of(result.settings);
      if (best.mrr <= best_before) continue;
      keep(std::move(learned), best);
      have_best = true;
    }
  }
  if (!have_best) {
    const Best best = best_of(result.settings);
    SearchedSetting again{
        result.settings[best.setting].depth, result.settings[best.setting].rate, {}, {}, false};
    keep(learn(again, best.trees, -1), best);
  }
  return result;
}

}  // namespace greenkgc
