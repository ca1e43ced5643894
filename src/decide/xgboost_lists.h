#pragma once

#include <xgboost/c_api.h>

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "decide/lists.h"
#include "kernels/logistic_gradients.h"

namespace greenkgc::decide {

// For tests and benchmarks: XGBoost on the rows of lists, with bins as features, growing trees from our
// gradients.
class XgboostLists {
 public:
  XgboostLists(const Lists& lists, const std::map<std::string, std::string>& parameters) {
    const std::vector<float> matrix(lists.bins.begin(), lists.bins.end());
    check(XGDMatrixCreateFromMat(matrix.data(), lists.rows(), lists.features, -1, &data_));
    check(XGBoosterCreate(&data_, 1, &booster_));
    for (const auto& [name, value] : parameters)
      check(XGBoosterSetParam(booster_, name.c_str(), value.c_str()));
  }
  ~XgboostLists() {
    XGBoosterFree(booster_);
    XGDMatrixFree(data_);
  }
  XgboostLists(const XgboostLists&) = delete;
  XgboostLists& operator=(const XgboostLists&) = delete;

  void grow_tree(std::span<const GradientPair> gradients) {
    std::vector<float> first;
    std::vector<float> second;
    for (const GradientPair& pair : gradients) {
      first.push_back(static_cast<float>(pair.gradient / kGradientUnit));
      second.push_back(static_cast<float>(pair.hessian / kGradientUnit));
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
  static void check(int result) {
    if (result != 0) throw std::runtime_error(XGBGetLastError());
  }

  DMatrixHandle data_ = nullptr;
  BoosterHandle booster_ = nullptr;
};

}  // namespace greenkgc::decide
