#include "features/feature_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <deque>

#include "base/text.h"
#include "features/phase_form.h"
#include "greenkgc/error.h"
#include "kge/embedding_file.h"
#include "tensors/check_tensors.h"
#include "tensors/label_tensors.h"
#include "tensors/quantise.h"

namespace greenkgc::features {
namespace {

constexpr kge::FileKind kFeaturesKind = {"greenkgc.features", "1"};

struct FormName {
  FeatureForm form;
  std::string_view name;
  std::string_view tensor;
  unsigned bits;  // 0: floats
};
// The most exact first.
constexpr std::array<FormName, 3> kForms = {{{FeatureForm::kFloat32, "float32", "entities", 0},
                                             {FeatureForm::k8Bit, "8-bit", "entities.8bit", 8},
                                             {FeatureForm::k5Bit, "5-bit", "entities.5bit", 5}}};

std::vector<std::uint64_t> widened(std::span<const std::uint32_t> values) {
  return {values.begin(), values.end()};
}

// One tensor from a field of all groups, which have it in the same length.
template <class Value, class Field>
std::vector<Value> joined(const std::vector<Features::Group>& groups, Field field) {
  std::vector<Value> all;
  for (const Features::Group& group : groups)
    all.insert(all.end(), (group.*field).begin(), (group.*field).end());
  return all;
}

class FeaturesReader {
 public:
  explicit FeaturesReader(const std::filesystem::path& path) : file_(path) {}

  NamedFeatures read() {
    Features& features = named_.features;
    features.pruned = kge::read_metadata(file_, kFeaturesKind);
    features.phase_form = read_phase_form(file_);
    read_relations();
    read_entities();
    read_dims();
    read_groups();
    named_.entities = tensors::read_labels(file_, "entities", features.pruned.entity_count);
    named_.relations = tensors::read_labels(file_, "relations", features.pruned.relation_count);
    named_.provenance = kge::read_provenance(file_);
    return std::move(named_);
  }

 private:
  using Shape = std::vector<std::uint64_t>;

