#include "model/model_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "features/binned_table_tensors.h"
#include "features/phase_form.h"
#include "greenkgc/error.h"
#include "model/count_tensors.h"
#include "model/second_stage_file.h"
#include "tensors/check_tensors.h"
#include "tensors/label_tensors.h"
#include "trees/tree_tensors.h"

namespace greenkgc::model {
namespace {

constexpr kge::FileKind kModelKind = {"greenkgc.model", "1"};
constexpr std::size_t kBaseWeights = 5;
constexpr std::size_t kGroupBaseWeights = 4;  // in older files, of a group
constexpr const char* kFacts = "facts";
constexpr const char* kNegatives = "negatives";
// Metadata "needs": what must not be left aside.
constexpr const char* kNeedsSecondStage = "second_stage";
constexpr const char* kNeedsSecondOnFirst = "second_stage_on_first";
constexpr const char* kNeedsFactTrees = "fact_trees";  // and a second stage on the first

class ModelReader {
 public:
  explicit ModelReader(const std::filesystem::path& path)
      : file_(std::make_shared<tensors::SafetensorsFile>(path)) {}

  NamedDecisions read() {
    Decisions& decisions = named_.decisions;
    decisions.embeddings = kge::read_metadata(*file_, kModelKind);
    check_needs();
    decisions.phase_form = features::read_phase_form(*file_);
    decisions.tables.entities = features::read_binned_table(file_, "entities");
    decisions.tables.relations = features::read_binned_table(file_, "relations");
    read_relations();
    check_tables();
    read_groups();
    if (decisions.has_base()) {
      const std::uint32_t entities = decisions.tables.entities.rows();
      const std::uint32_t relations = decisions.tables.relations.rows();
      decisions.counts = {read_counts(file_, "heads", entities, relations),
                          read_counts(file_, "tails", entities, relations)};
    }
    named_.entities = tensors::LabelTable(file_, "entities", decisions.tables.entities.rows());
    named_.relations = tensors::LabelTable(file_, "relations", decisions.tables.relations.rows());
    const auto facts_called = [&](const char* name) {
      return FactSection(file_, name, decisions.tables.entities.rows(), decisions.tables.relations.rows());
    };
    named_.facts = facts_called(kFacts);
    named_.negatives = facts_called(kNegatives);
    if (has_second_stage(*file_))
      named_.second = read_second_stage(*file_, named_.relations.size(), named_.facts.size());
    named_.provenance = kge::read_provenance(*file_);
    return std::move(named_);
  }

 private:
  void check_needs() const {
    const auto needs = file_->metadata().find("needs");
    if (needs != file_->metadata().end() && needs->second != kNeedsSecondStage &&
        needs->second != kNeedsSecondOnFirst && needs->second != kNeedsFactTrees)
      throw Error(ErrorCode::kUnsupported,
                  fmt::format("{}: was written by a newer greenkgc and needs {}; update this program",
                              file_->name(), needs->second));
  }

  void read_relations() {
    kge::Embeddings& embeddings = named_.decisions.embeddings;
    embeddings.entity_count = named_.decisions.tables.entities.rows();
    embeddings.relation_count = named_.decisions.tables.relations.rows();
    const auto values = file_->floats("relations.rows", 2);
    tensors::expect_shape(*file_, "relations.rows",
                          file_->tensor("relations.rows", tensors::TensorType::kF32, 2).shape,
                          {embeddings.relation_rows(), embeddings.relation_width()});
    tensors::check_finite(*file_, values, embeddings.relation_width(), "relations.rows");
    embeddings.relations.assign(values.begin(), values.end());
  }

  void check_tables() const {
    const Decisions& decisions = named_.decisions;
    const features::TripleVariables variables(decisions.embeddings, decisions.phase_form);
    if (decisions.tables.entities.columns() != variables.per_entity() * variables.dims() ||
        decisions.tables.relations.columns() != variables.per_relation() * variables.dims())
      file_->fail(fmt::format(
          "has {} columns of entities and {} of relations, which do not match {} with {} dimensions",
          decisions.tables.entities.columns(), decisions.tables.relations.columns(),
          decisions.embeddings.kge->name(), variables.dims()));
  }

