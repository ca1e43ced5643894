#pragma once

#include <xgboost/c_api.h>

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "decide/samples.h"
#include "model/trees.h"

namespace greenkgc::decide {

// For tests and benchmarks: XGBoost on the same samples, with a matrix of bins as its features. Columns are
// those of heads, relations and tails, one after another.
class XgboostReference {
 public:
  XgboostReference(const model::SideTables& tables, const Samples& samples,
                   const std::map<std::string, std::string>& parameters) {
    const std::vector<float> matrix = bins_as_floats(tables, samples);
    check(XGDMatrixCreateFromMat(matrix.data(), samples.size(), matrix.size() / samples.size(), -1, &data_));
    const std::vector<float> labels(samples.labels.begin(), samples.labels.end());
    check(XGDMatrixSetFloatInfo(data_, "label", labels.data(), labels.size()));
    check(XGBoosterCreate(&data_, 1, &booster_));
    for (const auto& [name, value] : parameters)
      check(XGBoosterSetParam(booster_, name.c_str(), value.c_str()));
  }
  ~XgboostReference() {
    XGBoosterFree(booster_);
    XGDMatrixFree(data_);
  }
  XgboostReference(const XgboostReference&) = delete;
  XgboostReference& operator=(const XgboostReference&) = delete;

  void grow_tree() { check(XGBoosterUpdateOneIter(booster_, trees_++, data_)); }

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
  static std::vector<float> bins_as_floats(const model::SideTables& tables, const Samples& samples) {
    std::vector<float> matrix;
    matrix.reserve(samples.size() * (2 * tables.entities.columns() + tables.relations.columns()));
    for (std::size_t row = 0; row < samples.size(); ++row) {
      for (const TriplePart part : {TriplePart::kHead, TriplePart::kRelation, TriplePart::kTail}) {
        const model::BinnedTable& table = tables.of(part);
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

}  // namespace greenkgc::decide
