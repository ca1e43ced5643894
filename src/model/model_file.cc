#include "model/model_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "greenkgc/error.h"
#include "model/narrow_tensor.h"
#include "model/second_stage_file.h"
#include "model/tree_tensors.h"

namespace greenkgc::model {
namespace {

constexpr FileKind kKind = {"greenkgc.model", "1"};
constexpr std::size_t kBaseWeights = 5;
constexpr std::size_t kGroupBaseWeights = 4;  // in older files, of a group
// Metadata "needs": what must not be left aside.
constexpr const char* kNeedsSecondStage = "second_stage";
constexpr const char* kNeedsSecondOnFirst = "second_stage_on_first";

// Cuts and levels of a table's columns, one after another.
struct ColumnTensors {
  std::vector<float> cuts;
  std::vector<float> levels;
  std::vector<std::uint64_t> bin_ends;  // of levels; a column has one cut less than levels

  explicit ColumnTensors(const BinnedTable& table) {
    for (std::size_t c = 0; c < table.columns(); ++c) {
      cuts.insert(cuts.end(), table.cuts(c).begin(), table.cuts(c).end());
      levels.insert(levels.end(), table.levels(c).begin(), table.levels(c).end());
      bin_ends.push_back(levels.size());
    }
  }

  void add_to(SafetensorsWriter& writer, const std::string& what, const BinnedTable& table) const {
    const std::size_t cells = table.columns() * table.rows();
    writer.add(what + ".bins", {table.columns(), table.rows()},
               std::span(cells > 0 ? table.bins(0).data() : nullptr, cells));
    writer.add(what + ".bin_ends", {bin_ends.size()}, std::span<const std::uint64_t>(bin_ends));
    writer.add(what + ".cuts", {cuts.size()}, std::span<const float>(cuts));
    writer.add(what + ".levels", {levels.size()}, std::span<const float>(levels));
  }
};

void check_below(const SafetensorsFile& file, const std::string& name, std::span<const std::uint32_t> values,
                 std::uint64_t bound) {
  const auto wrong =
      std::find_if(values.begin(), values.end(), [&](std::uint32_t id) { return id >= bound; });
  if (wrong != values.end())
    file.fail(fmt::format("tensor {}, number {}: {} should be below {}", name, wrong - values.begin(), *wrong,
                          bound));
}

// An id in a file is a number of 32 bits, and so it is here.
std::span<const EntityId> as_entities(std::span<const std::uint32_t> ids) {
  static_assert(sizeof(EntityId) == sizeof(std::uint32_t));
  return {reinterpret_cast<const EntityId*>(ids.data()), ids.size()};
}

class Reader {
 public:
  explicit Reader(const std::filesystem::path& path) : file_(std::make_shared<SafetensorsFile>(path)) {}

  NamedDecisions read() {
    Decisions& decisions = named_.decisions;
    decisions.embeddings = read_metadata(*file_, kKind);
    check_needs();
    decisions.phase_form = read_phase_form(*file_);
    decisions.tables.entities = table("entities");
    decisions.tables.relations = table("relations");
    read_relations();
    check_tables();
    read_groups();
    if (decisions.has_base()) decisions.counts = {lists("heads"), lists("tails")};
    named_.entities = LabelTable(file_, "entities", decisions.tables.entities.rows());
    named_.relations = LabelTable(file_, "relations", decisions.tables.relations.rows());
    named_.facts = FactSection(file_, decisions.tables.entities.rows(), decisions.tables.relations.rows());
    if (has_second_stage(*file_))
      named_.second = read_second_stage(*file_, named_.relations.size(), named_.facts.size());
    named_.provenance = read_provenance(*file_);
    return std::move(named_);
  }

 private:
  void check_needs() const {
    const auto needs = file_->metadata().find("needs");
    if (needs != file_->metadata().end() && needs->second != kNeedsSecondStage &&
        needs->second != kNeedsSecondOnFirst)
      throw Error(ErrorCode::kUnsupported,
                  fmt::format("{}: was written by a later program: it cannot be used without {}",
                              file_->name(), needs->second));
  }

  BinnedTable table(const std::string& what) const {
    const Tensor& bins = file_->tensor(what + ".bins", TensorType::kU8, 2);
    const std::uint64_t columns = bins.shape[0];
    const std::uint64_t rows = bins.shape[1];
    if (rows == 0 || rows >= kMaxIds || columns == 0)
      file_->fail(fmt::format("has a table of {} rows and {} columns of {}", rows, columns, what));
    const auto values = file_->u8s(what + ".bins", 2);
    const std::shared_ptr<const std::uint8_t[]> mapped(file_, values.data());
    return {static_cast<std::uint32_t>(rows), read_columns(what, values, columns, rows), mapped};
  }

