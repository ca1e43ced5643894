#include "kge/kge_model.h"

#include <fmt/format.h>

#include "base/text.h"
#include "greenkgc/error.h"
#include "greenkgc/options.h"
#include "kge/kge_models.h"

namespace greenkgc::kge {
namespace {

const std::vector<const KgeModel*>& models() {
  static const std::vector<const KgeModel*> all = {&transe(), &distmult(), &complex(), &rotate()};
  return all;
}

}  // namespace

const KgeModel& kge_model(std::string_view name) {
  for (const KgeModel* model : models()) {
    if (model->name() == name) return *model;
  }
  const std::string nearest = nearest_name(name, kge_model_names());
  throw Error(ErrorCode::kUsage,
              fmt::format("there is no scorer {}{}", in_quotes(name),
                          nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest)));
}

std::vector<std::string> kge_model_names() {
  std::vector<std::string> names;
  for (const KgeModel* model : models()) names.emplace_back(model->name());
  return names;
}

std::string_view similarity_name(Similarity similarity) {
  switch (similarity) {
    case Similarity::kDot:
      return "dot";
    case Similarity::kEuclidean:
      return "l2";
    case Similarity::kSquaredEuclidean:
      return "squared-l2";
    case Similarity::kManhattan:
      return "l1";
    case Similarity::kModuli:
      return "moduli";
  }
  return "";
}

}  // namespace greenkgc::kge