  std::span<const float> floats(const std::string& name, const Shape& shape) const {
    tensors::expect_shape(file_, name, file_.tensor(name, tensors::TensorType::kF32, shape.size()).shape,
                          shape);
    const auto values = file_.floats(name, shape.size());
    tensors::check_finite(file_, values, shape.back(), name);
    return values;
  }
  // Ids that must be below a bound.
  std::vector<std::uint32_t> ids(const std::string& name, const Shape& shape, std::uint64_t bound) const {
    const tensors::Tensor& tensor = file_.tensor(name, tensors::TensorType::kU64, shape.size());
    tensors::expect_shape(file_, name, tensor.shape, shape);
    const std::span values(reinterpret_cast<const std::uint64_t*>(tensor.bytes.data()),
                           tensor.bytes.size() / sizeof(std::uint64_t));
    std::vector<std::uint32_t> checked;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] >= bound)
        file_.fail(
            fmt::format("tensor {}, number {}: {} must be below {}", in_quotes(name), i, values[i], bound));
      checked.push_back(static_cast<std::uint32_t>(values[i]));
    }
    return checked;
  }

  void read_relations() {
    kge::Embeddings& pruned = named_.features.pruned;
    const std::uint64_t rows = file_.tensor("relations", tensors::TensorType::kF32, 2).shape[0];
    const std::uint64_t per_relation = pruned.reciprocal ? 2 : 1;
    if (rows == 0 || rows >= kMaxIds || rows % per_relation != 0)
      file_.fail(fmt::format("has {} rows of relations", rows));
    pruned.relation_count = static_cast<std::uint32_t>(rows / per_relation);
    const auto values = floats("relations", {rows, pruned.relation_width()});
    pruned.relations.assign(values.begin(), values.end());
  }

  void read_entities() {
    kge::Embeddings& pruned = named_.features.pruned;
    const std::uint64_t count = file_.u64s("entities.label_ends").size();
    if (count == 0 || count >= kMaxIds) file_.fail(fmt::format("has labels of {} entities", count));
    pruned.entity_count = static_cast<std::uint32_t>(count);
    const std::uint64_t width = pruned.entity_width();
    for (const FormName& form : kForms) {
      const std::string name(form.tensor);
      if (!file_.tensors().contains(name)) continue;
      if (form.bits == 0) {
        const auto values = floats(name, {count, width});
        pruned.entities.assign(values.begin(), values.end());
      } else {
        const tensors::Tensor& codes = file_.tensor(name, tensors::TensorType::kU8, 2);
        tensors::expect_shape(file_, name, codes.shape,
                              {count, tensors::QuantisedTable::row_bytes(width, form.bits)});
        const auto levels = floats(name + ".levels", {width, std::uint64_t{1} << form.bits});
        pruned.entities =
            tensors::restored({reinterpret_cast<const std::uint8_t*>(codes.bytes.data()), codes.bytes.size()},
                              levels, count, width, form.bits);
      }
      return;
    }
    file_.fail("has the entities' variables in no storage format that this program knows");
  }

  void read_dims() {
    Features& features = named_.features;
    const auto& costs = file_.tensor("costs", tensors::TensorType::kF32, 2).shape;
    if (costs[1] < features.pruned.dims || costs[1] >= kMaxIds)
      file_.fail(fmt::format("has costs of {} dimensions, but keeps {}", costs[1], features.pruned.dims));
    features.source_dim_count = static_cast<std::uint32_t>(costs[1]);
    features.source_dims = ids("dims", {features.pruned.dims}, costs[1]);
    if (std::adjacent_find(features.source_dims.begin(), features.source_dims.end(),
                           std::greater_equal<>()) != features.source_dims.end()) {
      file_.fail("tensor 'dims' is not in ascending order");
    }
  }

  void read_groups() {
    Features& features = named_.features;
    const auto& shape = file_.tensor("kept", tensors::TensorType::kU64, 2).shape;
    const std::uint64_t groups = shape[0];
    const std::uint64_t kept = shape[1];
    if (groups == 0 || groups > features.pruned.relation_count || kept == 0 || kept > features.pruned.dims)
      file_.fail(fmt::format("has {} groups with {} dimensions each", groups, kept));
    const std::uint64_t variables = TripleVariables(features.pruned, features.phase_form).count();
    const std::uint64_t dims = features.source_dim_count;
    features.group_of = ids("group_of", {features.pruned.relation_count}, groups);
    const auto all_kept = ids("kept", {groups, kept}, features.pruned.dims);
    const auto costs = floats("kept.costs", {groups, kept});
    const auto splits = floats("kept.splits", {groups, kept});
    const auto weights = floats("kept.weights", {groups, kept, variables});
    const auto all_costs = floats("costs", {groups, dims});
    for (std::uint64_t g = 0; g < groups; ++g) {
      const auto part = [&](const auto& values, std::uint64_t length) {
        const auto span = std::span(values).subspan(g * length, length);
        return std::vector(span.begin(), span.end());
      };
      Features::Group group{part(all_kept, kept), part(costs, kept), part(splits, kept),
                            part(weights, kept * variables), part(all_costs, dims)};
      auto sorted = group.kept;
      std::sort(sorted.begin(), sorted.end());
      if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
        file_.fail(fmt::format("group {} keeps a dimension twice", g));
      features.groups.push_back(std::move(group));
    }
  }

  const tensors::SafetensorsFile file_;
  NamedFeatures named_;
};

}  // namespace

FeatureForm feature_form(std::string_view name) {
  for (const FormName& form : kForms) {
    if (form.name == name) return form.form;
  }
  throw Error(ErrorCode::kUsage, fmt::format("there is no storage format {} of features", in_quotes(name)));
}

