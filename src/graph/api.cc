// The public API of graphs: include/greenkgc says what each call promises.
#include "graph/dataset.h"
#include "graph/io/dataset_reader.h"
#include "graph/io/dataset_writer.h"
#include "graph/statistics.h"
#include "graph/synthetic/generator.h"
#include "greenkgc/greenkgc.h"
#include "math/gemm.h"
#include "simd/targets.h"

namespace greenkgc {

Dataset Dataset::load(const std::string& data, const LoadOptions& options, const Context& context) {
  return Dataset(graph::read_dataset(data, options, context));
}

Dataset::Dataset(std::unique_ptr<graph::Dataset> impl) : impl_(std::move(impl)) {}
Dataset::~Dataset() = default;
Dataset::Dataset(Dataset&&) noexcept = default;
Dataset& Dataset::operator=(Dataset&&) noexcept = default;

std::uint32_t Dataset::entity_count() const {
  return impl_->entities.size();
}
std::uint32_t Dataset::relation_count() const {
  return impl_->relations.size();
}
std::string_view Dataset::label(EntityId id) const {
  return impl_->entities.label(index(id));
}
std::string_view Dataset::label(RelationId id) const {
  return impl_->relations.label(index(id));
}

std::optional<EntityId> Dataset::find_entity(std::string_view label) const {
  const auto id = impl_->entities.find(label);
  return id ? std::optional(EntityId{*id}) : std::nullopt;
}

std::optional<RelationId> Dataset::find_relation(std::string_view label) const {
  const auto id = impl_->relations.find(label);
  return id ? std::optional(RelationId{*id}) : std::nullopt;
}

std::span<const Triple> Dataset::triples(Split split) const {
  return (*impl_)[split].triples;
}
std::span<const float> Dataset::weights(Split split) const {
  return (*impl_)[split].weights;
}
const std::vector<std::string>& Dataset::notes() const {
  return impl_->notes;
}

std::vector<std::filesystem::path> write_dataset(const Dataset& dataset, const std::filesystem::path& out,
                                                 const ConvertOptions& options, const Context& context) {
  return graph::write_dataset(dataset.impl(), out, options, context);
}

GraphStats compute_stats(const Dataset& dataset, const Context& context) {
  return graph::statistics(dataset.impl(), context);
}

std::vector<std::filesystem::path> generate(const GenerateOptions& options, const std::filesystem::path& out,
                                            const Context& context) {
  return graph::generate(options, out, context);
}

BuildInfo build_info() {
  BuildInfo info;
  info.version = GREENKGC_VERSION;
  info.kernels_forced = simd::apply_kernel_environment();
  info.kernels = simd::kernel_target();
  info.blas = math::blas_description();
#ifdef __clang__
  info.compiler = __VERSION__;
#else
  info.compiler = "GCC " __VERSION__;
#endif
  return info;
}

}  // namespace greenkgc