  std::vector<BinnedTable::Column> read_columns(const std::string& what, std::span<const std::uint8_t> bins,
                                                std::uint64_t columns, std::uint64_t rows) const {
    const auto ends = file_->u64s(what + ".bin_ends");
    const auto cuts = file_->floats(what + ".cuts", 1);
    const auto levels = file_->floats(what + ".levels", 1);
    expect_shape(*file_, what + ".bin_ends", {ends.size()}, {columns});
    check_finite(*file_, cuts, 1, what + ".cuts");
    check_finite(*file_, levels, 1, what + ".levels");
    std::vector<BinnedTable::Column> result(columns);
    std::uint64_t begin = 0;
    for (std::uint64_t c = 0; c < columns; ++c) {
      const auto wrong = [&](std::string_view is) {
        file_->fail(fmt::format("column {} of {}: {}", c, what, is));
      };
      if (ends[c] <= begin || ends[c] > levels.size() || ends[c] - begin > kMostBins ||
          ends[c] - c - 1 > cuts.size())
        wrong("its bins are not there");
      const std::uint64_t count = ends[c] - begin;
      const auto own_cuts = cuts.subspan(begin - c, count - 1);
      const auto own_levels = levels.subspan(begin, count);
      if (!std::is_sorted(own_cuts.begin(), own_cuts.end())) wrong("its cuts do not ascend");
      const auto own_bins = bins.subspan(c * rows, rows);
      if (*std::max_element(own_bins.begin(), own_bins.end()) >= count) wrong("a bin is out of range");
      result[c] = {{own_cuts.begin(), own_cuts.end()}, {own_levels.begin(), own_levels.end()}};
      begin = ends[c];
    }
    if (begin != levels.size() || begin - columns != cuts.size())
      file_->fail(fmt::format("has more levels or cuts of {} than columns use", what));
    return result;
  }

  void read_relations() {
    Embeddings& embeddings = named_.decisions.embeddings;
    embeddings.entity_count = named_.decisions.tables.entities.rows();
    embeddings.relation_count = named_.decisions.tables.relations.rows();
    const auto values = file_->floats("relations.rows", 2);
    expect_shape(*file_, "relations.rows", file_->tensor("relations.rows", TensorType::kF32, 2).shape,
                 {embeddings.relation_rows(), embeddings.relation_width()});
    check_finite(*file_, values, embeddings.relation_width(), "relations.rows");
    embeddings.relations.assign(values.begin(), values.end());
  }

  void check_tables() const {
    const Decisions& decisions = named_.decisions;
    const TripleVariables variables(decisions.embeddings, decisions.phase_form);
    if (decisions.tables.entities.columns() != variables.per_entity() * variables.dims() ||
        decisions.tables.relations.columns() != variables.per_relation() * variables.dims())
      file_->fail(fmt::format(
          "has {} columns of entities and {} of relations, which do not go with {} in {} dimensions",
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
        file_->fail(fmt::format("the dimensions of group {} are not there", g));
      decisions.groups.push_back({});
      decisions.groups.back().kept.assign(all_kept.begin() + static_cast<std::ptrdiff_t>(begin),
                                          all_kept.begin() + static_cast<std::ptrdiff_t>(kept_ends[g]));
      begin = kept_ends[g];
    }
    auto ensembles = read_trees(*file_, decisions.tables, groups);
    for (std::size_t g = 0; g < groups; ++g) decisions.groups[g].trees = std::move(ensembles[g]);
    if (file_->tensors().contains("base")) read_base();
    if (file_->tensors().contains("calibration.ends")) read_calibration();
  }

  void read_calibration() {
    auto& groups = named_.decisions.groups;
    const auto ends = file_->u64s("calibration.ends");
    const auto margins = file_->floats("calibration.margins", 1);
    const auto probabilities = file_->floats("calibration.probabilities", 1);
    expect_shape(*file_, "calibration.ends", {ends.size()}, {groups.size()});
    expect_shape(*file_, "calibration.probabilities", {probabilities.size()}, {margins.size()});
    check_finite(*file_, margins, 1, "calibration.margins");
    check_finite(*file_, probabilities, 1, "calibration.probabilities");
    std::uint64_t begin = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const auto wrong = [&](std::string_view is) {
        file_->fail(fmt::format("the calibration of group {} {}", g, is));
      };
      if (ends[g] < begin || ends[g] > margins.size()) wrong("is not there");
      const auto own_margins = margins.subspan(begin, ends[g] - begin);
      const auto own_probabilities = probabilities.subspan(begin, ends[g] - begin);
      if (!std::is_sorted(own_margins.begin(), own_margins.end()) ||
          !std::is_sorted(own_probabilities.begin(), own_probabilities.end()))
        wrong("does not ascend");
      if (!own_margins.empty() && !(own_probabilities.front() >= 0 && own_probabilities.back() <= 1))
        wrong("has probabilities outside 0 to 1");
      groups[g].calibration = {{own_margins.begin(), own_margins.end()},
                               {own_probabilities.begin(), own_probabilities.end()}};
      begin = ends[g];
    }
  }

