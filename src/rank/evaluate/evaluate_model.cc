#include "rank/evaluate/evaluate_model.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "graph/known_facts.h"
#include "greenkgc/error.h"
#include "rank/calibration/calibrate_groups.h"
#include "rank/calibration/reliability.h"
#include "rank/ranks.h"

namespace greenkgc::rank {
namespace {

constexpr std::size_t kTopAnswers = 10;

void check_labels(const std::filesystem::path& model, const tensors::LabelTable& own,
                  const graph::Vocabulary& datas, std::string_view what) {
  const std::uint32_t common = std::min(own.size(), datas.size());
  for (std::uint32_t id = 0; id < common; ++id) {
    if (own.label(id) != datas.label(id))
      throw Error(
          ErrorCode::kBadInput,
          fmt::format("{}: {} {} is {}, but in the data it is {}; the model was trained on other data",
                      model.string(), what, id, in_quotes(own.label(id)), in_quotes(datas.label(id))));
  }
  if (own.size() != datas.size())
    throw Error(ErrorCode::kBadInput,
                fmt::format("{}: has {} {} labels, but the data have {}; the model was trained on other data",
                            model.string(), own.size(), what, datas.size()));
}

std::uint64_t node_count(const model::Decisions& decisions) {
  std::uint64_t nodes = 0;
  for (const auto& group : decisions.groups) {
    for (const trees::Tree& tree : group.trees.trees) nodes += tree.nodes.size();
  }
  return nodes;
}

// A split is a feature and a threshold, a leaf a value; a base margin has five weights for each relation and
// side.
std::uint64_t tree_parameters(const model::Decisions& decisions) {
  std::uint64_t parameters = 0;
  for (const auto& group : decisions.groups) {
    for (const trees::Tree& tree : group.trees.trees) {
      for (const trees::TreeNode& node : tree.nodes) parameters += node.is_leaf() ? 1 : 2;
    }
  }
  if (decisions.has_base()) parameters += 10 * decisions.base.size();
  return parameters;
}

// Trees as above; a rule is its steps and two confidences (from heads and from tails), a step of learned
// walks a weight.
std::uint64_t second_stage_parameters(const model::SecondStage& second) {
  std::uint64_t parameters = second.walks.size();
  for (const trees::ListTree& tree : second.trees.trees) {
    for (const trees::ListTreeNode& node : tree.nodes) parameters += node.is_leaf() ? 1 : 2;
  }
  for (const model::PathRule& rule : second.rules) parameters += rule.length + 2;
  return parameters;
}

std::uint64_t fact_count(const graph::Dataset& data) {
  return data[Split::kTrain].triples.size() + data[Split::kValid].triples.size() +
         data[Split::kTest].triples.size();
}

std::uint64_t ranking_memory(const model::Decisions& decisions, const graph::Dataset& data,
                             std::uint64_t queries, const Context& context) {
  constexpr std::uint64_t kPerThread = 8 << 20;  // tiles of margins and classes
  constexpr std::uint64_t kPerNode = sizeof(trees::TreeNode) + 15;
  constexpr std::uint64_t kPerQuery = sizeof(rank::RankQuery) + sizeof(rank::Query) + sizeof(rank::Ranks) +
                                      2 * sizeof(float) + sizeof(std::uint32_t);
  constexpr std::uint64_t kIndexPerFact = 16;  // KnownFacts: all of them once for ranks, once for calibration
  constexpr std::uint64_t kMakingPerFact = 16;  // while one is made
  constexpr std::uint64_t kPerEntity = 24;      // three indexes, 8 bytes each
  const features::BinnedTable& entities = decisions.tables.entities;
  const std::uint64_t tables = std::uint64_t{entities.rows()} * entities.columns();
  return tables + sizeof(float) * decisions.embeddings.relations.size() + kPerNode * node_count(decisions) +
         kPerQuery * queries + (sizeof(Triple) + 2 * kIndexPerFact + kMakingPerFact) * fact_count(data) +
         kPerEntity * data.entities.size() + kPerThread * static_cast<std::uint64_t>(context.thread_count());
}

std::uint64_t physical_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long bytes = ::sysconf(_SC_PAGE_SIZE);
  return pages > 0 && bytes > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(bytes) : 0;
}

}  // namespace

model::NamedDecisions open_model_of(const std::filesystem::path& path, const graph::Dataset& data) {
  model::NamedDecisions named = model::read_model(path);
  check_labels(path, named.entities, data.entities, "entity");
  check_labels(path, named.relations, data.relations, "relation");
  return named;
}

ModelFigures plan_ranking(const std::filesystem::path& path, const model::NamedDecisions& named,
                          const graph::Dataset& data, std::uint64_t queries, const Context& context) {
  const model::Decisions& decisions = named.decisions;
  const kge::Embeddings& embeddings = decisions.embeddings;
  ModelFigures figures;
  figures.entity_parameters = std::uint64_t{decisions.tables.entities.rows()} * embeddings.entity_width();
  figures.relation_parameters = std::uint64_t{embeddings.relation_rows()} * embeddings.relation_width();
  figures.tree_parameters = tree_parameters(decisions);
  if (named.second) figures.second_stage_parameters = second_stage_parameters(*named.second);
  figures.bytes = std::filesystem::file_size(path);
  figures.memory_bytes = ranking_memory(decisions, data, queries, context);
  const auto megabytes = [](std::uint64_t bytes) { return with_commas((bytes + 999'999) / 1'000'000); };
  context.say(LogLevel::kInfo, fmt::format("ranking {} queries needs about {} MB of memory",
                                           with_commas(queries), megabytes(figures.memory_bytes)));
  const std::uint64_t physical = physical_memory();
  if (physical > 0 && figures.memory_bytes > physical)
    throw Error(ErrorCode::kUsage,
                fmt::format("ranking {} queries needs about {} MB of memory, but this machine has {} MB; "
                            "rank fewer facts with --sample",
                            with_commas(queries), megabytes(figures.memory_bytes), megabytes(physical)));
  return figures;
}

CalibrationReport check_calibration(const rank::Ranker& ranker, const graph::Dataset& data, Split split,
                                    std::uint64_t max_queries, const Context& context) {
  std::vector<std::span<const Triple>> others;
  for (const Split other : {Split::kTrain, Split::kValid, Split::kTest}) {
    if (other != split) others.push_back(data[other].triples);
  }
  const graph::KnownFacts known(others, data.entities.size(), context);
  const std::array<std::span<const Triple>, 1> asked = {data[split].triples};
  const graph::KnownFacts to_find(asked, data.entities.size(), context);
  const auto queries = sample_questions(data[split].triples, max_queries, context);
  auto [top, all] = rank::measure_reliability(ranker, queries, {to_find, known}, kTopAnswers, context);
  return {queries.size(), std::move(top), std::move(all)};
}

}  // namespace greenkgc::rank