void write_features(const std::filesystem::path& path, const NamedFeatures& named,
                    std::span<const FeatureForm> forms, const Context& context) {
  const Features& features = named.features;
  const kge::Embeddings& pruned = features.pruned;
  tensors::SafetensorsWriter writer;
  kge::set_metadata(writer, kFeaturesKind, pruned, named.provenance);
  set_phase_form(writer, features.phase_form);
  std::deque<tensors::QuantisedTable> tables;  // a deque: what the writer points at stays where it is
  for (const FormName& form : kForms) {
    if (std::find(forms.begin(), forms.end(), form.form) == forms.end()) continue;
    const std::string name(form.tensor);
    const std::uint64_t width = pruned.entity_width();
    if (form.bits == 0) {
      writer.add(name, {pruned.entity_count, width}, std::span<const float>(pruned.entities));
      continue;
    }
    const tensors::QuantisedTable& table =
        tables.emplace_back(tensors::quantise(pruned.entities, width, form.bits, context));
    writer.add(name, {pruned.entity_count, tensors::QuantisedTable::row_bytes(width, form.bits)},
               std::span<const std::uint8_t>(table.codes));
    writer.add(name + ".levels", {width, std::uint64_t{1} << form.bits},
               std::span<const float>(table.levels));
  }
  writer.add("relations", {pruned.relation_rows(), pruned.relation_width()},
             std::span<const float>(pruned.relations));

  const std::uint64_t groups = features.groups.size();
  const std::uint64_t kept = features.keep_dims();
  const std::uint64_t variables = TripleVariables(pruned, features.phase_form).count();
  const auto dims = widened(features.source_dims);
  const auto group_of = widened(features.group_of);
  const auto all_kept = joined<std::uint64_t>(features.groups, &Features::Group::kept);
  const auto costs = joined<float>(features.groups, &Features::Group::costs);
  const auto splits = joined<float>(features.groups, &Features::Group::splits);
  const auto weights = joined<float>(features.groups, &Features::Group::weights);
  const auto all_costs = joined<float>(features.groups, &Features::Group::all_costs);
  writer.add("dims", {dims.size()}, std::span<const std::uint64_t>(dims));
  writer.add("group_of", {group_of.size()}, std::span<const std::uint64_t>(group_of));
  writer.add("kept", {groups, kept}, std::span<const std::uint64_t>(all_kept));
  writer.add("kept.costs", {groups, kept}, std::span<const float>(costs));
  writer.add("kept.splits", {groups, kept}, std::span<const float>(splits));
  writer.add("kept.weights", {groups, kept, variables}, std::span<const float>(weights));
  writer.add("costs", {groups, features.source_dim_count}, std::span<const float>(all_costs));
  const tensors::LabelTensors entity_labels(named.entities);
  const tensors::LabelTensors relation_labels(named.relations);
  entity_labels.add_to(writer, "entities");
  relation_labels.add_to(writer, "relations");
  writer.write(path);
}

bool holds_features(const std::filesystem::path& path) {
  const tensors::SafetensorsFile file(path);
  const auto format = file.metadata().find("format");
  return format != file.metadata().end() && format->second == kFeaturesKind.format;
}

NamedFeatures read_features(const std::filesystem::path& path) {
  return FeaturesReader(path).read();
}

Features arranged(NamedFeatures named, const graph::Vocabulary& entities,
                  const graph::Vocabulary& relations) {
  Features features = std::move(named.features);
  features.pruned = arranged(
      kge::NamedEmbeddings{std::move(features.pruned), std::move(named.entities), named.relations, {}},
      entities, relations);
  std::vector<std::uint32_t> group_of;
  for (std::uint32_t id = 0; id < relations.size(); ++id)  // all have a row, or arranging would have thrown
    group_of.push_back(features.group_of[*named.relations.find(relations.label(id))]);
  features.group_of = std::move(group_of);
  return features;
}

}  // namespace greenkgc::features
