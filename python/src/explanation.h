#pragma once

#include <pybind11/pybind11.h>

#include "greenkgc/model.h"

namespace greenkgc::python {

// With the keys of `greenkgc explain --json`.
pybind11::dict explanation_dict(const Model& model, const Explanation& explanation);

}  // namespace greenkgc::python
