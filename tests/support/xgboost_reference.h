#pragma once

#include <xgboost/c_api.h>

#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "simd/trees/logistic_gradients.h"
#include "trees/train/lists/lists.h"
#include "trees/train/samples.h"
#include "trees/trees.h"

namespace greenkgc::trees {

// For tests and benchmarks: XGBoost on the same rows, with a matrix of bins as its features.
class XgboostReference {
 public:
  using Parameters = std::map<std::string, std::string>;

  // Columns are those of heads, relations and tails, one after another.
  XgboostReference(const features::SideTables& tables, const Samples& samples, const Parameters& parameters)
      : XgboostReference(bins_as_floats(tables, samples), samples.size(), samples.labels, parameters) {}
  XgboostReference(const Lists& lists, const Parameters& parameters)
      : XgboostReference({lists.bins.begin(), lists.bins.end()}, lists.rows(), lists.labels, parameters) {}
  ~XgboostReference() {
    XGBoosterFree(booster_);
    XGDMatrixFree(data_);
  }
  XgboostReference(const XgboostReference&) = delete;
  XgboostReference& operator=(const XgboostReference&) = delete;

  // By XGBoost's own gradients, or by ours.
  void grow_tree() { check(XGBoosterUpdateOneIter(booster_, trees_++, data_)); }
  void grow_tree(std::span<const simd::GradientPair> gradients) {
    std::vector<float> first;
    std::vector<float> second;
    for (const simd::GradientPair& pair : gradients) {
      first.push_back(static_cast<float>(pair.gradient / simd::kGradientUnit));
      second.push_back(static_cast<float>(pair.hessian / simd::kGradientUnit));
    }
    check(XGBoosterBoostOneIter(booster_, data_, first.data(), second.data(), first.size()));
  }

  std::vector<float> margins() const {
    bst_ulong count = 0;
    const float* values = nullptr;
    check(XGBoosterPredict(booster_, data_, 1, 0, 0, &count, &values));
    return {values, values + count};
  }
  std::string model_as_json() const {
    bst_ulong size = 0;
    const char* text = nullptr;
    check(XGBoosterSaveModelToBuffer(booster_, R"({"format": "json"})", &size, &text));
    return {text, size};
  }

 private:
  XgboostReference(const std::vector<float>& matrix, std::size_t rows, std::span<const std::uint8_t> labels,
                   const Parameters& parameters) {
    check(XGDMatrixCreateFromMat(matrix.data(), rows, matrix.size() / rows, -1, &data_));
    const std::vector<float> numbers(labels.begin(), labels.end());
    check(XGDMatrixSetFloatInfo(data_, "label", numbers.data(), numbers.size()));
    check(XGBoosterCreate(&data_, 1, &booster_));
    for (const auto& [name, value] : parameters)
      check(XGBoosterSetParam(booster_, name.c_str(), value.c_str()));
  }

  static std::vector<float> bins_as_floats(const features::SideTables& tables, const Samples& samples) {
    std::vector<float> matrix;
    matrix.reserve(samples.size() * (2 * tables.entities.columns() + tables.relations.columns()));
    for (std::size_t row = 0; row < samples.size(); ++row) {
      for (const TriplePart part : {TriplePart::kHead, TriplePart::kRelation, TriplePart::kTail}) {
        const features::BinnedTable& table = tables.of(part);
        for (std::size_t v = 0; v < table.columns(); ++v)
          matrix.push_back(static_cast<float>(table.bins(v)[samples.of(part)[row]]));
      }
    }
    return matrix;
  }
  static void check(int result) {
    if (result != 0) throw std::runtime_error(XGBGetLastError());
  }

  DMatrixHandle data_ = nullptr;
  BoosterHandle booster_ = nullptr;
  int trees_ = 0;
};

}  // namespace greenkgc::trees
