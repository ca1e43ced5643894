#pragma once

#include <pybind11/pybind11.h>

// Each in its own file.
namespace greenkgc::python {

void bind_dataset(pybind11::module_& module);
void bind_embeddings(pybind11::module_& module);
void bind_model(pybind11::module_& module);
void bind_train(pybind11::module_& module);

}  // namespace greenkgc::python
