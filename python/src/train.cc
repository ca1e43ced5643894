#include "greenkgc/train.h"

#include <pybind11/stl.h>

#include <array>

#include "bindings.h"
#include "call.h"
#include "greenkgc/complete.h"
#include "greenkgc/error.h"
#include "keywords.h"
#include "labels.h"

namespace greenkgc::python {

namespace {

struct TrainKeywords {
  TrainOptions train;
  LoadOptions load;
  std::set<std::string> load_given;

  std::array<KeywordGroup, 6> groups() {
    return {keywords_of(train),
            keywords_of(train.embed.options, &train.embed.given, "embed"),
            keywords_of(train.prune.options, &train.prune.given, "prune"),
            keywords_of(train.decide.options, &train.decide.given, "decide"),
            keywords_of(train.rerank.options, &train.rerank.given, "rerank"),
            keywords_of(load, &load_given)};
  }
};

struct EvaluateKeywords {
  EvaluateOptions evaluate;
  LoadOptions load;
  std::set<std::string> load_given;

  std::array<KeywordGroup, 2> groups() { return {keywords_of(evaluate), keywords_of(load, &load_given)}; }
};

// A graph that is in memory, or where to load it from.
class Data {
 public:
  Data(const py::object& data, const LoadOptions& options, const std::set<std::string>& given)
      : options_(options) {
    if (py::isinstance<Dataset>(data)) {
      ready_ = &data.cast<const Dataset&>();
      if (!given.empty())
        throw Error(ErrorCode::kUsage,
                    *given.begin() + " is an option for loading data, but this graph is already loaded");
    } else {
      name_ = to_path(data);
    }
  }

  const std::string& name() const { return name_; }
  const Dataset& get(const Context& context) {
    if (ready_ != nullptr) return *ready_;
    loaded_.emplace(Dataset::load(name_, options_, context));
    return *loaded_;
  }

 private:
  const LoadOptions& options_;
  std::string name_ = "a graph from Python";
  const Dataset* ready_ = nullptr;
  std::optional<Dataset> loaded_;
};

void train_model(const py::object& data, const py::object& out, bool resume, const py::dict& keywords,
                 const Call& call) {
  TrainKeywords given;
  set_keywords(keywords, "train", given.groups());
  Data source(data, given.load, given.load_given);
  const TrainRun place{.out = to_path(out), .resume = resume, .data = source.name(), .load = given.load};
  run_watched(call, [&](const Context& context) {
    const Dataset& dataset = source.get(context);
    const TrainPlan plan = plan_training(dataset, given.train);
    train(dataset, plan, place, context);
  });
}

std::string evaluate_model(const py::object& data, const py::object& model, const py::dict& keywords,
                           const Call& call) {
  EvaluateKeywords given;
  set_keywords(keywords, "evaluate", given.groups());
  Data source(data, given.load, given.load_given);
  const std::string path = to_path(model);
  return run(call, [&](const Context& context) {
    const Dataset& dataset = source.get(context);
    return evaluation_json(evaluate(dataset, path, given.evaluate, context), dataset);
  });
}

// What train() would use: for a graph, or, where there is none, for most graphs.
py::list train_options(const py::object& data, const py::dict& keywords, const Call& call) {
  TrainKeywords given;
  set_keywords(keywords, "train", given.groups());
  PresetPlan planned;
  if (data.is_none()) {
    planned = plan_preset(given.train);
  } else {
    Data source(data, given.load, given.load_given);
    planned.plan =
        run(call, [&](const Context& context) { return plan_training(source.get(context), given.train); });
  }
  given.train.embed.options = planned.plan.embed;
  given.train.prune.options = planned.plan.prune;
  given.train.decide.options = planned.plan.decide;
  if (planned.plan.rerank) given.train.rerank.options = *planned.plan.rerank;
  given.train.second_stage = planned.plan.rerank ? "yes" : "no";
  return listed(given.groups(), planned.by_data);
}

py::list options_of(const std::string& function, const py::object& data, const py::dict& keywords,
                    const Call& call) {
  if (function == "train") return train_options(data, keywords, call);
  if (!data.is_none() || !keywords.empty())
    throw Error(ErrorCode::kUsage,
                "data and options apply only to options(\"train\"), whose presets depend on them");
  TrainKeywords train;
  EvaluateKeywords evaluate;
  CompleteOptions complete;
  ConvertOptions write;
  if (function == "evaluate") return listed(evaluate.groups());
  const std::array one = {function == "load_dataset" ? keywords_of(train.load)
                          : function == "complete"   ? keywords_of(complete)
                                                     : keywords_of(write)};
  if (function == "load_dataset" || function == "complete" || function == "write") return listed(one);
  throw Error(ErrorCode::kUsage,
              "options() knows train, evaluate, complete, load_dataset and write; not '" + function + "'");
}

}  // namespace

void bind_train(py::module_& module) {
  module.def("train", &train_model, py::arg("data"), py::arg("out"), py::arg("resume"), py::arg("keywords"),
             py::arg("call"));
  module.def("evaluate", &evaluate_model, py::arg("data"), py::arg("model"), py::arg("keywords"),
             py::arg("call"));
  module.def("options", &options_of, py::arg("function"), py::arg("data"), py::arg("keywords"),
             py::arg("call"));
}

}  // namespace greenkgc::python
