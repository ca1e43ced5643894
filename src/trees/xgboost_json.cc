#include "trees/xgboost_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "base/text.h"
#include "greenkgc/error.h"
#include "trees/xgboost_json_format.h"

namespace greenkgc::trees {
namespace {

using namespace xgboost;

constexpr int kMostNesting = 32;  // XGBoost's models have seven levels

// A value of the text, and where it stands.
class Place {
 public:
  Place(const Json& json, std::string_view file) : Place(json, file, "") {}

  bool has(const char* key) const { return json_.is_object() && json_.contains(key); }
  Place at(const char* key) const {
    if (!has(key)) corrupt(fmt::format("has no '{}'", key));
    return {json_[key], file_, path_.empty() ? key : path_ + "." + key};
  }
  Place at(std::size_t i) const { return {json_[i], file_, fmt::format("{}[{}]", path_, i)}; }  // i < size()

  std::size_t size() const {
    if (!json_.is_array()) corrupt("is not a list");
    return json_.size();
  }
  std::string_view text() const {
    if (!json_.is_string()) corrupt("is not a string");
    return json_.get_ref<const std::string&>();
  }
  float number() const {
    if (!json_.is_number()) corrupt("is not a number");
    return json_.get<float>();
  }
  // A whole number in [low, high].
  std::int64_t integer(std::int64_t low, std::int64_t high) const {
    if (!json_.is_number_integer()) corrupt("is not a whole number");
    const bool large = json_.is_number_unsigned() && json_.get<std::uint64_t>() > kMostInteger;
    const std::int64_t value = large ? high : json_.get<std::int64_t>();
    if (large || value < low || value > high)
      corrupt(fmt::format("is {}, but must be from {} to {}", json_.dump(), low, high));
    return value;
  }
  // Parameters are numbers in quotes.
  std::uint64_t count() const {
    std::uint64_t value = 0;
    if (!parse_u64(text(), value)) corrupt(fmt::format("is {}, which is not a count", in_quotes(text())));
    return value;
  }

  [[noreturn]] void corrupt(std::string_view what) const { fail(ErrorCode::kCorrupt, what); }
  [[noreturn]] void unsupported(std::string_view what) const { fail(ErrorCode::kUnsupported, what); }

 private:
  static constexpr std::uint64_t kMostInteger = std::numeric_limits<std::int64_t>::max();

  Place(const Json& json, std::string_view file, std::string path)
      : json_(json), file_(file), path_(std::move(path)) {}

  [[noreturn]] void fail(ErrorCode code, std::string_view what) const {
    throw Error(code, fmt::format("{}: {} {}", file_, path_.empty() ? "the model" : path_, what));
  }

  const Json& json_;
  std::string_view file_;
  std::string path_;
};

class TreeReader {
 public:
  TreeReader(const Place& tree, std::span<const TripleColumn> features)
      : features_(features),
        count_(tree.at("left_children").size()),
        left_(list(tree, "left_children")),
        right_(list(tree, "right_children")),
        columns_(list(tree, "split_indices")),
        conditions_(list(tree, "split_conditions")),
        seen_(count_, false) {
    const Place parameters = tree.at("tree_param");
    if (count_ == 0) left_.corrupt("is empty");
    if (parameters.at("num_nodes").count() != count_)
      parameters.at("num_nodes").corrupt(fmt::format("is not {}, the length of the other lists", count_));
    if (parameters.has("size_leaf_vector") && parameters.at("size_leaf_vector").count() > 1)
      parameters.at("size_leaf_vector").unsupported("is above 1: trees of several outputs are not supported");
    if (!tree.has("split_type")) return;  // before categories came
    const Place types = list(tree, "split_type");
    for (std::size_t i = 0; i < count_; ++i) {
      if (types.at(i).integer(0, 1) != 0) types.at(i).unsupported("is a categorical split");
    }
  }

  // Nodes are taken level by level, and so children stand beside each other. What the root does not lead to
  // was deleted.
  Tree read() {
    Tree tree;
    std::vector<Source> sources;
    const auto add = [&](const Source& source) {
      sources.push_back(source);
      tree.nodes.push_back(node(source));
    };
    seen_[0] = true;
    add({0, 0});
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const Source source = sources[i];
      if (is_leaf(source.number)) continue;
      if (source.depth == kMostTreeDepth)
        left_.at(source.number)
            .unsupported(fmt::format("goes below depth {}, the supported maximum", kMostTreeDepth));
      tree.nodes[i].left = static_cast<std::uint8_t>(tree.nodes.size());
      add({child(left_, source.number), source.depth + 1});
      add({child(right_, source.number), source.depth + 1});
    }
    return tree;
  }

 private:
  // A node of XGBoost's.
  struct Source {
    std::size_t number;
    std::size_t depth;
  };