  void read_groups() {
    Decisions& decisions = named_.decisions;
    const auto kept_ends = file_->u64s("groups.kept_ends");
    const std::size_t groups = kept_ends.size();
    if (groups == 0 || groups > decisions.tables.relations.rows())
      file_->fail(fmt::format("has {} groups of {} relations", groups, decisions.tables.relations.rows()));
    const auto group_of = ids("group_of", decisions.tables.relations.rows(), groups);
    decisions.group_of.assign(group_of.begin(), group_of.end());
    const auto kept = file_->u32s("groups.kept");
    const auto all_kept = ids("groups.kept", kept.size(), decisions.embeddings.dims);
    std::uint64_t begin = 0;
    for (std::size_t g = 0; g < groups; ++g) {
      if (kept_ends[g] < begin || kept_ends[g] > kept.size())
        file_->fail(fmt::format("the dimensions of group {} are missing", g));
      decisions.groups.push_back({});
      decisions.groups.back().kept.assign(all_kept.begin() + static_cast<std::ptrdiff_t>(begin),
                                          all_kept.begin() + static_cast<std::ptrdiff_t>(kept_ends[g]));
      begin = kept_ends[g];
    }
    auto ensembles = trees::read_trees(*file_, decisions.tables, groups);
    for (std::size_t g = 0; g < groups; ++g) decisions.groups[g].trees = std::move(ensembles[g]);
    if (file_->tensors().contains("base")) read_base();
    if (file_->tensors().contains("calibration.ends")) read_calibration();
  }

  void read_calibration() {
    auto& groups = named_.decisions.groups;
    const auto ends = file_->u64s("calibration.ends");
    const auto margins = file_->floats("calibration.margins", 1);
    const auto probabilities = file_->floats("calibration.probabilities", 1);
    tensors::expect_shape(*file_, "calibration.ends", {ends.size()}, {groups.size()});
    tensors::expect_shape(*file_, "calibration.probabilities", {probabilities.size()}, {margins.size()});
    tensors::check_finite(*file_, margins, 1, "calibration.margins");
    tensors::check_finite(*file_, probabilities, 1, "calibration.probabilities");
    std::uint64_t begin = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const auto wrong = [&](std::string_view is) {
        file_->fail(fmt::format("the calibration of group {} {}", g, is));
      };
      if (ends[g] < begin || ends[g] > margins.size()) wrong("is missing");
      const auto own_margins = margins.subspan(begin, ends[g] - begin);
      const auto own_probabilities = probabilities.subspan(begin, ends[g] - begin);
      if (!std::is_sorted(own_margins.begin(), own_margins.end()) ||
          !std::is_sorted(own_probabilities.begin(), own_probabilities.end()))
        wrong("is not in ascending order");
      if (!own_margins.empty() && !(own_probabilities.front() >= 0 && own_probabilities.back() <= 1))
        wrong("has probabilities outside 0 to 1");
      groups[g].calibration = {{own_margins.begin(), own_margins.end()},
                               {own_probabilities.begin(), own_probabilities.end()}};
      begin = ends[g];
    }
  }

  std::span<const std::uint32_t> ids(const std::string& name, std::size_t count, std::uint64_t bound) const {
    const auto values = file_->u32s(name);
    tensors::expect_shape(*file_, name, {values.size()}, {count});
    tensors::check_below(*file_, name, values, bound);
    return values;
  }

  void read_base() {
    Decisions& decisions = named_.decisions;
    const auto& shape = file_->tensors().at("base").shape;
    // Older files have weights for each group, without the one of self; the first of them one row for both
    // sides.
    const bool by_side = shape.size() != 2;
    const bool by_relation = by_side && !shape.empty() && shape.back() != kGroupBaseWeights;
    const std::size_t width = by_relation ? kBaseWeights : kGroupBaseWeights;
    const std::size_t relations = decisions.group_of.size();
    const std::size_t rows = by_relation ? relations : decisions.groups.size();
    const auto values = file_->floats("base", by_side ? 3 : 2);
    if (by_side) {
      tensors::expect_shape(*file_, "base", shape, {rows, 2, width});
    } else {
      tensors::expect_shape(*file_, "base", shape, {rows, width});
    }
    tensors::check_finite(*file_, values, width, "base");
    const auto row = [&](std::size_t number) {
      const auto w = values.subspan(number * width, width);
      return BaseMargin{w[0], w[1], w[2], w[3], by_relation ? w[4] : 0};
    };
    for (std::size_t r = 0; r < relations; ++r) {
      const std::size_t at = by_relation ? r : decisions.group_of[r];
      decisions.base.push_back(by_side ? BaseMarginsBySide{row(2 * at), row(2 * at + 1)}
                                       : BaseMarginsBySide{row(at), row(at)});
    }
  }

  const std::shared_ptr<const tensors::SafetensorsFile> file_;
  NamedDecisions named_;
};

// Dimensions, trees, base margins and calibrations of all groups.
class GroupTensors {
 public:
  explicit GroupTensors(const Decisions& decisions)
      : decisions_(decisions), trees_(ensembles_of(decisions), decisions.tables) {
    for (const Decisions::Group& group : decisions.groups) {
      kept_.insert(kept_.end(), group.kept.begin(), group.kept.end());
      kept_ends_.push_back(kept_.size());
      const Calibration& curve = group.calibration;
      margins_.insert(margins_.end(), curve.margins.begin(), curve.margins.end());
      probabilities_.insert(probabilities_.end(), curve.probabilities.begin(), curve.probabilities.end());
      curve_ends_.push_back(margins_.size());
    }
    for (std::size_t r = 0; r < decisions.base.size(); ++r) {
      const BaseMarginsBySide base =
          decisions.base[r] ? *decisions.base[r] : trees_base(decisions.group_of[r]);
      for (const BaseMargin& side : {base.head, base.tail})
        base_.insert(base_.end(), {side.constant, side.score, side.head_count, side.tail_count, side.self});
    }
  }