  std::span<const std::uint32_t> ids(const std::string& name, std::size_t count, std::uint64_t bound) const {
    const auto values = file_->u32s(name);
    expect_shape(*file_, name, {values.size()}, {count});
    check_below(*file_, name, values, bound);
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
      expect_shape(*file_, "base", shape, {rows, 2, width});
    } else {
      expect_shape(*file_, "base", shape, {rows, width});
    }
    check_finite(*file_, values, width, "base");
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

  graph::RelationRanges::Lists lists(const std::string& side) const {
    const std::string what = "counts." + side;
    const auto offsets = file_->u64s(what + ".offsets");
    const WholeNumbers fact_counts = map_narrow(file_, what + ".facts");
    const WholeNumbers ids = map_narrow(file_, what);
    const auto counts = fact_counts.values;
    const auto entities = ids.values;
    const std::size_t size = entities.size();
    check_below(*file_, what, entities, named_.decisions.tables.entities.rows());
    expect_shape(*file_, what + ".facts", {counts.size()}, {size});
    expect_shape(*file_, what + ".offsets", {offsets.size()},
                 {std::uint64_t{named_.decisions.tables.relations.rows()} + 1});
    for (std::size_t r = 0; r + 1 < offsets.size(); ++r) {
      if (offsets[0] != 0 || offsets[r] > offsets[r + 1] || offsets[r + 1] > size || offsets.back() != size)
        file_->fail(fmt::format("the list of relation {} in {} is not there", r, what));
      for (std::size_t i = offsets[r] + 1; i < offsets[r + 1]; ++i) {
        if (entities[i] <= entities[i - 1])
          file_->fail(fmt::format("the list of relation {} in {} does not ascend", r, what));
      }
    }
    struct Owners {
      std::shared_ptr<const void> file, counts, entities;
    };
    return {as_entities(entities), counts, offsets,
            std::make_shared<const Owners>(Owners{file_, fact_counts.owner, ids.owner})};
  }

  const std::shared_ptr<const SafetensorsFile> file_;
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

  void add_to(SafetensorsWriter& writer) const {
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
  static std::vector<const TreeEnsemble*> ensembles_of(const Decisions& decisions) {
    std::vector<const TreeEnsemble*> ensembles;
    for (const Decisions::Group& group : decisions.groups) ensembles.push_back(&group.trees);
    return ensembles;
  }

  const Decisions& decisions_;
  const TreeTensors trees_;
  std::vector<std::uint32_t> kept_;
  std::vector<std::uint64_t> kept_ends_;
  std::vector<float> base_;
  std::vector<float> margins_;
  std::vector<float> probabilities_;
  std::vector<std::uint64_t> curve_ends_;
};

class FactTensors {
 public:
  FactTensors(std::span<const Triple> facts, std::uint32_t entities) {
    std::vector<Triple> sorted(facts.begin(), facts.end());
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    offsets_.assign(std::size_t{entities} + 1, 0);
    std::vector<std::uint32_t> relations;
    std::vector<std::uint32_t> tails;
    for (const Triple& fact : sorted) {
      ++offsets_[index(fact.head) + 1];
      relations.push_back(index(fact.relation));
      tails.push_back(index(fact.tail));
    }
    std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
    relations_.emplace(relations);
    tails_.emplace(tails);
  }
  void add_to(SafetensorsWriter& writer) const {
    writer.add("facts.offsets", {offsets_.size()}, std::span<const std::uint32_t>(offsets_));
    relations_->add_to(writer, "facts.relations");
    tails_->add_to(writer, "facts.tails");
  }

 private:
  std::vector<std::uint32_t> offsets_;
  std::optional<NarrowTensor> relations_;
  std::optional<NarrowTensor> tails_;
};

class CountTensors {
 public:
  explicit CountTensors(const graph::RelationRanges::Lists& lists)
      : offsets_(lists.offsets),
        entities_(ids_of(lists), kMostCopied),
        counts_({lists.counts.begin(), lists.counts.end()}, kMostCopied) {}
  void add_to(SafetensorsWriter& writer, const std::string& side) const {
    const std::string what = "counts." + side;
    entities_.add_to(writer, what);
    counts_.add_to(writer, what + ".facts");
    writer.add(what + ".offsets", {offsets_.size()}, offsets_);
  }

