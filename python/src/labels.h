#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <string_view>

namespace greenkgc::python {

namespace py = pybind11;

// Labels are bytes, mostly UTF-8; the others come out as lone surrogates ("surrogateescape"), and go back in
// as the bytes that they were.
py::str to_python(std::string_view label);

// From str or bytes. Throws TypeError for anything else.
std::string to_label(py::handle text);

// The same of a path: str, bytes or os.PathLike.
std::string to_path(py::handle path);

}  // namespace greenkgc::python
