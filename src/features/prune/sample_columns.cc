#include "features/prune/sample_columns.h"

namespace greenkgc::features {

simd::LabelledColumns SampleColumns::gather(const SampleSet& samples) {
  simd::LabelledColumns view{{}, variables_.count(), samples.positives, samples.negatives()};
  std::size_t v = 0;
  const auto add = [&](const std::vector<float>& values, const std::vector<std::uint32_t>& ids) {
    std::vector<float>& column = columns_[v];
    column.resize(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) column[i] = values[ids[i]];
    view.columns[v++] = column.data();
  };
  for (std::size_t k = 0; k < variables_.per_entity(); ++k) add(source_.entity[k], samples.heads);
  for (std::size_t k = 0; k < variables_.per_relation(); ++k) add(source_.relation[k], samples.relations);
  for (std::size_t k = 0; k < variables_.per_entity(); ++k) add(source_.entity[k], samples.tails);
  return view;
}

}  // namespace greenkgc::features
