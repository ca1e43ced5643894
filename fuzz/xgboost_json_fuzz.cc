// Any bytes as a model of XGBoost's; what is read must come back after it was written.
#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "greenkgc/error.h"
#include "trees/xgboost_json.h"

using namespace greenkgc::trees;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::vector<TripleColumn> features = {{greenkgc::features::TriplePart::kHead, 3},
                                              {greenkgc::features::TriplePart::kRelation, 0},
                                              {greenkgc::features::TriplePart::kTail, 1}};
  TreeEnsemble read;
  try {
    read = from_xgboost_json({reinterpret_cast<const char*>(data), size}, features, "input");
  } catch (const greenkgc::Error&) {
    return 0;
  }
  const TreeEnsemble again = from_xgboost_json(to_xgboost_json(read, features), features, "output");
  const std::size_t extra = again.trees.size() - read.trees.size();  // 1: the base margin
  if (extra > 1 ||
      !std::equal(read.trees.begin(), read.trees.end(), again.trees.begin() + static_cast<long>(extra)))
    std::abort();
  return 0;
}