  Place list(const Place& tree, const char* key) const {
    Place place = tree.at(key);
    if (place.size() != count_)
      place.corrupt(fmt::format("has {}, but left_children has {}", count_of(place.size(), "value"), count_));
    return place;
  }
  bool is_leaf(std::size_t number) const {
    const auto last = static_cast<std::int64_t>(count_) - 1;
    const bool leaf = left_.at(number).integer(kNoChild, last) == kNoChild;
    if (leaf != (right_.at(number).integer(kNoChild, last) == kNoChild))
      right_.at(number).corrupt("has one child; two or none were expected");
    return leaf;
  }
  std::size_t child(const Place& children, std::size_t number) {
    const Place place = children.at(number);
    const auto at = static_cast<std::size_t>(place.integer(0, static_cast<std::int64_t>(count_) - 1));
    if (seen_[at]) place.corrupt(fmt::format("leads to node {}, which is already elsewhere in the tree", at));
    seen_[at] = true;
    return at;
  }
  TreeNode node(const Source& source) const {
    TreeNode node;
    if (is_leaf(source.number)) {
      node.value = conditions_.at(source.number).number();
      return node;
    }
    node.threshold = conditions_.at(source.number).number();
    const auto last = static_cast<std::int64_t>(features_.size()) - 1;
    node.column = features_[static_cast<std::size_t>(columns_.at(source.number).integer(0, last))];
    return node;
  }

  std::span<const TripleColumn> features_;
  std::size_t count_;
  Place left_;
  Place right_;
  Place columns_;
  Place conditions_;
  std::vector<bool> seen_;  // that some node before has them as a child
};

Json parse(std::string_view text, std::string_view name) {
  const auto limit_nesting = [&](int depth, Json::parse_event_t, const Json&) {
    if (depth <= kMostNesting) return true;
    throw Error(
        ErrorCode::kCorrupt,
        fmt::format("{}: has more than {} nested levels, so it is not an XGBoost model", name, kMostNesting));
  };
  try {
    return Json::parse(text, limit_nesting);
  } catch (const Json::parse_error& error) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("{}: byte {}: is not JSON, or is truncated", name, error.byte));
  } catch (const Json::exception&) {
    throw Error(ErrorCode::kCorrupt, fmt::format("{}: has a number that a float cannot represent", name));
  }
}

double read_base_margin(const Place& parameters) {
  const Place place = parameters.at("base_score");
  double score = 0;
  if (!parse_double(place.text(), score))
    place.corrupt(fmt::format("is {}, which is not a number", in_quotes(place.text())));
  const float margin = score > 0 && score < 1 ? margin_of_score(static_cast<float>(score)) : INFINITY;
  if (!std::isfinite(margin)) place.corrupt("is not between 0 and 1");
  return static_cast<double>(margin);
}

void check_kind(const Place& learner, std::size_t features) {
  const auto require = [](const Place& place, std::string_view expected) {
    if (place.text() != expected)
      place.unsupported(fmt::format("is {}; only {} is supported", in_quotes(place.text()), expected));
  };
  require(learner.at("objective").at("name"), "binary:logistic");
  require(learner.at("gradient_booster").at("name"), "gbtree");
  const Place parameters = learner.at("learner_model_param");
  for (const char* outputs : {"num_class", "num_target"}) {
    if (parameters.has(outputs) && parameters.at(outputs).count() > 1)
      parameters.at(outputs).unsupported("is above 1: models of several outputs are not supported");
  }
  const Place count = parameters.at("num_feature");
  if (count.count() != features)
    count.corrupt(fmt::format("is {}, but there are {} features", count.count(), features));
}

}  // namespace

TreeEnsemble from_xgboost_json(std::string_view text, std::span<const TripleColumn> features,
                               std::string_view name) {
  const Json json = parse(text, name);
  const Place learner = Place(json, name).at("learner");
  check_kind(learner, features.size());
  TreeEnsemble ensemble;
  ensemble.base_margin = read_base_margin(learner.at("learner_model_param"));
  const Place trees = learner.at("gradient_booster").at("model").at("trees");
  const Place groups = learner.at("gradient_booster").at("model").at("tree_info");
  if (groups.size() != trees.size()) groups.corrupt("does not have one value per tree");
  for (std::size_t i = 0; i < trees.size(); ++i) {
    if (groups.at(i).integer(0, kNoParent) != 0)
      groups.at(i).unsupported("is not 0: models of several outputs are not supported");
    ensemble.trees.push_back(TreeReader(trees.at(i), features).read());
  }
  return ensemble;
}

void find_bins(TreeEnsemble& ensemble, const features::SideTables& tables) {
  for (std::size_t t = 0; t < ensemble.trees.size(); ++t) {
    for (TreeNode& node : ensemble.trees[t].nodes) {
      if (node.is_leaf()) continue;
      const auto cuts = tables.of(node.column.part).cuts(node.column.variable);
      const auto cut = std::lower_bound(cuts.begin(), cuts.end(), node.threshold);
      if (cut == cuts.end() || *cut != node.threshold)
        throw Error(ErrorCode::kUnsupported,
                    fmt::format("tree {} tests whether {} is below {}, which is not an edge of its bins", t,
                                described(node.column), node.threshold));
      node.bin = static_cast<std::uint8_t>(cut - cuts.begin());
    }
  }
}

}  // namespace greenkgc::trees
