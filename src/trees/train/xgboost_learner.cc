#include "trees/train/xgboost_learner.h"

#include "greenkgc/error.h"

#ifndef GREENKGC_HAS_XGBOOST

namespace greenkgc::trees {

LearnedTrees learn_with_xgboost(const LearnerInput&, const LearnerOptions&, const Context&) {
  throw Error(ErrorCode::kUnsupported,
              "this build does not include XGBoost; rebuild it with libxgboost-dev installed, or use "
              "--engine native");
}

}  // namespace greenkgc::trees

#else

#include <fmt/format.h>
#include <xgboost/c_api.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/random.h"
#include "trees/train/learning_loop.h"
#include "trees/xgboost_json.h"

namespace greenkgc::trees {
namespace {

using trees::TripleColumn;

constexpr std::uint32_t kSeedStream = 0x64656304;
constexpr std::size_t kRowsPerBatch = 1 << 16;
constexpr std::size_t kMatrixRowsPerPiece = 1 << 12;

void check(int result) {
  if (result == 0) return;
  const std::string_view message = XGBGetLastError();  // with a stack trace below
  throw Error(ErrorCode::kUnsupported,
              fmt::format("XGBoost failed: {}", message.substr(0, message.find('\n'))));
}

struct FreeMatrix {
  void operator()(void* handle) const { XGDMatrixFree(handle); }
};
struct FreeBooster {
  void operator()(void* handle) const { XGBoosterFree(handle); }
};
using Matrix = std::unique_ptr<void, FreeMatrix>;
using Booster = std::unique_ptr<void, FreeBooster>;

// Rows of bins, which XGBoost takes in batches. It asks for all of them several times.
class BinRows {
 public:
  // copy_row(row, to) writes the bins of a row.
  using CopyRow = std::function<void(std::size_t row, std::uint8_t* to)>;
  BinRows(std::size_t rows, std::size_t columns, CopyRow copy_row, const Context& context)
      : rows_(rows), columns_(columns), copy_row_(std::move(copy_row)), context_(context) {
    void* proxy = nullptr;
    check(XGProxyDMatrixCreate(&proxy));
    proxy_.reset(proxy);
  }

  // With the cuts of another matrix, or else with those of at most `bins` quantiles.
  Matrix quantile_matrix(std::size_t bins, const Matrix& cuts) {
    const std::string config =
        fmt::format(R"({{"missing": -1, "nthread": {}, "max_bin": {}}})", context_.thread_count(), bins);
    void* handle = nullptr;
    const int result = XGQuantileDMatrixCreateFromCallback(this, proxy_.get(), cuts.get(), start_again, next,
                                                           config.c_str(), &handle);
    Matrix matrix(handle);
    if (failure_) std::rethrow_exception(failure_);
    check(result);
    return matrix;
  }

 private:
  static void start_again(void* self) { static_cast<BinRows*>(self)->begin_ = 0; }

  // 1: the proxy has a batch, 0: there are no more. Exceptions wait until XGBoost has returned.
  static int next(void* self) {
    auto& rows = *static_cast<BinRows*>(self);
    try {
      return rows.give_batch() ? 1 : 0;
    } catch (...) {
      rows.failure_ = std::current_exception();
      return 0;
    }
  }

  bool give_batch() {
    context_.check_cancelled();
    const std::size_t rows = std::min(kRowsPerBatch, rows_ - begin_);
    if (failure_ || rows == 0) return false;
    bins_.resize(rows * columns_);
    parallel_for(context_, rows, kMatrixRowsPerPiece, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) copy_row_(begin_ + row, bins_.data() + row * columns_);
    });
    const std::string array = fmt::format(
        R"({{"data": [{}, true], "shape": [{}, {}], "strides": null, "typestr": "|u1", "version": 3}})",
        reinterpret_cast<std::uintptr_t>(bins_.data()), rows, columns_);
    check(XGProxyDMatrixSetDataDense(proxy_.get(), array.c_str()));
    begin_ += rows;
    return true;
  }

  const std::size_t rows_;
  const std::size_t columns_;
  const CopyRow copy_row_;
  const Context& context_;
  Matrix proxy_;
  std::size_t begin_ = 0;  // of the next batch
  std::vector<std::uint8_t> bins_;
  std::exception_ptr failure_;
};

// The bins of samples. Those of each column are XGBoost's too, whether or not some sample has them: its cuts
// are the quantiles of a small matrix that has each bin once. Quantiles of the samples would take as long as
// several trees.
Matrix matrix_of(const LearnerInput& input, std::span<const TripleColumn> columns, std::size_t most_bins,
                 const Context& context) {
  const auto last_bin = [&](const TripleColumn& column) {
    return input.tables.of(column.part).bin_count(column.variable) - 1;
  };
  const auto copy_bin = [&](std::size_t bin, std::uint8_t* to) {
    for (const TripleColumn& column : columns)
      *to++ = static_cast<std::uint8_t>(std::min(bin, last_bin(column)));
  };
  const auto copy_sample = [&](std::size_t row, std::uint8_t* to) {
    for (const TripleColumn& column : columns)
      *to++ = input.tables.of(column.part).bins(column.variable)[input.samples.of(column.part)[row]];
  };
  const Matrix cuts = BinRows(most_bins, columns.size(), copy_bin, context).quantile_matrix(most_bins, {});
  return BinRows(input.samples.size(), columns.size(), copy_sample, context).quantile_matrix(most_bins, cuts);
}

