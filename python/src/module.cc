#include "bindings.h"
#include "call.h"
#include "error.h"
#include "greenkgc/version.h"
#include "labels.h"

// What the package `greenkgc` is made from. Labels and paths go in and out as str, results as tuples and
// dicts; the package makes typed objects of them.
PYBIND11_MODULE(_core, module) {
  using namespace greenkgc::python;
  pybind11::options options;
  options.disable_enum_members_docstring();
  register_error();
  bind_call(module);
  bind_dataset(module);
  bind_embeddings(module);
  bind_model(module);
  bind_train(module);
  module.def(
      "build_info",
      [] {
        const greenkgc::BuildInfo info = greenkgc::build_info();
        pybind11::dict dict;
        dict["version"] = info.version;
        dict["kernels"] = info.kernels;
        dict["blas"] = info.blas;
        dict["compiler"] = info.compiler;
        return dict;
      },
      "Version, kernels, BLAS and compiler.");
}
