#include "model/second_stage_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "tensors/check_tensors.h"

namespace greenkgc::model {
namespace {

constexpr std::size_t kSteps = 3;
constexpr std::uint32_t kPlaceBase = 16;  // a place of walks is stored with their length: 16 length + place
constexpr std::uint64_t kMostCandidates = 1'000'000;
constexpr const char* kOnFirst = "first_stage";  // what margins begin with

std::vector<PathRule> read_rules(const tensors::SafetensorsFile& file, std::uint32_t relations) {
  const auto heads = tensors::read_narrow(file, "second.rules.heads");
  const auto lengths = file.u8s("second.rules.lengths", 1);
  const auto steps = tensors::read_narrow(file, "second.rules.steps");
  const auto counts = tensors::read_narrow(file, "second.rules.counts");
  tensors::expect_shape(file, "second.rules.lengths", {lengths.size()}, {heads.size()});
  tensors::expect_shape(file, "second.rules.steps", {steps.size()}, {kSteps * heads.size()});
  tensors::expect_shape(file, "second.rules.counts", {counts.size()}, {4 * heads.size()});
  std::vector<PathRule> rules(heads.size());
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const auto wrong = [&](std::string_view is) { file.fail(fmt::format("rule {} {}", i, is)); };
    PathRule& rule = rules[i];
    rule.head = RelationId{heads[i]};
    rule.length = lengths[i];
    if (heads[i] >= relations) wrong("has a relation that does not exist");
    if (rule.length < 1 || rule.length > kSteps) wrong("has a length other than 1 to 3");
    for (std::size_t s = 0; s < kSteps; ++s) {
      rule.steps[s] = steps[kSteps * i + s];
      if (rule.steps[s] / 2 >= relations || (s >= rule.length && rule.steps[s] != 0))
        wrong("has a step that does not exist");
    }
    rule.pairs = {counts[4 * i], counts[4 * i + 1]};
    rule.facts = {counts[4 * i + 2], counts[4 * i + 3]};
    if (rule.facts[0] > rule.pairs[0] || rule.facts[1] > rule.pairs[1]) wrong("has more facts than pairs");
  }
  return rules;
}

std::vector<evidence::WalkStep> read_walks(const tensors::SafetensorsFile& file, std::uint32_t relations) {
  if (!file.tensors().contains("second.walks.heads")) return {};
  const auto heads = tensors::read_narrow(file, "second.walks.heads");
  const auto places = file.u8s("second.walks.places", 1);
  const auto steps = tensors::read_narrow(file, "second.walks.steps");
  const auto weights = tensors::read_narrow(file, "second.walks.weights");
  tensors::expect_shape(file, "second.walks.places", {places.size()}, {heads.size()});
  tensors::expect_shape(file, "second.walks.steps", {steps.size()}, {heads.size()});
  tensors::expect_shape(file, "second.walks.weights", {weights.size()}, {heads.size()});
  std::vector<evidence::WalkStep> walks(heads.size());
  for (std::size_t i = 0; i < walks.size(); ++i) {
    walks[i] = {heads[i], places[i] / kPlaceBase, places[i] % kPlaceBase, steps[i], weights[i]};
    const evidence::WalkStep& walk = walks[i];
    if (walk.head / 2 >= relations || walk.step / 2 >= relations || walk.length < evidence::kShortestWalk ||
        walk.length > evidence::kLongestWalk || walk.place >= walk.length ||
        static_cast<float>(walk.weight) > evidence::kWholeWeight)
      file.fail(
          fmt::format("step {} of the walks has a relation, position or weight that does not exist", i));
  }
  return walks;
}

Calibration read_curve(const tensors::SafetensorsFile& file) {
  const auto margins = file.floats("second.calibration.margins", 1);
  const auto probabilities = file.floats("second.calibration.probabilities", 1);
  tensors::expect_shape(file, "second.calibration.probabilities", {probabilities.size()}, {margins.size()});
  tensors::check_finite(file, margins, 1, "second.calibration.margins");
  tensors::check_finite(file, probabilities, 1, "second.calibration.probabilities");
  if (!std::is_sorted(margins.begin(), margins.end()) ||
      !std::is_sorted(probabilities.begin(), probabilities.end()))
    file.fail("the calibration of the second stage is not in ascending order");
  if (!margins.empty() && !(probabilities.front() >= 0 && probabilities.back() <= 1))
    file.fail("the calibration of the second stage has probabilities outside 0 to 1");
  return {{margins.begin(), margins.end()}, {probabilities.begin(), probabilities.end()}};
}

std::vector<std::uint8_t> read_evidence(const tensors::SafetensorsFile& file, std::size_t facts) {
  const auto bits = file.u8s("second.evidence", 1);
  tensors::expect_shape(file, "second.evidence", {bits.size()}, {(facts + 7) / 8});
  std::vector<std::uint8_t> evidence(facts);
  for (std::size_t i = 0; i < facts; ++i) evidence[i] = bits[i / 8] >> (i % 8) & 1;
  return evidence;
}

bool read_on_first(const tensors::SafetensorsFile& file) {
  const auto found = file.metadata().find("second.begin");
  if (found == file.metadata().end()) return false;
  if (found->second != kOnFirst) file.fail(fmt::format("second.begin is {}", in_quotes(found->second)));
  return true;
}

std::uint32_t read_count(const tensors::SafetensorsFile& file, const std::string& key) {
  std::uint64_t value = 0;
  if (!parse_u64(file.metadata_value(key), value) || value > kMostCandidates)
    file.fail(fmt::format("{} is {}", key, in_quotes(file.metadata_value(key))));
  return static_cast<std::uint32_t>(value);
}

}  // namespace

