#include "model/model_file.h"

#include <fmt/format.h>

#include <cmath>

#include "greenkgc/error.h"
#include "model/tree_tensors.h"

namespace greenkgc::model {
namespace {

constexpr FileKind kKind = {"greenkgc.model", "1"};
constexpr std::size_t kBaseWeights = 4;

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

class Reader {
 public:
  explicit Reader(const std::filesystem::path& path) : file_(std::make_shared<SafetensorsFile>(path)) {}

  NamedDecisions read() {
    Decisions& decisions = named_.decisions;
    decisions.embeddings = read_metadata(*file_, kKind);
    decisions.phase_form = read_phase_form(*file_);
    decisions.tables.entities = table("entities");
    decisions.tables.relations = table("relations");
    read_relations();
    check_tables();
    read_groups();
    if (decisions.has_base()) read_base_inputs();
    named_.entities = read_labels(*file_, "entities", decisions.tables.entities.rows());
    named_.relations = read_labels(*file_, "relations", decisions.tables.relations.rows());
    named_.provenance = read_provenance(*file_);
    return std::move(named_);
  }

 private:
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
    decisions.group_of = ids("group_of", decisions.tables.relations.rows(), groups);
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
  }

  std::vector<std::uint32_t> ids(const std::string& name, std::size_t count, std::uint64_t bound) const {
    const auto values = file_->u32s(name);
    expect_shape(*file_, name, {values.size()}, {count});
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] >= bound)
        file_->fail(fmt::format("tensor {}, number {}: {} should be below {}", name, i, values[i], bound));
    }
    return {values.begin(), values.end()};
  }

  void read_base() {
    auto& groups = named_.decisions.groups;
    const auto values = file_->floats("base", 2);
    expect_shape(*file_, "base", file_->tensor("base", TensorType::kF32, 2).shape,
                 {groups.size(), kBaseWeights});
    check_finite(*file_, values, kBaseWeights, "base");
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const auto w = values.subspan(g * kBaseWeights, kBaseWeights);
      groups[g].base = BaseMargin{w[0], w[1], w[2], w[3]};
    }
  }

  void read_base_inputs() {
    Decisions& decisions = named_.decisions;
    decisions.embeddings.entity_count = decisions.tables.entities.rows();
    decisions.embeddings.entities = restored_rows(decisions.tables.entities);
    decisions.counts = {lists("heads"), lists("tails")};
  }

  graph::RelationRanges::Lists lists(const std::string& side) const {
    const std::string what = "counts." + side;
    const auto offsets = file_->u64s(what + ".offsets");
    const auto counts = file_->u32s(what + ".facts");
    const std::size_t size = file_->u32s(what).size();
    const auto entities = ids(what, size, named_.decisions.tables.entities.rows());
    expect_shape(*file_, what + ".facts", {counts.size()}, {size});
    expect_shape(*file_, what + ".offsets", {offsets.size()},
                 {std::uint64_t{named_.decisions.tables.relations.rows()} + 1});
    graph::RelationRanges::Lists lists;
    for (std::size_t r = 0; r + 1 < offsets.size(); ++r) {
      if (offsets[0] != 0 || offsets[r] > offsets[r + 1] || offsets[r + 1] > size || offsets.back() != size)
        file_->fail(fmt::format("the list of relation {} in {} is not there", r, what));
      for (std::size_t i = offsets[r] + 1; i < offsets[r + 1]; ++i) {
        if (entities[i] <= entities[i - 1])
          file_->fail(fmt::format("the list of relation {} in {} does not ascend", r, what));
      }
    }
    for (const std::uint32_t id : entities) lists.entities.push_back(EntityId{id});
    lists.counts.assign(counts.begin(), counts.end());
    lists.offsets.assign(offsets.begin(), offsets.end());
    return lists;
  }

  const std::shared_ptr<SafetensorsFile> file_;
  NamedDecisions named_;
};

class CountTensors {
 public:
  explicit CountTensors(const graph::RelationRanges::Lists& lists) : lists_(lists) {
    for (const EntityId id : lists.entities) entities_.push_back(index(id));
  }
  void add_to(SafetensorsWriter& writer, const std::string& side) const {
    const std::string what = "counts." + side;
    writer.add(what, {entities_.size()}, std::span<const std::uint32_t>(entities_));
    writer.add(what + ".facts", {lists_.counts.size()}, std::span<const std::uint32_t>(lists_.counts));
    writer.add(what + ".offsets", {lists_.offsets.size()}, std::span<const std::uint64_t>(lists_.offsets));
  }

 private:
  const graph::RelationRanges::Lists& lists_;
  std::vector<std::uint32_t> entities_;
};

}  // namespace

void write_model(const std::filesystem::path& path, const Decisions& decisions,
                 const graph::Vocabulary& entities, const graph::Vocabulary& relations,
                 const Provenance& provenance) {
  const Embeddings& embeddings = decisions.embeddings;
  SafetensorsWriter writer;
  set_metadata(writer, kKind, embeddings, provenance);
  set_phase_form(writer, decisions.phase_form);

  const ColumnTensors entity_columns(decisions.tables.entities);
  const ColumnTensors relation_columns(decisions.tables.relations);
  entity_columns.add_to(writer, "entities", decisions.tables.entities);
  relation_columns.add_to(writer, "relations", decisions.tables.relations);
  writer.add("relations.rows", {embeddings.relation_rows(), embeddings.relation_width()},
             std::span<const float>(embeddings.relations));

  std::vector<std::uint32_t> kept;
  std::vector<std::uint64_t> kept_ends;
  std::vector<const TreeEnsemble*> ensembles;
  std::vector<float> base;
  for (const Decisions::Group& group : decisions.groups) {
    kept.insert(kept.end(), group.kept.begin(), group.kept.end());
    kept_ends.push_back(kept.size());
    ensembles.push_back(&group.trees);
    const BaseMargin margin =
        group.base.value_or(BaseMargin{.constant = static_cast<float>(group.trees.base_margin)});
    base.insert(base.end(), {margin.constant, margin.score, margin.head_count, margin.tail_count});
  }
  const TreeTensors trees(ensembles, decisions.tables);
  writer.add("group_of", {decisions.group_of.size()}, std::span<const std::uint32_t>(decisions.group_of));
  writer.add("groups.kept", {kept.size()}, std::span<const std::uint32_t>(kept));
  writer.add("groups.kept_ends", {kept_ends.size()}, std::span<const std::uint64_t>(kept_ends));
  trees.add_to(writer);

  const CountTensors heads(decisions.counts.all_heads());
  const CountTensors tails(decisions.counts.all_tails());
  if (decisions.has_base()) {
    writer.add("base", {decisions.groups.size(), kBaseWeights}, std::span<const float>(base));
    heads.add_to(writer, "heads");
    tails.add_to(writer, "tails");
  }
  const LabelTensors entity_labels(entities);
  const LabelTensors relation_labels(relations);
  entity_labels.add_to(writer, "entities");
  relation_labels.add_to(writer, "relations");
  writer.write(path);
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