 private:
  static constexpr std::size_t kMostCopied = 1 << 20;  // when a model is opened

  static std::vector<std::uint32_t> ids_of(const graph::RelationRanges::Lists& lists) {
    std::vector<std::uint32_t> ids;
    for (const EntityId id : lists.entities) ids.push_back(index(id));
    return ids;
  }

  std::span<const std::uint64_t> offsets_;
  NarrowTensor entities_;
  NarrowTensor counts_;
};

}  // namespace

void write_model(const std::filesystem::path& path, const ModelParts& parts) {
  const Decisions& decisions = parts.decisions;
  const Embeddings& embeddings = decisions.embeddings;
  SafetensorsWriter writer;
  set_metadata(writer, kKind, embeddings, parts.provenance);
  set_phase_form(writer, decisions.phase_form);

  const ColumnTensors entity_columns(decisions.tables.entities);
  const ColumnTensors relation_columns(decisions.tables.relations);
  entity_columns.add_to(writer, "entities", decisions.tables.entities);
  relation_columns.add_to(writer, "relations", decisions.tables.relations);
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
  const LabelTensors entity_labels(parts.entities);
  const LabelTensors relation_labels(parts.relations);
  const auto entity_order = label_order(parts.entities);
  const auto relation_order = label_order(parts.relations);
  entity_labels.add_to(writer, "entities");
  relation_labels.add_to(writer, "relations");
  writer.add("entities.label_order", {entity_order.size()}, std::span<const std::uint32_t>(entity_order));
  writer.add("relations.label_order", {relation_order.size()},
             std::span<const std::uint32_t>(relation_order));
  const FactTensors facts(parts.facts, decisions.tables.entities.rows());
  if (!parts.facts.empty()) facts.add_to(writer);
  std::optional<SecondStageTensors> second;
  if (parts.second != nullptr) {
    second.emplace(*parts.second).add_to(writer);
    writer.set_metadata("needs", parts.second->on_first ? kNeedsSecondOnFirst : kNeedsSecondStage);
  }
  writer.write(path);
}

FactSection::FactSection(std::shared_ptr<const SafetensorsFile> file, std::uint32_t entity_count,
                         std::uint32_t relation_count)
    : file_(std::move(file)), entity_count_(entity_count), relation_count_(relation_count) {}

std::size_t FactSection::size() const {
  if (!file_ || !file_->tensors().contains("facts.offsets")) return 0;
  const auto tails = file_->tensors().find("facts.tails");
  if (tails == file_->tensors().end() || tails->second.shape.size() != 1)
    file_->fail("has no list of the tails of facts");
  return tails->second.shape[0];
}

std::vector<Triple> FactSection::read() const {
  if (empty()) return {};
  const auto offsets = file_->u32s("facts.offsets");
  const auto tails = read_narrow(*file_, "facts.tails");
  const auto relations = read_narrow(*file_, "facts.relations");
  expect_shape(*file_, "facts.offsets", {offsets.size()}, {std::uint64_t{entity_count_} + 1});
  expect_shape(*file_, "facts.relations", {relations.size()}, {tails.size()});
  check_below(*file_, "facts.tails", tails, entity_count_);
  check_below(*file_, "facts.relations", relations, relation_count_);
  std::vector<Triple> facts;
  facts.reserve(tails.size());
  for (std::uint32_t head = 0; head < entity_count_; ++head) {
    if (offsets[0] != 0 || offsets[head] > offsets[head + 1] || offsets[head + 1] > tails.size() ||
        offsets[entity_count_] != tails.size())
      file_->fail(fmt::format("the facts of entity {} are not there", head));
    for (std::uint32_t i = offsets[head]; i < offsets[head + 1]; ++i)
      facts.push_back({EntityId{head}, RelationId{relations[i]}, EntityId{tails[i]}});
  }
  if (std::adjacent_find(facts.begin(), facts.end(), std::greater_equal<>()) != facts.end())
    file_->fail("facts do not ascend");
  return facts;
}

bool holds_model(const std::filesystem::path& path) {
  const SafetensorsFile file(path);
  const auto format = file.metadata().find("format");
  return format != file.metadata().end() && format->second == kKind.format;
}

NamedDecisions read_model(const std::filesystem::path& path) {
  return Reader(path).read();
}

}  // namespace greenkgc::model