  void add_to(tensors::SafetensorsWriter& writer) const {
    const auto add = [&](const char* name, const auto& values) {
      writer.add(name, {values.size()}, std::span(values.data(), values.size()));
    };
    add("group_of", decisions_.group_of);
    add("groups.kept", kept_);
    add("groups.kept_ends", kept_ends_);
    trees_.add_to(writer);
    if (decisions_.has_base())
      writer.add("base", {decisions_.base.size(), 2, kBaseWeights}, std::span<const float>(base_));
    if (margins_.empty()) return;
    add("calibration.ends", curve_ends_);
    add("calibration.margins", margins_);
    add("calibration.probabilities", probabilities_);
  }

 private:
  BaseMarginsBySide trees_base(std::uint32_t group) const {
    const BaseMargin constant{.constant = static_cast<float>(decisions_.groups[group].trees.base_margin)};
    return {constant, constant};
  }
  static std::vector<const trees::TreeEnsemble*> ensembles_of(const Decisions& decisions) {
    std::vector<const trees::TreeEnsemble*> ensembles;
    for (const Decisions::Group& group : decisions.groups) ensembles.push_back(&group.trees);
    return ensembles;
  }

  const Decisions& decisions_;
  const trees::TreeTensors trees_;
  std::vector<std::uint32_t> kept_;
  std::vector<std::uint64_t> kept_ends_;
  std::vector<float> base_;
  std::vector<float> margins_;
  std::vector<float> probabilities_;
  std::vector<std::uint64_t> curve_ends_;
};

}  // namespace

void write_model(const std::filesystem::path& path, const ModelParts& parts) {
  const Decisions& decisions = parts.decisions;
  const kge::Embeddings& embeddings = decisions.embeddings;
  tensors::SafetensorsWriter writer;
  kge::set_metadata(writer, kModelKind, embeddings, parts.provenance);
  features::set_phase_form(writer, decisions.phase_form);

  const features::BinnedTableTensors entity_table(decisions.tables.entities);
  const features::BinnedTableTensors relation_table(decisions.tables.relations);
  entity_table.add_to(writer, "entities");
  relation_table.add_to(writer, "relations");
  writer.add("relations.rows", {embeddings.relation_rows(), embeddings.relation_width()},
             std::span<const float>(embeddings.relations));
  const GroupTensors groups(decisions);
  groups.add_to(writer);
  const CountTensors heads(decisions.counts.all_heads());
  const CountTensors tails(decisions.counts.all_tails());
  if (decisions.has_base()) {
    heads.add_to(writer, "heads");
    tails.add_to(writer, "tails");
  }
  const tensors::LabelTensors entity_labels(parts.entities);
  const tensors::LabelTensors relation_labels(parts.relations);
  const auto entity_order = tensors::label_order(parts.entities);
  const auto relation_order = tensors::label_order(parts.relations);
  entity_labels.add_to(writer, "entities");
  relation_labels.add_to(writer, "relations");
  writer.add("entities.label_order", {entity_order.size()}, std::span<const std::uint32_t>(entity_order));
  writer.add("relations.label_order", {relation_order.size()},
             std::span<const std::uint32_t>(relation_order));
  const FactTensors facts({parts.facts.begin(), parts.facts.end()}, decisions.tables.entities.rows());
  facts.add_to(writer, kFacts);
  const FactTensors negatives({parts.negatives.begin(), parts.negatives.end()},
                              decisions.tables.entities.rows());
  negatives.add_to(writer, kNegatives);
  std::optional<SecondStageTensors> second;
  if (parts.second != nullptr) {
    second.emplace(*parts.second).add_to(writer);
    const char* needs = parts.second->on_first ? kNeedsSecondOnFirst : kNeedsSecondStage;
    writer.set_metadata("needs", parts.second->facts.empty() ? needs : kNeedsFactTrees);
  }
  writer.write(path);
}

bool holds_model(const std::filesystem::path& path) {
  const tensors::SafetensorsFile file(path);
  const auto format = file.metadata().find("format");
  return format != file.metadata().end() && format->second == kModelKind.format;
}

NamedDecisions read_model(const std::filesystem::path& path) {
  return ModelReader(path).read();
}

}  // namespace greenkgc::model