SecondStageTensors::SecondStageTensors(const SecondStage& stage)
    : stage_(stage), trees_("second.", stage.trees.features, stage.trees.cuts) {
  trees_.add(stage.trees.trees);
  if (!stage.facts.empty()) fact_trees_.emplace(stage.facts);
  add_rules(stage.rules);
  add_walks(stage.walks);
  evidence_.resize((stage.evidence.size() + 7) / 8);
  for (std::size_t i = 0; i < stage.evidence.size(); ++i)
    evidence_[i / 8] = static_cast<std::uint8_t>(evidence_[i / 8] | (stage.evidence[i] != 0) << i % 8);
}

void SecondStageTensors::add_rules(const std::vector<PathRule>& rules) {
  std::vector<std::uint32_t> heads;
  std::vector<std::uint32_t> steps;
  std::vector<std::uint32_t> counts;
  for (const PathRule& rule : rules) {
    heads.push_back(index(rule.head));
    rule_lengths_.push_back(static_cast<std::uint8_t>(rule.length));
    steps.insert(steps.end(), rule.steps.begin(), rule.steps.end());
    counts.insert(counts.end(), rule.pairs.begin(), rule.pairs.end());
    counts.insert(counts.end(), rule.facts.begin(), rule.facts.end());
  }
  rule_heads_.emplace(heads);
  rule_steps_.emplace(steps);
  rule_counts_.emplace(counts);
}

void SecondStageTensors::add_walks(const std::vector<evidence::WalkStep>& walks) {
  if (walks.empty()) return;
  std::vector<std::uint32_t> heads;
  std::vector<std::uint32_t> steps;
  std::vector<std::uint32_t> weights;
  for (const evidence::WalkStep& walk : walks) {
    heads.push_back(walk.head);
    walk_places_.push_back(static_cast<std::uint8_t>(kPlaceBase * walk.length + walk.place));
    steps.push_back(walk.step);
    weights.push_back(walk.weight);
  }
  walk_heads_.emplace(heads);
  walk_steps_.emplace(steps);
  walk_weights_.emplace(weights);
}

void SecondStageTensors::add_to(tensors::SafetensorsWriter& writer) const {
  writer.set_metadata("second.labels", stage_.labels);
  writer.set_metadata("second.links", stage_.links ? "1" : "0");
  if (stage_.on_first) writer.set_metadata("second.begin", kOnFirst);
  writer.set_metadata("second.list_size", std::to_string(stage_.list_size));
  writer.set_metadata("second.first_best", std::to_string(stage_.first_best));
  const auto add = [&](const char* name, const auto& values) {
    writer.add(name, {values.size()}, std::span(values.data(), values.size()));
  };
  trees_.add_to(writer);
  add("second.rules.lengths", rule_lengths_);
  rule_heads_->add_to(writer, "second.rules.heads");
  rule_steps_->add_to(writer, "second.rules.steps");
  rule_counts_->add_to(writer, "second.rules.counts");
  if (walk_heads_) {
    walk_heads_->add_to(writer, "second.walks.heads");
    add("second.walks.places", walk_places_);
    walk_steps_->add_to(writer, "second.walks.steps");
    walk_weights_->add_to(writer, "second.walks.weights");
  }
  add("second.evidence", evidence_);
  add("second.calibration.margins", stage_.calibration.margins);
  add("second.calibration.probabilities", stage_.calibration.probabilities);
  if (fact_trees_) fact_trees_->add_to(writer);
}

bool has_second_stage(const tensors::SafetensorsFile& file) {
  return file.metadata().contains("second.labels");
}

SecondStage read_second_stage(const tensors::SafetensorsFile& file, std::uint32_t relations,
                              std::size_t facts) {
  SecondStage stage;
  stage.labels = file.metadata_value("second.labels");
  stage.links = file.metadata_value("second.links") == "1";
  stage.on_first = read_on_first(file);
  stage.list_size = read_count(file, "second.list_size");
  stage.first_best = read_count(file, "second.first_best");
  if (stage.list_size == 0) file.fail("has empty candidate lists");
  if (stage.first_best > stage.list_size)
    file.fail("takes more candidates from the first stage than a list has");
  stage.trees = trees::read_list_trees(file, "second.", " over candidates");
  stage.rules = read_rules(file, relations);
  stage.walks = read_walks(file, relations);
  stage.calibration = read_curve(file);
  if (has_fact_trees(file)) stage.facts = read_fact_trees(file, relations);
  stage.evidence = read_evidence(file, facts);
  return stage;
}

}  // namespace greenkgc::model