// As XGBoost counts them, at least two.
std::size_t most_bins_of(const LearnerInput& input, std::span<const TripleColumn> columns) {
  std::size_t most = 2;
  for (const TripleColumn& column : columns)
    most = std::max(most, input.tables.of(column.part).bin_count(column.variable));
  return most;
}

class XgboostGrower {
 public:
  XgboostGrower(const LearnerInput& input, const LearnerOptions& options, const Context& context)
      : input_(input),
        options_(options),
        context_(context),
        columns_(columns_of(input)),
        most_bins_(most_bins_of(input, columns_)) {
    check(XGBSetGlobalConfig(R"({"verbosity": 0})"));  // of this thread
    matrix_ = matrix_of(input_, columns_, most_bins_, context_);
    void* const matrix = matrix_.get();
    void* booster = nullptr;
    check(XGBoosterCreate(&matrix, 1, &booster));
    booster_.reset(booster);
    set_parameters();
  }

  trees::Tree grow(std::span<const simd::GradientPair> gradients, std::uint64_t number) {
    if (options_.column_share < 1) set("seed", CounterRandom(context_.seed, kSeedStream).bits(number) >> 1);
    first_.resize(gradients.size());
    second_.resize(gradients.size());
    for (std::size_t row = 0; row < gradients.size(); ++row) {
      first_[row] = static_cast<float>(gradients[row].gradient / simd::kGradientUnit);
      second_[row] = static_cast<float>(gradients[row].hessian / simd::kGradientUnit);
    }
    check(XGBoosterBoostOneIter(booster_.get(), matrix_.get(), first_.data(), second_.data(), first_.size()));
    return tree_at(static_cast<int>(number));
  }

 private:
  template <class Value>
  void set(const char* name, const Value& value) {
    check(XGBoosterSetParam(booster_.get(), name, fmt::format("{}", value).c_str()));
  }

  void set_parameters() {
    set("objective", "binary:logistic");  // not asked, as gradients are ours
    set("tree_method", "hist");
    set("max_bin", most_bins_);
    set("max_depth", options_.depth);
    set("eta", options_.classifier == Classifier::kBoosting ? options_.rate : 1);
    set("lambda", options_.split.lambda);
    set("gamma", options_.split.gamma);
    set("min_child_weight", options_.split.min_child_weight);
    set("colsample_bytree", options_.column_share);
    set("nthread", context_.thread_count());
    set("verbosity", 0);
  }

  trees::Tree tree_at(int number) const {
    void* slice = nullptr;
    check(XGBoosterSlice(booster_.get(), number, number + 1, 1, &slice));
    const Booster owned(slice);
    bst_ulong size = 0;
    const char* text = nullptr;
    check(XGBoosterSaveModelToBuffer(slice, R"({"format": "json"})", &size, &text));
    trees::Tree tree = from_xgboost_json({text, size}, columns_, "XGBoost's tree").trees.at(0);
    for (trees::TreeNode& node : tree.nodes) {
      if (!node.is_leaf()) take_bin_as_condition(node);
    }
    return tree;
  }

  // XGBoost asked whether the bin's number is below the threshold.
  void take_bin_as_condition(trees::TreeNode& node) const {
    const auto cuts = input_.tables.of(node.column.part).cuts(node.column.variable);
    const float bin = std::ceil(node.threshold) - 1;
    if (!(bin >= 0 && bin < static_cast<float>(cuts.size())))
      throw Error(ErrorCode::kUnsupported,
                  fmt::format("XGBoost cut {} bins at {}", cuts.size() + 1, node.threshold));
    node.bin = static_cast<std::uint8_t>(bin);
    node.threshold = cuts[node.bin];
  }

  const LearnerInput& input_;
  const LearnerOptions& options_;
  const Context& context_;
  const std::vector<TripleColumn> columns_;
  const std::size_t most_bins_;  // of a column
  Matrix matrix_;
  Booster booster_;
  std::vector<float> first_;  // derivatives
  std::vector<float> second_;
};

}  // namespace

LearnedTrees learn_with_xgboost(const LearnerInput& input, const LearnerOptions& options,
                                const Context& context) {
  check_input(input, options);
  // XGBoost takes no empty matrix; and there is nothing to split.
  if (input.samples.size() == 0 || columns_of(input).empty()) return learn_trees(input, options, context);
  XgboostGrower grower(input, options, context);
  const auto grow = [&](std::span<const simd::GradientPair> gradients, std::uint64_t number,
                        const TakeLeaves& take) {
    trees::Tree tree = grower.grow(gradients, number);
    parallel_for(context, gradients.size(), kRowsPerBatch, [&](std::size_t begin, std::size_t end) {
      std::vector<std::uint8_t> leaves(end - begin);
      for (std::size_t row = begin; row < end; ++row)
        leaves[row - begin] = leaf_of(tree, input.tables, input.samples.triple(row));
      take(tree, leaves, begin);
    });
    return tree;
  };
  return run_learning_loop(input, options, context, grow);
}

}  // namespace greenkgc::trees

#endif
